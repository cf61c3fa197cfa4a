"""A batch is matched as its rows would be one by one, whatever the types, the nulls and the way it is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from batches import names_of, some_table
from engines import MAKERS, every_engine
from penstock import ForwardingTable
from penstock.model import Constraint, Filter, Operator, Predicate
from penstock.oracle import matches
from strategies import INT64_MAX, INT64_MIN, floats, interfaces, ints, predicates, strings
from test_engines import Subscriptions, expected, fill

Maker = Callable[[], ForwardingTable]


def narrow(bits: int, signed: bool) -> st.SearchStrategy[int]:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    near = ints.map(lambda value: min(max(value, low), high, INT64_MAX))
    return near | st.sampled_from([low, 0, 1, 5])


DICTIONARIES = [
    pa.dictionary(index, values)
    for index in (
        pa.int8(),
        pa.uint8(),
        pa.int16(),
        pa.uint16(),
        pa.int32(),
        pa.uint32(),
        pa.int64(),
        pa.uint64(),
    )
    for values in (pa.string(), pa.large_string())
]


COLUMN_TYPES: dict[Any, st.SearchStrategy[Any]] = {
    **dict.fromkeys([pa.string(), pa.large_string(), pa.string_view(), *DICTIONARIES], strings),
    **{getattr(pa, f"int{bits}")(): narrow(bits, True) for bits in (8, 16, 32, 64)},
    **{getattr(pa, f"uint{bits}")(): narrow(bits, False) for bits in (8, 16, 32, 64)},
    pa.float64(): floats | st.just(float("nan")),
    pa.float32(): st.floats(width=32) | st.sampled_from([0.5, 5.0, 500.0]),
    pa.float16(): st.floats(width=16).map(np.float16) | st.sampled_from([0.5, 5.0, 500.0]).map(np.float16),
    pa.bool_(): st.booleans(),
    pa.null(): st.none(),
}


ROWS = st.integers(1, 8) | st.sampled_from([0, 63, 64, 65, 130])


@st.composite
def columns(draw: st.DrawFn, rows: int) -> pa.Array[Any]:
    """A column of any type that attributes can have; few distinct values when it is long, to be quick."""
    kind = draw(st.sampled_from(list(COLUMN_TYPES)))
    pool = draw(st.lists(st.none() | COLUMN_TYPES[kind], min_size=1, max_size=6))
    picks = draw(st.lists(st.integers(0, len(pool) - 1), min_size=rows, max_size=rows))
    array: pa.Array[Any] = pa.array([pool[pick] for pick in picks], kind)
    return array


@st.composite
def structs(draw: st.DrawFn, rows: int, depth: int = 1) -> pa.Array[Any]:
    """A struct column with nulls of its own over children that have values even there."""
    children = {
        name: draw(structs(rows, depth - 1) if depth and name == "deep" else columns(rows))
        for name in draw(st.sets(st.sampled_from(["state", "a", "deep"]), min_size=1))
    }
    nulls = draw(st.lists(st.booleans(), min_size=rows, max_size=rows))
    mask = pa.array(nulls, pa.bool_()) if draw(st.booleans()) else None
    array: pa.Array[Any] = pa.StructArray.from_arrays(
        list(children.values()), names=list(children), mask=mask
    )
    return array


@st.composite
def batches(draw: st.DrawFn, rows: int) -> pa.RecordBatch:
    names = draw(st.lists(st.sampled_from(["a", "b", "price", "名", "two words"]), unique=True, max_size=4))
    content = {name: draw(columns(rows)) for name in names}
    if draw(st.booleans()):
        content["detail"] = draw(structs(rows))
    whole = pa.StructArray.from_arrays(list(content.values()), names=list(content))
    return (
        pa.RecordBatch.from_struct_array(whole)
        if content
        else pa.record_batch({"x": pa.nulls(rows)}).select([])
    )


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """A table as a whole, sliced, or put together from slices."""
    batch = draw(batches(draw(ROWS)))
    table = pa.Table.from_batches([batch])
    rows = len(table)
    cuts = sorted(draw(st.lists(st.integers(0, rows), max_size=3)))
    pieces = [batch.slice(start, end - start) for start, end in zip([0, *cuts], [*cuts, rows], strict=True)]
    kept = draw(st.lists(st.sampled_from(pieces), max_size=6))
    return draw(st.sampled_from([table, pa.Table.from_batches(kept, batch.schema)]))


def messages_of(table: pa.Table) -> list[dict[str, Any]]:
    """The rows as pyarrow gives them to Python, but for NumPy's half floats, which the oracle cannot know."""

    def plain(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: plain(each) for name, each in value.items()}
        return float(value) if isinstance(value, np.float16) else value

    return [plain(row) for row in table.to_pylist()]


