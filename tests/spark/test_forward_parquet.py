"""Parquet files read by the workers: the answer of forward(), whatever the files look like."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from penstock.spark import forward, forward_parquet, parquet
from without_spark import compile_here

FILTERS = [
    ("a", "a = 1"),
    ("k", "k = 'é x/y'"),
    ("n", "n > 5"),
    ("no", "NOT EXISTS k"),
    ("new", "fresh = true"),
]


def both(spark: SparkSession, path: Any, directory: Path, **options: Any) -> list[tuple[Any, ...]]:
    """The answer of either way, which must be one."""
    table = compile_here(FILTERS, directory, [], [])
    options.setdefault("id_columns", ["id", "k"])
    paths = [path] if isinstance(path, (str, Path)) else path
    rows = forward(spark.read.parquet(*map(str, paths)), table, **options)
    read = forward_parquet(spark, path, table, **options)
    assert read.schema == rows.schema
    answers = [sorted(_plain(row) for row in frame.collect()) for frame in (rows, read)]
    assert answers[0] == answers[1]
    return answers[1]


def _plain(row: Any) -> tuple[Any, ...]:
    return (*map(str, row[:-2]), tuple(sorted(row[-2])))


def test_columns_of_partitions_come_from_the_paths(spark: SparkSession, tmp_path: Path) -> None:
    rows = [(1, 1, "é x/y", 2), (2, 2, None, 7), (3, 1, "b=c%", None)]
    frame = spark.createDataFrame(rows, "id int, a int, k string, n int")
    frame.write.partitionBy("k", "n").parquet(str(tmp_path / "some rows"))
    found = both(spark, tmp_path / "some rows", tmp_path / "table")
    assert [row[-1] for row in found] == [("a", "k"), ("n", "no"), ("a",)]


def test_files_may_lack_columns_or_hold_others_types(spark: SparkSession, tmp_path: Path) -> None:
    # The first file is the one whose columns Spark goes by.
    old = {
        "id": pa.array([1, 2], pa.int64()),
        "k": pa.array(["é x/y", None]),
        "a": pa.array([1, 2], pa.int32()),
        "fresh": pa.array([True, None]),
    }
    pq.write_table(pa.table(old), tmp_path / "0.parquet")
    text = pa.array(["b", None]).dictionary_encode()
    new = {"id": pa.array([3, 4], pa.int64()), "k": text, "other": pa.array([1, 2])}
    pq.write_table(pa.table(new), tmp_path / "1.parquet")
    files = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    found = both(spark, [str(file) for file in files], tmp_path / "table")
    assert [row[-1] for row in found] == [("a", "k", "new"), ("no",), (), ("no",)]


def test_a_column_in_another_spelling_is_found_as_spark_finds_it(spark: SparkSession, tmp_path: Path) -> None:
    for number, name in enumerate(["a", "A"]):
        columns = {"id": pa.array([number]), "k": pa.array(["x"]), name: pa.array([1])}
        pq.write_table(pa.table(columns), tmp_path / f"{number}.parquet")
    found = both(spark, [str(tmp_path / "0.parquet"), str(tmp_path / "1.parquet")], tmp_path / "table")
    assert [row[-1] for row in found] == [("a",), ("a",)]


def test_row_groups_are_shared_out(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "LEAST_ROWS", 25)
    columns = {
        "id": pa.array(range(100)),
        "k": pa.array(["x"] * 100),
        "a": pa.array([n % 2 for n in range(100)]),
    }
    (tmp_path / "rows").mkdir()
    pq.write_table(pa.table(columns).slice(0, 0), tmp_path / "rows" / "0.parquet")
    pq.write_table(pa.table(columns).slice(0, 95), tmp_path / "rows" / "1.parquet", row_group_size=10)
    pq.write_table(pa.table(columns).slice(95), tmp_path / "rows" / "2.parquet", row_group_size=2)
    found = both(spark, tmp_path / "rows", tmp_path / "table", names=False)
    assert len(found) == 100
    footers = [
        parquet.FileFooter("1", [], [10] * 9 + [5]),
        parquet.FileFooter("2", [], [2, 2, 1]),
    ]
    few = [["1:0", "1:1", "1:2"], ["1:3", "1:4", "1:5"], ["1:6", "1:7", "1:8"], ["1:9", "2:0", "2:1", "2:2"]]
    assert shared_out(footers, parallelism=50) == few
    assert shared_out(footers, parallelism=4) == few
    halves = shared_out(footers, parallelism=2)
    assert halves == [few[0] + few[1][:2], few[1][2:] + few[2] + few[3]]
    assert shared_out(footers, parallelism=1) == [[share for task in few for share in task]]
    monkeypatch.setattr(parquet, "MOST_ROWS", 25)
    assert shared_out(footers, parallelism=1) == few
    assert shared_out([], parallelism=2) == []


def shared_out(footers: list[parquet.FileFooter], parallelism: int) -> list[list[str]]:
    """File and row group of each share of each task."""
    tasks = parquet.share_out(footers, {file.uri: {} for file in footers}, parallelism)
    return [[f"{share.uri}:{share.row_group}" for share in task] for task in tasks]


def test_no_rows_give_no_rows(spark: SparkSession, tmp_path: Path) -> None:
    spark.createDataFrame([], "id int, k string, a int").write.parquet(str(tmp_path / "rows"))
    assert both(spark, tmp_path / "rows", tmp_path / "table") == []
    with pytest.raises(AnalysisException, match="PATH_NOT_FOUND"):
        forward_parquet(spark, tmp_path / "nowhere", compile_here([], tmp_path / "t", [], []), id_columns=[])
