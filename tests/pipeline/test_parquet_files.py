"""Parquet: columns are attributes as they are, files may differ, and what no message can hold is rejected."""

import datetime
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from trial import WISHES, forward_files

from penstock.errors import InputError, LedgerError, SchemaError
from penstock.pipeline import job
from penstock.pipeline.lines import Census
from penstock.pipeline.messages import Intake, read_messages


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in/day=5").mkdir(parents=True)


def put(name: str, **columns: object) -> None:
    pq.write_table(pa.table(columns), name, row_group_size=2)


def test_files_of_different_columns_are_one_input(spark: SparkSession) -> None:
    seen = datetime.datetime(2013, 1, 1, 5, tzinfo=datetime.UTC)
    put("in/day=5/a.parquet", dest=["MXP", "ZRH", None, "x" * 70_000], price=pa.array([420, 420, 2000, 1]))
    put(
        "in/day=5/b.parquet",
        price=pa.array([1, 2]),
        detail=[{"state": "delayed"}, None],
        seen=pa.array([None, seen]),
        tags=[["unused"], []],
        cost=[Decimal("1.50"), None],
    )
    trial = forward_files(spark, "in", wishes=WISHES + "erin\tday = 5 AND cost = 1.5\n")
    assert trial.deliveries == [
        ("in/day=5/a.parquet", 1, "alice"),
        ("in/day=5/a.parquet", 3, "bob"),
        ("in/day=5/b.parquet", 1, "carol"),
        ("in/day=5/b.parquet", 1, "erin"),
        ("in/day=5/b.parquet", 2, "bob"),
    ]
    ((file, line, row),) = trial.unmatched
    assert (file, line, json.loads(row)) == ("in/day=5/a.parquet", 2, {"dest": "ZRH", "price": 420, "day": 5})
    ((_, file, line, row, error),) = trial.rejected
    assert (file, line, len(json.loads(row)["dest"])) == ("in/day=5/a.parquet", 4, 70_000)
    assert "70000 bytes" in error


def test_columns_name_messages_and_can_be_given_types(spark: SparkSession) -> None:
    put("m.parquet", dest=["MXP", "MXP"], price=["420", "dear"], when=[datetime.date(2013, 1, 1)] * 2)
    trial = forward_files(spark, "m.parquet", ids=("when", "dest"), types={"price": "int"})
    assert trial.deliveries == [(datetime.date(2013, 1, 1), "MXP", "alice")]
    (rejected,) = trial.rejected
    assert rejected[:3] == ("messages", "m.parquet", 2)
    assert rejected[4] == "column 'price': 'dear' is not an int"


def test_a_column_that_filters_ask_for_and_no_message_can_have_is_an_error(spark: SparkSession) -> None:
    put("m.parquet", seen=[["2013"]])
    with pytest.raises(SchemaError, match="seen"):
        forward_files(spark, "m.parquet")
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("columns", "reading"),
    [({"a": [1], "__row": [1]}, {}), ({"a": [1]}, {"ids": ("b",)}), ({"a": [1]}, {"types": {"b": "int"}})],
)
def test_columns_that_are_not_there_or_taken_are_an_error(
    spark: SparkSession, columns: dict[str, object], reading: dict[str, Any]
) -> None:
    put("m.parquet", **columns)
    with pytest.raises(InputError):
        forward_files(spark, "m.parquet", **reading)


def test_a_run_whose_counts_do_not_add_up_publishes_nothing(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("m.parquet", price=[1, 2])
    forward_files(spark, "m.parquet")
    first = Path("out/metrics.json").read_text()

    def see_one_more(*arguments: Any) -> Intake:
        intake = read_messages(*arguments)
        rows = {file: count + 1 for file, count in intake.census.rows.items()}
        return replace(intake, census=Census(rows, intake.census.names))

    monkeypatch.setattr(job, "read_messages", see_one_more)
    with pytest.raises(LedgerError, match="messages 3 ≠ matched \\+ unmatched \\+ rejected 2"):
        forward_files(spark, "m.parquet")
    assert Path("out/metrics.json").read_text() == first
    assert {entry.name for entry in Path.cwd().iterdir()} == {"in", "m.parquet", "out", "wishes.filters"}
