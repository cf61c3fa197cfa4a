"""A column of JSON texts is matched as `match_json` would match each, and its words are the errors."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from engines import MAKERS
from json_text import texts_of
from penstock import ForwardingTable, MessageError
from penstock.errors import ArrowError
from strategies import interfaces, messages_near, predicates
from test_hostile_json import PIECES
from test_json import REFUSED

Row = tuple[list[str] | None, str | None]

NULL: Row = (None, "the text is null")


def row_alone(table: ForwardingTable, text: bytes | None) -> Row:
    if text is None:
        return NULL
    try:
        return sorted(map(table.interfaces.name_of, table.match_json(text))), None
    except MessageError as error:
        return None, str(error)


def rows_of(table: ForwardingTable, data: Any, column: str = "json") -> list[Row]:
    """The result as sorted names and errors, having looked at the batch itself and at both forms of it."""
    named = table.match_batch(data, json=column, names=True)
    named.validate(full=True)
    rows = [(names and sorted(names), error) for names, error in pairs(named)]
    ids = table.match_batch(data, json=column)
    ids.validate(full=True)
    assert ids.schema == pa.schema({"interfaces": pa.list_(pa.uint32()), "error": pa.string()})
    name_of = table.interfaces.name_of
    assert [(found and sorted(map(name_of, found)), error) for found, error in pairs(ids)] == rows
    return rows


def pairs(batch: pa.RecordBatch) -> list[tuple[Any, Any]]:
    found: list[Any] = batch.column("interfaces").to_pylist()
    return list(zip(found, batch.column("error").to_pylist(), strict=True))


def unchecked(texts: list[bytes | None], kind: Any) -> pa.Array[Any]:
    """A column of the type, with bytes that nobody has looked at."""
    if pa.types.is_dictionary(kind):
        distinct = sorted({text for text in texts if text is not None})
        places = {text: at for at, text in enumerate(distinct)}
        indices = pa.array([None if text is None else places[text] for text in texts], kind.index_type)
        return pa.DictionaryArray.from_arrays(indices, unchecked([*distinct], kind.value_type))
    column: pa.Array[Any] = pa.array(texts, BINARY_OF.get(kind, kind))
    return column.view(kind)


BINARY_OF: dict[Any, Any] = {
    pa.string(): pa.binary(),
    pa.large_string(): pa.large_binary(),
    pa.string_view(): pa.binary_view(),
}
PLAIN: list[Any] = [*BINARY_OF, *BINARY_OF.values()]
DICTIONARIES: list[Any] = [
    pa.dictionary(index, values)
    for index in (pa.int8(), pa.uint32(), pa.int64())
    for values in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
]
broken = st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join) | st.sampled_from(
    [data for data, _, _ in REFUSED.values() if isinstance(data, bytes) and len(data) < 1000]
)


@st.composite
def tables(draw: st.DrawFn, good: st.SearchStrategy[bytes]) -> tuple[pa.Table, list[bytes | None]]:
    """A column of texts, as a whole or put together from slices, and the texts in it."""
    pool = draw(st.lists(good | good | broken | st.none(), min_size=1, max_size=6))
    texts = draw(st.lists(st.sampled_from(pool), max_size=12) | st.permutations(pool * 12))
    column = unchecked(texts, draw(st.sampled_from(PLAIN + DICTIONARIES)))
    whole = pa.table({"id": pa.array([b"x"] * len(texts), pa.binary()), "json": column})
    cuts = sorted(draw(st.lists(st.integers(0, len(texts)), max_size=3)))
    spans = list(zip([0, *cuts], [*cuts, len(texts)], strict=True))
    kept = draw(st.lists(st.sampled_from(spans), max_size=5) | st.just([(0, len(texts))]))
    slices = [whole.slice(start, end - start) for start, end in kept]
    joined = pa.concat_tables(slices) if slices else whole.schema.empty_table()
    return joined, [text for start, end in kept for text in texts[start:end]]


@given(st.lists(st.tuples(interfaces, predicates), min_size=2, max_size=6), st.data())
def test_every_row_is_what_match_json_makes_of_it(wanted: list[Any], data: st.DataObject) -> None:
    good = texts_of(messages_near([predicate for _, predicate in wanted]))
    rows, texts = data.draw(tables(good))
    for name, make in MAKERS.items():
        table = make()
        for interface, predicate in wanted:
            table.subscribe(interface, predicate)
        answers = [row_alone(table, text) for text in texts]
        event("some match" if any(found for found, _ in answers) else "none matches")
        assert rows_of(table, rows) == answers, name


@pytest.fixture
def table() -> ForwardingTable:
    table = ForwardingTable()
    table.subscribe("bob", "price < 300")
    table.subscribe("all", "TRUE")
    return table


FINE: Row = (["all", "bob"], None)
BYTES_REFUSED = {name: data for name, (data, _, _) in REFUSED.items() if isinstance(data, bytes)}


@pytest.mark.parametrize("data", BYTES_REFUSED.values(), ids=BYTES_REFUSED)
def test_a_bad_text_costs_its_own_row_only(table: ForwardingTable, data: bytes) -> None:
    refused = row_alone(table, data)
    assert refused[1]
    for kind in PLAIN:
        column = unchecked([b'{"price": 1}', data, None, b'{"price": 2}'], kind)
        assert rows_of(table, pa.table({"json": column})) == [FINE, refused, NULL, FINE]


def test_rows_of_all_kinds_and_lengths_keep_their_places(table: ForwardingTable) -> None:
    fine, long = b'{"price": 1}', b" " * 70_000 + b'{"price": 2}'
    texts = [(fine, None, b"{", long, b"{}", fine)[n * n % 13 % 6] for n in range(200)]
    expected = [row_alone(table, text) for text in texts]
    for kind in PLAIN + DICTIONARIES:
        assert rows_of(table, pa.table({"json": unchecked(texts, kind)})) == expected


def test_nothing_gives_nothing(table: ForwardingTable) -> None:
    for kind in PLAIN + DICTIONARIES:
        assert rows_of(table, pa.schema({"json": kind}).empty_table()) == []
        assert rows_of(table, pa.table({"json": unchecked([None, None], kind)})) == [NULL, NULL]
    assert rows_of(table, pa.table({"json": pa.nulls(2)})) == [NULL, NULL]
    assert rows_of(ForwardingTable(), pa.table({"json": ["{}"]})) == [([], None)]


def test_a_text_may_be_longer_than_a_string_attribute(table: ForwardingTable) -> None:
    members = {f"n{n}": "x" * 60_000 for n in range(40)}
    assert rows_of(table, pa.table({"json": [json.dumps({"price": 1, **members}), "{}"]})) == [
        FINE, (["all"], None),
    ]  # fmt: skip


def test_the_column_may_lie_in_a_struct_beside_anything(table: ForwardingTable) -> None:
    envelope = pa.array([{"body": '{"price": 1}', "at": [1]}, None, {"body": "[]", "at": None}])
    data = pa.table({
        "price": pa.array([b"", b"", b""]),  # other columns are no attributes, whatever they are
        "seen": pa.array([0, 1, 2], pa.timestamp("s")),
        "envelope": envelope,
    })  # fmt: skip
    assert rows_of(table, data, "envelope.body") == [FINE, NULL, row_alone(table, b"[]")]


def test_other_producers_hand_over_texts(table: ForwardingTable) -> None:
    texts = ['{"price": 1}', None, '{"price": }', '{"price": 1}']
    answer = [row_alone(table, None if text is None else text.encode()) for text in texts]
    frame = pl.DataFrame({"json": texts})
    assert rows_of(table, frame) == answer
    assert rows_of(table, frame.slice(1)) == answer[1:]
    assert rows_of(table, frame.with_columns(pl.col("json").cast(pl.Categorical))) == answer
    assert rows_of(table, frame.with_columns(pl.col("json").cast(pl.Binary))) == answer
    assert rows_of(table, pl.concat([frame, frame])) == answer * 2
    rows = pa.table({"json": texts})
    with duckdb.connect() as connection:
        connection.register("rows", rows)
        assert rows_of(table, connection.sql("SELECT * FROM rows")) == answer
    batch = rows.to_batches()[0]
    reader = pa.RecordBatchReader.from_batches(rows.schema, iter([batch, batch]))
    assert len(table.match_batch(reader, json="json")) == 2 * len(texts)


def test_a_result_outlives_the_table_and_the_data() -> None:
    table = ForwardingTable()
    table.subscribe("it", "a = 1")
    found = table.match_batch(pa.table({"json": ['{"a": 1}', "{", '{"a": 1}']}), names=True, json="json")
    del table
    assert found.column("interfaces").to_pylist() == [["it"], None, ["it"]]


WRONG: dict[str, tuple[Any, str]] = {
    "no such column": ({"text": ["{}"]}, "no column is named 'json'; there are 'text'"),
    "no columns": ({}, "no column is named 'json'$"),
    "numbers": ({"json": [1]}, "column 'json' is of type int64; a column of strings or bytes is needed"),
    "lists": ({"json": [["{}"]]}, "is of type list; "),
    "dictionary of numbers": ({"json": pa.array([1]).dictionary_encode()}, "is of type dictionary of int64"),
    "bytes of one size": ({"json": pa.array([b"{}"], pa.binary(2))}, "is of type fixed_size_binary; "),
    "a struct": ({"json": [{"price": 1}]}, "no column is named 'json'; there are 'json.price'"),
}


@pytest.mark.parametrize(("columns", "says"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("rows", [0, 1])
def test_a_column_that_cannot_be_read_is_refused(
    table: ForwardingTable, columns: dict[str, Any], says: str, rows: int
) -> None:
    with pytest.raises(ArrowError, match=says):
        table.match_batch(pa.table(columns).slice(0, rows), json="json")


def test_the_name_must_be_one_and_of_one_column(table: ForwardingTable) -> None:
    data = pa.table({"json": [{"a": "{}"}], "json.a": ["{}"]})
    with pytest.raises(ArrowError, match=r"two columns are named 'json\.a'"):
        table.match_batch(data, json="json.a")
    with pytest.raises(ArrowError, match="lone surrogate"):
        table.match_batch(data, json="\ud800")
    for name in (5, b"json", True):
        with pytest.raises(TypeError, match="json takes the name of a column, a str, not "):
            table.match_batch(data, json=name)  # type: ignore[call-overload]
    assert rows_of(table, pa.table({"": ["{}"]}), "") == [(["all"], None)]
    for nothing in (None, 1, "a", {"json": ["{}"]}):
        with pytest.raises(TypeError, match="Arrow data is needed"):
            table.match_batch(nothing, json="json")  # type: ignore[call-overload]


def test_bytes_are_still_no_attributes(table: ForwardingTable) -> None:
    for kind in (pa.binary(), pa.dictionary(pa.int8(), pa.binary())):
        with pytest.raises(MessageError, match="is a column of type "):
            table.match_batch(pa.table({"json": unchecked([b"{}"], kind)}))
        with pytest.raises(ArrowError, match="a column of strings is needed"):
            table.subscribe_batch(pa.table({"interface": ["x"], "filter": unchecked([b"TRUE"], kind)}))


def test_the_type_of_the_answer_follows_the_argument(table: ForwardingTable) -> None:
    """Checked by mypy as well as here."""
    lists: pa.ListArray[Any] = table.match_batch(pa.table({"price": [1]}))
    batch: pa.RecordBatch = table.match_batch(pa.table({"json": ["{}"]}), json="json")
    assert isinstance(lists, pa.ListArray)
    assert isinstance(batch, pa.RecordBatch)
    for json_column in (None, "price"):
        found = table.match_batch(pa.table({"price": ["{}"]}), json=json_column)
        assert len(found) == 1
