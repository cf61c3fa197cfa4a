"""Forwarding: which columns are attributes, which are carried, and which are refused before a job starts."""

import datetime
import decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from penstock.errors import SchemaError
from penstock.spark import TableRef, compile_table, deliveries, forward, forward_parquet
from without_spark import compile_here


def table_of(path: Path, *subscriptions: tuple[str, str]) -> TableRef:
    return compile_here(list(subscriptions), path, [], [])


def found_in(forwarded: DataFrame) -> dict[Any, Any]:
    return {row.id: sorted(row.interfaces) for row in forwarded.collect()}


def test_names_are_told_apart_by_case_and_may_hold_anything(spark: SparkSession, tmp_path: Path) -> None:
    table = table_of(tmp_path, ("low", "a = 1"), ("up", "A = 1"), ("dots", "a.b = 1"), ("tick", "`x``y` = 1"))
    rows = spark.createDataFrame([(0, 1, 0, 0, 0), (1, 0, 1, 0, 0), (2, 0, 0, 1, 0), (3, 0, 0, 0, 1)])
    rows = rows.toDF("id", "a", "A", "a.b", "x`y")
    forwarded = forward(rows, table, id_columns=["id"])
    assert found_in(forwarded) == {0: ["low"], 1: ["up"], 2: ["dots"], 3: ["tick"]}
    assert forward(rows, table, id_columns=["id", "a.b", "x`y"]).columns == [
        "id",
        "a.b",
        "x`y",
        "interfaces",
        "error",
    ]
    delivered = deliveries(forward(rows, table, id_columns=["x`y", "a.b"]))
    assert delivered.columns == ["x`y", "a.b", "interface"]
    assert sorted(map(tuple, delivered.collect())) == [
        (0, 0, "low"),
        (0, 0, "up"),
        (0, 1, "dots"),
        (1, 0, "tick"),
    ]


def test_id_columns_are_attributes_too_and_any_type_is_carried(spark: SparkSession, tmp_path: Path) -> None:
    table = table_of(tmp_path, ("one", "id = 1"), ("none", "NOT EXISTS at"), ("deep", "s.t.u = 'x'"))
    schema = (
        "id long, at timestamp, on date, price decimal(9, 2), raw binary, tags array<string>, "
        "more map<string, int>, local timestamp_ntz, s struct<t: struct<u: string>>, bad struct<at: date>"
    )
    at = datetime.datetime(2013, 1, 1, 5, 15, tzinfo=datetime.UTC)
    values = (
        1, at, at.date(), decimal.Decimal("12.50"), b"\xff", ["x", None], {"k": 1}, at.replace(tzinfo=None),
        (("x",),), (at.date(),),
    )  # fmt: skip
    rows = spark.createDataFrame([values, (2, *[None] * 9)], schema)
    rows.write.parquet(str(tmp_path / "rows"))
    ids = rows.columns
    expected = [tuple(row) for row in rows.withColumn("interfaces", f.array()).collect()]
    for forwarded in (
        forward(rows, table, id_columns=ids),
        forward_parquet(spark, tmp_path / "rows", table, id_columns=ids),
    ):
        assert [field.dataType for field in forwarded.schema][:-2] == [
            field.dataType for field in rows.schema
        ]
        found = sorted((tuple(row) for row in forwarded.collect()), key=lambda row: int(row[0]))
        assert [row[: len(ids)] for row in found] == [row[:-1] for row in expected]
        assert [sorted(row[-2]) for row in found] == [["deep", "none", "one"], ["none"]]


REFUSED = {
    "id int, at timestamp": "'at': is of type timestamp, which no attribute has; cast it to string, or",
    "id int, p decimal(5,1)": "'p': is of type decimal.5,1., which no attribute has; cast it to double",
    "id int, b binary": "'b': is of type binary, which no attribute has; cast it to string",
    "id int, tags array<int>": "'tags': is of type array<int>, .* several values",
    "id int, m map<string, int>": "'m': is of type map<string,int>, .* make its entries columns",
    "id int, v variant": "'v': is of type variant, .* cast it to string, or drop it",
    "id int, s struct<t: struct<d: date>>": "'s': its field 't' its field 'd' is of type date",
    "id int, s struct<t: int>, `s.t` int": "'s.t': occurs twice once the names of structs are joined",
    "id int, x int, interfaces int": None,
}


def test_columns_that_no_message_has_are_refused_at_once(spark: SparkSession, tmp_path: Path) -> None:
    table = table_of(tmp_path, ("i", "a = 1"))
    for schema, message in REFUSED.items():
        rows = spark.createDataFrame([], schema)
        if message is None:
            forward(rows, table, id_columns=["id"])
            continue
        with pytest.raises(SchemaError, match=message):
            forward(rows, table, id_columns=["id"])
    many = spark.range(1).select("*", *[f.lit(1).alias(f"c{n}") for n in range(4097)])
    with pytest.raises(SchemaError, match="at most 4,096 attributes"):
        forward(many, table, id_columns=[])


