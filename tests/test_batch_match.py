"""A batch is matched as its rows would be one by one, whatever the types, the nulls and the way it is cut."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from engines import MAKERS, every_engine
from penstock import ForwardingTable, MessageError
from penstock.errors import ArrowError
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


def names_of(table: ForwardingTable, data: Any) -> list[list[str]]:
    """The result as sorted names, having looked at the array itself and at both forms of it."""
    ids = table.match_batch(data)
    ids.validate(full=True)
    assert ids.type == pa.list_(pa.uint32())
    found: list[Any] = ids.to_pylist()
    rows = [sorted(map(table.interfaces.name_of, row)) for row in found]
    assert rows == names_of_once(table, data)
    return rows


def names_of_once(table: ForwardingTable, data: Any) -> list[list[str]]:
    """The result as sorted names, for data that can be read only once."""
    named = table.match_batch(data, names=True)
    named.validate(full=True)
    found: list[Any] = named.to_pylist()
    return [sorted(row) for row in found]


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


@pytest.fixture
def table() -> ForwardingTable:
    table = ForwardingTable()
    table.subscribe_many(
        ["cheap", "milan", "urgent"], ["price < 100", "dest = 'MXP'", "detail.state = 'open' AND ok = true"]
    )
    return table


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


def test_a_struct_that_is_null_as_a_whole_is_an_empty_message(table: ForwardingTable) -> None:
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


REFUSED: dict[str, tuple[Any, str]] = {
    "list": (pa.array([[1]]), "list"),
    "large list": (pa.array([[1]], pa.large_list(pa.int64())), "large_list"),
    "fixed list": (pa.array([[1]], pa.list_(pa.int64(), 1)), "fixed_size_list"),
    "map": (pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())), "map"),
    "binary": (pa.array([b"x"]), "binary"),
    "large binary": (pa.array([b"x"], pa.large_binary()), "large_binary"),
    "binary view": (pa.array([b"x"], pa.binary_view()), "binary_view"),
    "fixed binary": (pa.array([b"x"], pa.binary(1)), "fixed_size_binary"),
    "decimal": (pa.array([decimal.Decimal("1.5")]), "decimal"),
    "timestamp": (pa.array([0], pa.timestamp("us", "UTC")), "timestamp"),
    "date": (pa.array([datetime.date(2024, 1, 1)]), "date"),
    "time": (pa.array([datetime.time(1)]), "time"),
    "duration": (pa.array([0], pa.duration("s")), "duration"),
    "dictionary of ints": (pa.array([1]).dictionary_encode(), "dictionary of int64"),
    "run ends": (pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["x"])),
                 "run_end_encoded"),
    "union": (pa.UnionArray.from_dense(pa.array([0], pa.int8()), pa.array([0], pa.int32()), [pa.array([1])]),
              "union"),
}  # fmt: skip


@pytest.mark.parametrize(("column", "type_name"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("rows", [0, 1])
def test_a_type_that_attributes_cannot_have_is_refused_by_name(
    table: ForwardingTable, column: Any, type_name: str, rows: int
) -> None:
    nested = pa.StructArray.from_arrays([column], names=["it"])
    for data, name in ((pa.table({"ok": [True], "it": column}), "it"), (pa.table({"s": nested}), "s.it")):
        with pytest.raises(MessageError, match=f"is a column of type {type_name}; ") as raised:
            table.match_batch(data.slice(0, rows))
        assert (raised.value.attribute, raised.value.row) == (name, None)


def unchecked(values: Sequence[bytes], kind: Any = None) -> pa.Array[Any]:
    """Strings of bytes that nobody has looked at."""
    binary = pa.array(values, pa.large_binary() if kind == pa.large_string() else pa.binary())
    return binary.view(kind or pa.string())


BAD_VALUES: dict[str, Any] = {
    "not UTF-8": unchecked([b"fine", b"\xff"]),
    "a cut character": unchecked([b"\xc3\xa9", b"\xc3"]),
    "large and not UTF-8": unchecked([b"fine", b"\xed\xa0\x80"], pa.large_string()),
    "dictionary": pa.DictionaryArray.from_arrays(pa.array([0, 1]), unchecked([b"fine", b"\xff"])),
    "too long": pa.array(["x", "x" * 65_537]),
    "too long in UTF-8": pa.array(["x", "é" * 32_769], pa.string_view()),
    "unsigned": pa.array([INT64_MAX, INT64_MAX + 1], pa.uint64()),
}


@pytest.mark.parametrize("column", BAD_VALUES.values(), ids=BAD_VALUES)
def test_a_value_that_no_message_can_have_is_named_by_column_and_row(
    table: ForwardingTable, column: Any
) -> None:
    chunked = pa.table({"s": pa.StructArray.from_arrays([column], names=["it"])})
    with pytest.raises(MessageError) as raised:
        table.match_batch(pa.concat_tables([chunked.slice(0, 1)] * 3 + [chunked]))
    assert (raised.value.attribute, raised.value.row) == ("s.it", 4)
    assert str(raised.value).startswith("row 4, attribute 's.it': is ")
    assert len(table.match_batch(chunked.slice(0, 1))) == 1


@pytest.mark.parametrize("value", [INT64_MIN, INT64_MAX])
def test_the_outermost_integers_are_exact(value: int) -> None:
    table = ForwardingTable()
    table.subscribe("it", f"n = {value}")
    assert names_of(table, pa.table({"n": [value, 0]})) == [["it"], []]


def test_a_name_occurs_once(table: ForwardingTable) -> None:
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(MessageError, match="'a': names two columns"):
        table.match_batch(twice)
    flattened = pa.table({"a.b": [1], "a": [{"b": 2}]})
    with pytest.raises(MessageError, match=r"'a\.b': names two columns"):
        table.match_batch(flattened)


def test_columns_are_limited(table: ForwardingTable) -> None:
    wide = pa.table({f"c{n}": [n] for n in range(4096)})
    table.subscribe_many([f"i{n}" for n in range(4096)], [f"c{n} = {n}" for n in range(4096)])
    assert len(names_of(table, wide)[0]) == 4096
    with pytest.raises(MessageError, match="one column too many"):
        table.match_batch(wide.append_column("last", pa.array([1])))
    deep: Any = pa.array([1])
    for _ in range(70):
        deep = pa.StructArray.from_arrays([deep], names=["x"])
    with pytest.raises(MessageError, match="nested deeper than 64 levels"):
        table.match_batch(pa.table({"x": deep}))


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


def test_the_oracle_agrees_on_float16_and_uint64() -> None:
    """They come to the same as what Python makes of them: not more, not less."""
    table = ForwardingTable()
    ids = table.subscribe_many(["h", "u"], ["float h = 0.0999755859375", f"int u = {INT64_MAX}"])
    row = {"h": float(np.float16(0.1)), "u": INT64_MAX}
    data = pa.table({"h": pa.array([np.float16(0.1)], pa.float16()), "u": pa.array([INT64_MAX], pa.uint64())})
    assert all(matches(predicate, row) for _, _, predicate in table.subscriptions())
    assert names_of(table, data) == [["h", "u"]]
    assert len(ids) == 2
