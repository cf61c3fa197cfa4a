"""Compiling: what is refused is kept, what is the same is the same version, and nothing is half there."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

from penstock import FilterError, ForwardingTable, Limits, parse
from penstock.errors import SchemaError, TableFileError
from penstock.spark import TableRef, compile_table, forward

SUBSCRIPTION = "id int, interface string, filter string"


def table_of(spark: SparkSession, rows: list[Any], path: Path, **options: Any) -> TableRef:
    return compile_table(spark.createDataFrame(rows, SUBSCRIPTION), path, **options)


def rows_of(frame: DataFrame) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in frame.collect()]


def error_of(text: str) -> str:
    with pytest.raises(FilterError) as raised:
        parse(text)
    return str(raised.value)


def test_rows_that_cannot_be_subscribed_are_kept_with_the_error(spark: SparkSession, tmp_path: Path) -> None:
    wrong = ["price <", "a = 1 +", "é = 'x", "x" * 70_000, "(" * 100]
    rows = [(place, f"i{place}", text) for place, text in enumerate(wrong)]
    rows += [(10, None, "a = 1"), (11, "i", None), (12, None, None), (13, "n" * 70_000, "a = 1")]  # type: ignore[list-item]
    rows += [(None, "i", "a = "), (20, "good", "a = 1"), (20, "good", "a=1"), (21, "", "TRUE")]  # type: ignore[list-item]
    table = table_of(spark, rows, tmp_path, shards=2)
    assert (table.subscriptions, table.interfaces, table.rejected) == (3, 2, 10)
    refused = {row.id: row for row in table.rejections(spark).collect()}
    assert len(refused) == 10
    for place, text in enumerate(wrong):
        assert refused[str(place)] == Row(str(place), f"i{place}", text, error_of(text))
    assert refused["10"].error == "the interface is null"
    assert refused["11"].error.startswith("the filter is null\nhint: TRUE is the filter")
    assert refused["13"].error == "the interface's name is longer than 64 KiB"
    assert refused[None].error == error_of("a = ")


def test_texts_that_are_not_utf8_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.createDataFrame(
        [(1, b"i", b"a = '\xff'"), (2, b"\xff", b"a = 1")], "id int, i binary, f binary"
    )
    table = compile_table(rows.selectExpr("id", "string(i) AS interface", "string(f) AS filter"), tmp_path)
    refused = table.rejections(spark).selectExpr("id", "binary(filter) AS filter", "error").collect()
    assert {row.id: "not valid UTF-8" in row.error for row in refused} == {"1": True, "2": True}
    assert {bytes(row.filter) for row in refused} == {b"a = '\xff'", b"a = 1"}


def test_the_same_subscriptions_are_the_same_version(spark: SparkSession, tmp_path: Path) -> None:
    rows = [(n, f"i{n % 7}", f"a = {n} AND b < 'x'") for n in range(50)]
    one = table_of(spark, rows, tmp_path / "one", shards=3)
    again = [(None, interface, text.replace(" = ", "  =") + " ") for _, interface, text in reversed(rows)]
    other = compile_table(
        spark.createDataFrame(again, SUBSCRIPTION).repartition(5), tmp_path / "two", shards=3
    )
    assert other.version == one.version
    assert table_of(spark, rows[1:], tmp_path / "one", shards=3).version != one.version
    assert table_of(spark, rows, tmp_path / "one", shards=3) == one
    assert TableRef.open(tmp_path / "one") == one
    assert len(list((tmp_path / "one" / "versions").iterdir())) == 2
    assert not list(tmp_path.glob("*/staging-*"))


def test_shards_split_by_interface_and_share_the_load(spark: SparkSession, tmp_path: Path) -> None:
    rows = [(n, f"i{n % 100:02}", f"a = {n}") for n in range(1000)]
    table = table_of(spark, rows, tmp_path, shards=4)
    shards = [ForwardingTable.load(table.shard(number)) for number in range(4)]
    assert [name for shard in shards for name in shard.interfaces] == [f"i{n:02}" for n in range(100)]
    assert all(200 <= len(shard) <= 300 for shard in shards)
    assert table.first_ids == (0, *[sum(len(s.interfaces) for s in shards[:n]) for n in (1, 2, 3)])


def test_one_interface_or_none_leaves_shards_empty(spark: SparkSession, tmp_path: Path) -> None:
    one = table_of(spark, [(1, "only", "a = 1"), (2, "only", "b = 1")], tmp_path / "one", shards=3)
    none = table_of(spark, [], tmp_path / "none", shards=3)
    assert (one.shards, one.interfaces, one.subscriptions) == (3, 1, 2)
    assert (none.shards, none.interfaces, none.subscriptions, none.rejected) == (3, 0, 0, 0)
    rows = spark.createDataFrame([(1, 1)], "id int, a int")
    assert rows_of(forward(rows, one, id_columns=["id"])) == [(1, ["only"], None)]
    assert rows_of(forward(rows, none, id_columns=["id"])) == [(1, [], None)]
    assert forward(rows.where("false"), one, id_columns=["id"]).collect() == []
    assert none.rejections(spark).collect() == []


def test_interfaces_may_be_numbers_and_other_columns_are_ignored(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.createDataFrame(
        [(7, "a = 1", None), (-1, "a = 1", 2.5)], "interface long, filter string, x double"
    )
    table = compile_table(rows, tmp_path)
    known = {row.id: row.interface for row in table.interface_ids(spark).collect()}
    assert known == {0: "-1", 1: "7"}


def test_expansions_longer_than_a_text_may_be_are_subscribed_all_the_same(
    spark: SparkSession, tmp_path: Path
) -> None:
    parts = [f"(a{n} = '{'x' * 50}' OR b{n} = 1)" for n in range(10)]
    text = " AND ".join(parts)
    assert len(str(parse(text))) > 65536
    table = table_of(spark, [(1, "i", text)], tmp_path)
    assert (table.subscriptions, table.rejected) == (1, 0)
    rows = spark.createDataFrame([(1, 1)], "id int, b0 int").selectExpr(
        "id", *[f"1 AS b{n}" for n in range(10)]
    )
    assert rows_of(forward(rows, table, id_columns=["id"])) == [(1, ["i"], None)]


def test_engine_and_limits_are_those_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    rows = [(1, "i", "a = 1 OR a = 2"), (2, "j", "a = 1")]
    table = table_of(spark, rows, tmp_path, engine="counting", limits=Limits(filters=1))
    assert (table.engine, table.subscriptions, table.rejected) == ("counting", 1, 1)
    assert ForwardingTable.load(table.shard(0)).engine == "counting"


WRONG = {
    "interface string, text string": "'filter': is not there; the columns are interface, text",
    "interface double, filter string": "'interface': is of type double; cast it to string",
    "interface string, filter int": "'filter': is of type int; filters are texts",
}


def test_columns_that_cannot_be_subscriptions_are_named(spark: SparkSession, tmp_path: Path) -> None:
    for schema, message in WRONG.items():
        with pytest.raises(SchemaError, match=message):
            compile_table(spark.createDataFrame([], schema), tmp_path)
    rows = spark.createDataFrame([], SUBSCRIPTION)
    with pytest.raises(ValueError, match="shards must be at least 1"):
        compile_table(rows, tmp_path, shards=0)
    with pytest.raises(ValueError, match="engine must be one of"):
        compile_table(rows, tmp_path, engine="fast")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_files_that_are_no_table_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match="holds no compiled table; compile_table writes one"):
        TableRef.open(tmp_path)
    (tmp_path / "latest").write_text("abc\n")
    with pytest.raises(TableFileError, match="holds no version abc"):
        TableRef.open(tmp_path)
    manifest = tmp_path / "versions" / "abc" / "manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text('{"format": ')
    with pytest.raises(TableFileError, match="the manifest of abc is damaged"):
        TableRef.open(tmp_path)
    for damaged in ("5", '{"format": 1}', '{"format": 1, "names": [], "first_ids": [], "colour": "red"}'):
        manifest.write_text(damaged)
        with pytest.raises(TableFileError, match="the manifest of abc is damaged"):
            TableRef.open(tmp_path)
    manifest.write_text(json.dumps({"format": 99}))
    with pytest.raises(TableFileError, match="was written by another penstock; compile it anew"):
        TableRef.open(tmp_path)


def test_a_job_that_fails_leaves_the_version_before(spark: SparkSession, tmp_path: Path) -> None:
    table = table_of(spark, [(1, "i", "a = 1")], tmp_path)
    rows = spark.range(3).selectExpr("int(id) AS id", "'j' AS interface", "string(1 / (id - 2)) AS filter")
    with pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
        compile_table(rows, tmp_path)
    assert TableRef.open(tmp_path) == table
    assert sorted(path.name for path in tmp_path.iterdir()) == ["latest", "versions"]


def test_tables_can_be_shipped_where_no_storage_is_shared(spark: SparkSession, tmp_path: Path) -> None:
    rows = [(n, f"i{n}", f"a = {n} OR path = '{tmp_path}'") for n in range(5)] + [(9, "bad", "a =")]
    table = table_of(spark, rows, tmp_path / "one", shards=2, shared=False)
    assert not list((tmp_path / "one").glob("staging-*"))
    assert [row.interface for row in table.rejections(spark).collect()] == ["bad"]
    # The same table from another place: workers have one already.
    again = table_of(spark, rows, tmp_path / "two", shards=2, shared=False)
    assert again.version == table.version == TableRef.open(tmp_path / "two").version
    sent = spark.createDataFrame([(n, n) for n in range(5)], "id int, a int")
    found = forward(sent, replace(again, path="/nowhere"), id_columns=["id"]).collect()
    assert {row.id: row.interfaces for row in found} == {n: [f"i{n}"] for n in range(5)}
