"""The main job, small: every departure is accounted for, deliveries are right, and the report tells of it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from penstock import FilterError, ForwardingTable, parse
from processes import clean_environment

pytestmark = pytest.mark.xdist_group("flights")  # one run of the job serves all of these
SMALL = ["--subscriptions", "1000", "--interfaces", "400", "--seed", "7"]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("run")
    command = [sys.executable, "-m", "penstock", "run", *SMALL]
    done = subprocess.run(
        command, cwd=directory, env=clean_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "1,120 subscriptions = 1,000 compiled + 120 rejected"
    assert done.stdout.splitlines()[-1].endswith(f"s; open {directory}/out/report.html")
    return directory / "out"


def read(out: Path, name: str) -> pa.Table:
    return pq.ParquetDataset(out / name).read()


def test_every_departure_is_accounted_for(out: Path) -> None:
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["messages"] == 336_776
    assert metrics["messages"] == metrics["matched"] + metrics["unmatched"] + metrics["rejected"]
    assert metrics["rejected"] == 0
    assert metrics["deliveries"] == read(out, "deliveries").num_rows
    assert metrics["unmatched"] == read(out, "unmatched").num_rows
    assert metrics["subscriptions"]["rejected"] == read(out, "rejected").num_rows == 120
    assert set(metrics["seconds"]) == {
        "start", "prepare", "read", "compile", "observe", "forward", "deliver", "report",
    }  # fmt: skip


def test_deliveries_are_those_of_the_table(out: Path) -> None:
    table = ForwardingTable()
    for row in pq.read_table(out / "input" / "subscriptions.parquet").to_pylist():
        try:
            table.subscribe(row["interface"], parse(row["filter"]))
        except FilterError:
            continue
    departures = pq.read_table(out / "input" / "departures.parquet")
    found = table.match_batch(departures, names=True)
    parents = pc.list_parent_indices(found)
    wanted = departures.select(["time_hour", "flight"]).take(parents)
    wanted = wanted.append_column("interface", pa.chunked_array([pc.list_flatten(found).cast(pa.string())]))
    order: Any = [(name, "ascending") for name in wanted.column_names]
    assert read(out, "deliveries").sort_by(order).equals(wanted.sort_by(order))


def test_rejected_rows_are_named_by_where_they_will_be(out: Path) -> None:
    rows = read(out, "rejected").to_pylist()
    assert {row["input"] for row in rows} == {"subscriptions"}
    assert {row["file"] for row in rows} == {"out/input/subscriptions.parquet"}
    given = pq.read_table(out / "input" / "subscriptions.parquet")
    for row in rows:
        (written,) = given.slice(row["line"] - 1, 1).to_pylist()
        assert json.loads(row["row"]) == written
        with pytest.raises(FilterError) as raised:
            parse(written["filter"])
        assert row["error"] == str(raised.value)


def test_the_report_tells_of_this_run(out: Path) -> None:
    metrics = json.loads((out / "metrics.json").read_text())
    page = (out / "report.html").read_text()
    for text in (
        "336,776 departures = ", f"{metrics['deliveries']:,} deliveries", "nearest miss", "seed 7",
        "1,120 subscriptions = 1,000 compiled + 120 rejected", "The most wanted departure of the year",
        "out/input/subscriptions.parquet, row",
    ):  # fmt: skip
        assert text in page, text
    assert page.count('class="sample"') >= 3
    assert 'class="no">' in page


def test_nothing_else_is_left(out: Path) -> None:
    assert {entry.name for entry in out.parent.iterdir()} == {"out"}
    assert {entry.name for entry in out.iterdir()} == {
        "_manifest.json", "deliveries", "input", "metrics.json", "rejected", "report.html", "table",
        "unmatched",
    }  # fmt: skip
