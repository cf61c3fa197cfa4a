"""The commands on Spark: results, accounts and exit codes; the same for both kinds of session."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from penstock.cli import main

FILTERS = "alice\tprice < 500\nbob\tprice > 1000\n"
MESSAGES = '{"id": 1, "price": 420}\n{"id": 2, "price": 800}\n{"id": 3, "price": 2000}\n'


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wishes.filters").write_text(FILTERS)
    Path("messages.jsonl").write_text(MESSAGES)


def rows(directory: str) -> list[dict[str, Any]]:
    return sorted(pq.ParquetDataset(directory).read().to_pylist(), key=repr)


@pytest.mark.usefixtures("spark")
def test_compile_then_forward(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "wishes.filters", "-o", "table"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("2 subscriptions = 2 compiled + 0 rejected, on 2 interfaces\nin table, version ")
    assert "compiling subscriptions: 2 subscriptions, " in err
    forward = ["forward", "--table", "table", "--messages", "messages.jsonl", "--out", "out", "--id", "id"]
    assert main([*forward, "--json"]) == 0
    out, err = capsys.readouterr()
    metrics = json.loads(out)
    assert err == ""
    counts = {"messages": 3, "matched": 2, "unmatched": 1, "rejected": 0, "deliveries": 2}
    assert {name: metrics[name] for name in counts} == counts
    assert set(metrics["seconds"]) == {"start", "read", "forward", "deliver"}
    assert rows("out/deliveries") == [{"id": "1", "interface": "alice"}, {"id": "3", "interface": "bob"}]
    assert rows("out/unmatched") == [{"file": "messages.jsonl", "line": 2, "row": '{"id": 2, "price": 800}'}]
    assert rows("out/rejected") == []


def test_a_session_that_was_there_before_keeps_its_settings(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.session.timeZone", "Europe/Zurich")
    compile_ = ["compile", "wishes.filters", "-o", "table", "--quiet"]
    assert main([*compile_, "--conf", "spark.sql.shuffle.partitions=3", "--conf", "penstock.test=1"]) == 0
    assert spark.conf.get("spark.sql.session.timeZone") == "Europe/Zurich"
    assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
    assert spark.conf.get("spark.sql.caseSensitive") == "false"
    assert spark.conf.get("penstock.test", None) is None
    spark.conf.unset("spark.sql.session.timeZone")


@pytest.mark.usefixtures("spark")
def test_what_is_rejected_is_shown_and_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    Path("wishes.filters").write_text(FILTERS + "carol\tprice <\n")
    Path("messages.jsonl").write_text(MESSAGES + "{\n" * 4)
    forward = ["forward", "--subscriptions", "wishes.filters", "--messages", "messages.jsonl", "--out", "out"]
    assert main(forward) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "3 subscriptions = 2 compiled + 1 rejected",
        "7 messages = 2 matched + 1 unmatched + 4 rejected",
        "2 deliveries to 2 interfaces",
        "in out",
    ]
    assert "penstock: 5 rows rejected; see out/rejected\nmessages.jsonl:4: not valid JSON" in err
    assert main([*forward, "--quiet"]) == 1  # and once more, over the first result
    out, err = capsys.readouterr()
    assert (out, err.startswith("penstock: 5 rows rejected")) == ("", True)
    assert len(rows("out/rejected")) == 5


@pytest.mark.usefixtures("spark")
def test_columns_that_no_message_can_have_are_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(pa.table({"price": [[1, 2]]}), "messages.parquet")
    forward = [
        "forward",
        "--subscriptions",
        "wishes.filters",
        "--messages",
        "messages.parquet",
        "--out",
        "out",
    ]
    assert main(forward) == 2
    assert "penstock: column 'price': is of type array<bigint>" in capsys.readouterr().err
    Path("messages.parquet").write_bytes(b"no Parquet at all")
    assert main(forward) == 2
    error = capsys.readouterr().err
    assert "messages.parquet" in error
    assert "Traceback" not in error
    assert "\tat " not in error
    assert not Path("out").exists()


# How a format is read does not depend on the kind of session.
@pytest.mark.parametrize(
    ("spark", "format_"),
    [("classic", "jsonl"), ("classic", "csv"), ("connect", "parquet")],
    indirect=["spark"],
)
def test_a_stream_goes_on_where_it_was_with_the_newest_table(
    spark: SparkSession, capsys: pytest.CaptureFixture[str], format_: str
) -> None:
    assert spark.version
    Path("inbox").mkdir()
    assert main(["compile", "wishes.filters", "-o", "table", "--quiet"]) == 0
    stream = ["stream", "--messages", "inbox", "--table", "table", "--out", "out", "--once", "--json"]
    put(format_, "a", [420, 800])
    assert main(stream) == 0
    Path("wishes.filters").write_text("carol\tprice > 0\n")
    assert main(["compile", "wishes.filters", "-o", "table", "--quiet"]) == 0
    put(format_, "b", [2000])
    assert main(stream) == 0
    assert main(stream) == 0  # nothing has come
    batches = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["number"], each["messages"], each["matched"], each["unmatched"]) for each in batches] == [
        (0, 2, 1, 1), (1, 1, 1, 0),
    ]  # fmt: skip
    found = [(row["interfaces"], row["error"]) for row in rows("out/batch=0") + rows("out/batch=1")]
    assert sorted(found) == [([], None), (["alice"], None), (["carol"], None)]


def put(format_: str, name: str, prices: list[int]) -> None:
    """A file that appears at once, as files of a stream must."""
    if format_ == "parquet":
        pq.write_table(pa.table({"price": prices}), "new")
    elif format_ == "csv":
        Path("new").write_text("price\n" + "".join(f"{price}\n" for price in prices))
    else:
        Path("new").write_text("".join(f'{{"price": {price}}}\n' for price in prices))
    Path("new").rename(f"inbox/{name}.{format_}")


@pytest.mark.usefixtures("spark")
def test_rows_that_a_stream_rejects_are_in_its_output(capsys: pytest.CaptureFixture[str]) -> None:
    Path("inbox").mkdir()
    assert main(["compile", "wishes.filters", "-o", "table", "--quiet"]) == 0
    Path("inbox/a.csv").write_text("id,price\n1,420\n2,cheap\n3\n")
    stream = ["stream", "--messages", "inbox", "--table", "table", "--out", "out", "--once", "--id", "id"]
    assert main([*stream, "--type", "price=int"]) == 1
    out, err = capsys.readouterr()
    assert out == "3 messages = 1 matched + 0 unmatched + 2 rejected\n"
    assert "batch 0: 3 messages = 1 matched + 0 unmatched + 2 rejected, " in err
    found = {row["id"]: (row["fault"], row["interfaces"]) for row in rows("out/batch=0")}
    assert found == {
        1: (None, ["alice"]),
        2: ("column 'price': 'cheap' is not an int", None),
        3: ("expected 2 values, as the first line has", None),
    }