def about(messages: list[dict[str, Any]]) -> st.SearchStrategy[Predicate]:
    """Filters that speak of values in the messages: drawn blindly, they would almost never meet."""
    values = [item for message in messages for item in flatten(message) if item[1] == item[1]]
    if not values:
        return predicates
    operators = st.sampled_from([Operator.EQ, Operator.NE, Operator.IN, Operator.EXISTS])
    return st.builds(constraint_on, st.sampled_from(values), operators)


def flatten(message: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in message.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{prefix}{name}.")
        elif value is not None:
            yield prefix + name, value


def constraint_on(item: tuple[str, Any], operator: Operator) -> Predicate:
    name, value = item
    operands = {Operator.IN: [value], Operator.EXISTS: None}
    return Predicate([Filter([Constraint(name, operator, operands.get(operator, value))])])


@given(table=tables(), data=st.data())
def test_a_batch_is_matched_as_its_rows_are(table: pa.Table, data: st.DataObject) -> None:
    messages = messages_of(table)
    filters = predicates | about(messages)
    wanted: Subscriptions = data.draw(st.lists(st.tuples(interfaces, filters), max_size=8))
    answers = [expected(wanted, message) for message in messages]
    event("something matches" if any(answers) else "nothing matches")
    for name, make in MAKERS.items():
        made = make()
        fill(made, wanted)
        assert names_of(made, table) == answers, name
        assert [sorted(made.match(message)) for message in messages] == answers, name


@given(table=tables())
def test_every_way_to_hand_over_the_rows_gives_the_same(table: pa.Table) -> None:
    made = ForwardingTable()
    filters = ["a < 5 OR b < 5", "a CONTAINS 'a'", "price > 1", "EXISTS detail.deep.a OR EXISTS detail.a"]
    made.subscribe_many(["w", "x", "y", "z"], filters)
    answer = names_of(made, table)
    joined = table.combine_chunks()
    assert names_of(made, joined) == answer
    assert [row for batch in table.to_batches() for row in names_of(made, batch)] == answer
    assert names_of(made, OnlyArray(joined)) == answer
    assert names_of(made, table.to_struct_array()) == answer


class OnlyArray:
    """A producer that knows nothing of streams."""

    def __init__(self, table: pa.Table) -> None:
        rows: Any = table.to_struct_array().combine_chunks()
        self.batch: Any = pa.RecordBatch.from_struct_array(rows)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.batch.__arrow_c_array__(requested_schema)


def test_a_struct_that_is_null_as_a_whole_is_an_empty_message() -> None:
    table = some_table()
    table.subscribe("poor", "NOT EXISTS price")
    row = pa.array([{"price": 1}, None], pa.struct([("price", pa.int64())]))
    assert names_of(table, row) == [["cheap"], ["poor"]]


@every_engine
def test_a_row_without_columns_is_a_message(make_table: Maker) -> None:
    table = make_table()
    table.subscribe("all", "TRUE")
    table.subscribe("some", "EXISTS a")
    assert names_of(table, pa.record_batch({"a": [1, 2]}).select([])) == [["all"], ["all"]]
    assert names_of(table, pa.table({})) == []
    assert names_of(ForwardingTable(), pa.table({"a": [1, 2]})) == [[], []]


def test_a_result_outlives_the_table() -> None:
    table = ForwardingTable()
    table.subscribe("it", "a = 1")
    found = table.match_batch(pa.table({"a": [1, 2, 1]}), names=True)
    del table
    assert found.to_pylist() == [["it"], [], ["it"]]


@pytest.mark.parametrize("value", [INT64_MIN, INT64_MAX])
def test_the_outermost_integers_are_exact(value: int) -> None:
    table = ForwardingTable()
    table.subscribe("it", f"n = {value}")
    assert names_of(table, pa.table({"n": [value, 0]})) == [["it"], []]


def test_the_oracle_agrees_on_float16_and_uint64() -> None:
    """They come to the same as what Python makes of them: not more, not less."""
    table = ForwardingTable()
    ids = table.subscribe_many(["h", "u"], ["float h = 0.0999755859375", f"int u = {INT64_MAX}"])
    row = {"h": float(np.float16(0.1)), "u": INT64_MAX}
    data = pa.table({"h": pa.array([np.float16(0.1)], pa.float16()), "u": pa.array([INT64_MAX], pa.uint64())})
    assert all(matches(predicate, row) for _, _, predicate in table.subscriptions())
    assert names_of(table, data) == [["h", "u"]]
    assert len(ids) == 2