def test_id_columns_that_cannot_be_are_refused_at_once(spark: SparkSession, tmp_path: Path) -> None:
    table = table_of(tmp_path, ("i", "a = 1"))
    rows = spark.createDataFrame([], "id int, error string, x int")
    with pytest.raises(SchemaError, match="'error': is the name of a column of the result; rename it"):
        forward(rows, table, id_columns=["error"])
    with pytest.raises(SchemaError, match="'id': is among the id columns more than once"):
        forward(rows, table, id_columns=["id", "id"])
    with pytest.raises(SchemaError, match="'x': is there more than once"):
        forward(rows.toDF("id", "x", "x"), table, id_columns=["x"])
    with pytest.raises(TypeError, match=r"must be a sequence of names, such as \['id'\]"):
        forward(rows, table, id_columns="id")


def test_texts_may_be_strings_or_bytes_in_structs_or_not(spark: SparkSession, tmp_path: Path) -> None:
    table = table_of(tmp_path, ("i", "a = 1"), ("all", "TRUE"))
    rows = spark.createDataFrame(
        [(1, ('{"a": 1}', 5)), (2, None)], "id int, value struct<body: string, n: int>"
    )
    rows = rows.withColumn("raw", f.col("value.body").cast("binary"))
    for column in ("value.body", "raw"):
        found = {row.id: row for row in forward(rows, table, id_columns=["id"], json=column).collect()}
        assert sorted(found[1].interfaces) == ["all", "i"]
        assert (found[2].interfaces, found[2].error) == (None, "the text is null")
    # The texts may be carried as well.
    carried = forward(rows, table, id_columns=["raw"], json="raw").where("error IS NULL").collect()
    assert [row.raw for row in carried] == [b'{"a": 1}']
    with pytest.raises(SchemaError, match="'text': is not there; the columns are id, value, raw"):
        forward(rows, table, id_columns=["id"], json="text")
    with pytest.raises(SchemaError, match=r"'value\.text': is not there: no 'text' in it"):
        forward(rows, table, id_columns=["id"], json="value.text")
    with pytest.raises(SchemaError, match=r"'value\.n': is of type int; JSON texts are string or binary"):
        forward(rows, table, id_columns=["id"], json="value.n")


def test_rows_without_columns_are_messages_too(spark: SparkSession, tmp_path: Path) -> None:
    table = table_of(tmp_path, ("i", "NOT EXISTS a"), ("j", "a = 1"))
    forwarded = forward(spark.range(3).select(), table, id_columns=[])
    assert [tuple(row) for row in forwarded.collect()] == [(["i"], None)] * 3


def test_only_columns_that_filters_ask_for_are_read(spark: SparkSession, tmp_path: Path) -> None:
    table = table_of(tmp_path, ("i", "a = 1"))
    wide = spark.range(2).select(
        "id", (f.col("id") + 1).alias("a"), f.raise_error(f.lit("not needed")).cast("int").alias("b")
    )
    assert found_in(forward(wide, table, id_columns=["id"])) == {0: ["i"], 1: []}


def test_strings_with_wide_offsets_are_read_as_well(spark: SparkSession, tmp_path: Path) -> None:
    table = table_of(tmp_path, ("i", "a = 'x'"))
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    try:
        rows = spark.createDataFrame([("1", "x", '{"a": "x"}')], "id string, a string, body string")
        assert found_in(forward(rows, table, id_columns=["id"])) == {"1": ["i"]}
        assert found_in(forward(rows, table, id_columns=["id"], json="body")) == {"1": ["i"]}
    finally:
        spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")


def test_streams_are_chosen_by_place_and_by_content(spark: SparkSession, tmp_path: Path) -> None:
    wanted = [
        ("far", "topic TOPIC 'streams/sensor/*/pressure' AND value > 10"),
        ("all", "topic TOPIC 'streams/sensor'"),
    ]
    table = compile_table(spark.createDataFrame(wanted, "interface string, filter string"), tmp_path)
    sent = [
        (1, "streams/sensor/7/pressure", 11),
        (2, "streams/sensor/7/pressure", 9),
        (3, "streams/sensor/7/heat", 11),
        (4, "streams/other/7/pressure", 11),
    ]
    rows = spark.createDataFrame(sent, "id int, topic string, value int")
    found = {row.id: sorted(row.interfaces) for row in forward(rows, table, id_columns=["id"]).collect()}
    assert found == {1: ["all", "far"], 2: ["all"], 3: ["all"], 4: []}
