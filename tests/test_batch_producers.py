"""Rows come from any producer of Arrow data: pyarrow, polars, duckdb; and from some that are broken."""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest

from batches import names_of, names_of_once, some_table
from penstock import ForwardingTable
from penstock.errors import ArrowError


@pytest.fixture
def table() -> ForwardingTable:
    return some_table()


ROWS_OF_OTHERS: dict[str, list[Any]] = {
    "dest": ["MXP", None, "ZRH", "a name that is too long to lie inside a view"],
    "price": [50, 150, None, 99],
    "detail": [{"state": "open"}, {"state": "open"}, {"state": None}, None],
    "ok": [False, True, True, None],
}


ANSWER_TO_OTHERS = [["cheap", "milan"], ["urgent"], [], ["cheap"]]


def test_polars_is_a_producer(table: ForwardingTable) -> None:
    frame = pl.DataFrame(ROWS_OF_OTHERS)
    assert names_of(table, frame) == ANSWER_TO_OTHERS
    assert names_of(table, frame.with_columns(pl.col("dest").cast(pl.Categorical))) == ANSWER_TO_OTHERS
    assert names_of(table, pl.concat([frame, frame])) == ANSWER_TO_OTHERS * 2
    assert names_of(table, frame.slice(1, 2)) == ANSWER_TO_OTHERS[1:3]
    assert names_of(table, frame.to_struct("row")) == ANSWER_TO_OTHERS


def test_duckdb_is_a_producer(table: ForwardingTable) -> None:
    rows = pa.table(ROWS_OF_OTHERS)
    with duckdb.connect() as connection:
        connection.register("rows", rows)
        assert names_of(table, connection.sql("SELECT * FROM rows")) == ANSWER_TO_OTHERS
        as_enum = "SELECT * REPLACE (CAST(ok AS BOOLEAN) AS ok, CAST(price AS SMALLINT) AS price) FROM rows"
        assert names_of(table, connection.sql(as_enum)) == ANSWER_TO_OTHERS


def test_a_reader_is_consumed(table: ForwardingTable) -> None:
    batch = pa.record_batch({"price": [1, 200]})
    reader = pa.RecordBatchReader.from_batches(batch.schema, iter([batch, batch]))
    assert table.match_batch(reader, names=True).to_pylist() == [["cheap"], [], ["cheap"], []]
    assert len(table.match_batch(reader)) == 0


class Returns:
    """A producer that returns whatever it was told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.answer


class ReturnsArray(Returns):
    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self.answer

    __arrow_c_stream__ = property()  # not there


NO_DATA = [None, 1, "a", {"a": [1]}, [{"a": 1}], Returns(None), Returns(pa.schema([]).__arrow_c_schema__()),
           ReturnsArray(None), ReturnsArray((1, 2)), ReturnsArray((1,))]  # fmt: skip


@pytest.mark.parametrize("data", NO_DATA)
def test_what_is_not_arrow_data_is_a_type_error(table: ForwardingTable, data: Any) -> None:
    with pytest.raises(TypeError):
        table.match_batch(data)


def test_what_is_no_table_is_refused(table: ForwardingTable) -> None:
    with pytest.raises(ArrowError, match="one array of type int64"):
        table.match_batch(pa.array([1]))
    with pytest.raises(ArrowError, match="one array of type string"):
        table.match_batch(pa.chunked_array([["a"]]))


def test_a_capsule_is_consumed_once(table: ForwardingTable) -> None:
    data: Any = pa.record_batch({"price": [1]})
    stream = Returns(data.__arrow_c_stream__())
    assert len(table.match_batch(stream)) == 1
    with pytest.raises(ArrowError, match="already consumed"):
        table.match_batch(stream)
    array = ReturnsArray(data.__arrow_c_array__())
    assert len(table.match_batch(array)) == 1
    with pytest.raises(ArrowError, match="already consumed"):
        table.match_batch(array)


def test_a_producer_that_fails_is_quoted(table: ForwardingTable) -> None:
    schema = pa.schema({"price": pa.int64()})

    def rows() -> Any:
        yield pa.record_batch({"price": [1]})
        raise RuntimeError("the disk is on fire")

    with pytest.raises(ArrowError, match="the disk is on fire"):
        table.match_batch(pa.RecordBatchReader.from_batches(schema, rows()))


def test_a_producer_may_use_the_table_while_it_is_read(table: ForwardingTable) -> None:
    def rows() -> Any:
        table.subscribe("late", "price = 1")
        yield pa.record_batch({"price": [1]})
        table.match({"price": 1})

    reader = pa.RecordBatchReader.from_batches(pa.schema({"price": pa.int64()}), rows())
    assert names_of_once(table, reader) == [["cheap", "late"]]
