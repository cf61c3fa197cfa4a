"""From subscriptions to deliveries, the way the documents show it."""

import pytest
from pyspark.sql import SparkSession

from penstock.errors import SchemaError
from penstock.spark import TableRef, compile_table, deliveries, forward

SUBSCRIPTIONS = [
    (1, "alice", "dest = 'MXP' AND price < 500"),
    (2, "bob", "price > 1000"),
    (3, "alice", "detail.state = 'delayed'"),
    (4, "carol", "price <"),
    (5, None, "price < 1"),
    (6, "dave", None),
    (7, "audit", "TRUE"),
]
MESSAGES = [
    (10, "MXP", 420, ("boarding",)),
    (11, "ZRH", 1200, ("delayed",)),
    (12, None, None, None),
    (13, "x" * 70_000, 1, None),
]


@pytest.fixture(scope="module", params=[1, 3])
def table(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> TableRef:
    rows = spark.createDataFrame(SUBSCRIPTIONS, "id int, interface string, filter string")
    return compile_table(rows, tmp_path_factory.mktemp("pipeline"), shards=request.param)


def test_messages_reach_those_who_asked(spark: SparkSession, table: TableRef) -> None:
    assert (table.subscriptions, table.interfaces, table.rejected) == (4, 3, 3)
    assert {row.id for row in table.rejections(spark).collect()} == {"4", "5", "6"}
    rows = spark.createDataFrame(MESSAGES, "id int, dest string, price int, detail struct<state: string>")
    forwarded = forward(rows, table, id_columns=["id"])
    found = {row.id: row for row in forwarded.collect()}
    wanted = {10: ["alice", "audit"], 11: ["alice", "audit", "bob"], 12: ["audit"]}
    assert {id_: sorted(found[id_].interfaces) for id_ in wanted} == wanted
    assert found[13].interfaces is None
    assert "70000 bytes" in found[13].error
    delivered = sorted(map(tuple, deliveries(forwarded).collect()))
    assert delivered == [(id_, name) for id_, names in wanted.items() for name in names]


def test_ids_are_those_that_the_table_tells(spark: SparkSession, table: TableRef) -> None:
    known = {row.id: row.interface for row in table.interface_ids(spark).collect()}
    assert known == {0: "alice", 1: "audit", 2: "bob"}
    rows = spark.createDataFrame([(1, 2000)], "id int, price int")
    (found,) = forward(rows, table, id_columns=["id"], names=False).collect()
    assert sorted(found.interfaces) == [1, 2]


def test_a_broken_text_costs_its_own_row(spark: SparkSession, table: TableRef) -> None:
    texts = [(1, '{"dest": "MXP", "price": 420}'), (2, '{"dest": '), (3, None)]
    rows = spark.createDataFrame(texts, "id int, body string")
    found = {row.id: row for row in forward(rows, table, id_columns=["id"], json="body").collect()}
    assert sorted(found[1].interfaces) == ["alice", "audit"]
    assert found[2].interfaces is None
    assert "not valid JSON" in found[2].error
    assert found[3].error == "the text is null"


def test_a_table_is_found_again(table: TableRef) -> None:
    assert TableRef.open(table.path) == table
    assert TableRef.open(table.path, table.version) == table


def test_columns_that_are_not_there_are_named(spark: SparkSession, table: TableRef) -> None:
    rows = spark.createDataFrame([(1, 2)], "id int, price int")
    with pytest.raises(SchemaError, match="'key': is not there; the columns are id, price"):
        forward(rows, table, id_columns=["key"])
