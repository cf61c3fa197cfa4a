"""Filters are subscribed from Arrow columns, all or nothing, and an error says which row and where."""

from collections.abc import Callable
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import every_engine
from penstock import FilterError, ForwardingTable, Limits
from penstock.errors import ArrowError, FilterLimitError, FilterSyntaxError, FilterTypeError
from strategies import interfaces, predicates

Maker = Callable[[], ForwardingTable]


def content(table: ForwardingTable) -> list[tuple[str, str]]:
    return [(interface, str(predicate)) for _, interface, predicate in table.subscriptions()]


@given(st.lists(st.tuples(interfaces, predicates.map(str)), max_size=20), st.integers(0, 20))
def test_a_batch_subscribes_what_its_rows_would(rows: list[tuple[str, str]], cut: int) -> None:
    names, texts = [row[0] for row in rows], [row[1] for row in rows]
    one_by_one, at_once = ForwardingTable(), ForwardingTable()
    one_by_one.subscribe_many(names, texts)
    data = pa.table({
        "filter": pa.array(texts, pa.string_view()),
        "other": pa.array([[1]] * len(rows), pa.list_(pa.int64())),  # of no concern here
        "interface": pa.array(names, pa.string()).dictionary_encode(),
    })  # fmt: skip
    ids = at_once.subscribe_batch(pa.concat_tables([data.slice(0, cut), data.slice(cut)]))
    assert ids.dtype == "int64"
    assert ids.tolist() == [id_ for id_, _, _ in at_once.subscriptions()]
    assert content(at_once) == content(one_by_one)


def test_columns_may_have_other_names_and_lie_in_structs() -> None:
    table = ForwardingTable()
    rows = pl.DataFrame({"owner": [{"name": "alice"}, {"name": "bob"}], "text": ["a = 1", "b = 2"]})
    table.subscribe_batch(rows, interface="owner.name", filter="text")
    assert content(table) == [("alice", "a = 1"), ("bob", "b = 2")]


def rows_of(interface: list[Any], filter_: list[Any], kind: Any = None) -> pa.Table:
    return pa.table({"interface": pa.array(interface, pa.string()), "filter": pa.array(filter_, kind)})


def test_an_error_says_which_row_which_text_and_where() -> None:
    table = ForwardingTable()
    good = rows_of(["a", "b"], ["a = 1", "b = 2"])
    with pytest.raises(FilterSyntaxError) as raised:
        table.subscribe_batch(pa.concat_tables([good, rows_of(["c", "d"], ["é = 1 OR", "x = 1"])]))
    error = raised.value
    assert (error.row, error.text, error.at) == (2, "é = 1 OR", 8)
    assert str(error).startswith("row 2, column 9: ")


BAD_ROWS: dict[str, tuple[list[Any], list[Any], type[FilterError], str]] = {
    "null filter": (["a", "b"], ["a = 1", None], FilterTypeError, "the filter is null"),
    "null interface": (["a", None], ["a = 1", "b = 2"], FilterTypeError, "the interface is null"),
    "long interface": (["a", "x" * 65_537], ["a = 1", "b = 2"], FilterLimitError, "longer than 64 KiB"),
    "long filter": (["a", "b"], ["a = 1", "b = 2" + " " * 65_536], FilterLimitError, "limit 65,536"),
    "wrong type": (["a", "b"], ["a = 1", "b < true"], FilterTypeError, "bool has no order"),
    "empty": (["a", "b"], ["a = 1", ""], FilterSyntaxError, "the text is empty"),
}


@every_engine
@pytest.mark.parametrize(("names", "texts", "kind", "words"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_a_bad_row_leaves_the_table_as_it_was(
    make_table: Maker, names: list[Any], texts: list[Any], kind: type[FilterError], words: str
) -> None:
    table = make_table()
    table.subscribe("old", "a = 1")
    before = table.stats()
    with pytest.raises(kind, match=words) as raised:
        table.subscribe_batch(rows_of(names, texts))
    assert raised.value.row == 1
    assert content(table) == [("old", "a = 1")]
    after = table.stats()
    assert (after.filters, after.constraints, after.interfaces) == (
        before.filters, before.constraints, before.interfaces)  # fmt: skip
    assert table.match({"a": 1, "b": 2}) == ["old"]


def test_a_filter_that_is_not_utf8_is_shown_as_far_as_it_goes() -> None:
    table = ForwardingTable()
    texts = pa.array([b"a = 1", "é = '\xff".encode("latin-1")], pa.binary()).view(pa.string())
    names = pa.array([b"x", b"x"], pa.binary()).view(pa.string())
    with pytest.raises(FilterSyntaxError, match="not valid UTF-8") as raised:
        table.subscribe_batch(pa.table({"interface": names, "filter": texts}))
    assert (raised.value.row, raised.value.at) == (1, 0)
    assert raised.value.text == "\ufffd = '\ufffd"
    bad_name = pa.array([b"x", b"\xff"], pa.binary()).view(pa.string())
    with pytest.raises(FilterSyntaxError, match="interface's name is not valid UTF-8") as raised:
        table.subscribe_batch(pa.table({"interface": bad_name, "filter": ["a = 1", "b = 2"]}))
    assert raised.value.row == 1
    assert len(table) == 0


def test_the_limits_of_the_table_hold() -> None:
    table = ForwardingTable(limits=Limits(filters=2))
    with pytest.raises(FilterLimitError) as raised:
        table.subscribe_batch(rows_of(["a"] * 2, ["a = 1 OR a = 2", "a = 1 OR b = 2 OR c = 3"]))
    assert raised.value.row == 1


def test_columns_must_be_there_once_and_hold_strings() -> None:
    table = ForwardingTable()
    rows = rows_of(["a"], ["a = 1"])
    with pytest.raises(ArrowError, match="no column is named 'text'; there are 'interface', 'filter'"):
        table.subscribe_batch(rows, filter="text")
    with pytest.raises(ArrowError, match=r"no column is named 'interface'$"):
        table.subscribe_batch(pa.table({}))
    with pytest.raises(ArrowError, match="column 'filter' is of type int64; a column of strings is needed"):
        table.subscribe_batch(rows_of(["a"], [1]))
    with pytest.raises(ArrowError, match="two columns are named 'filter'"):
        table.subscribe_batch(rows.append_column("filter", pa.array(["b = 1"])))
    with pytest.raises(TypeError):
        table.subscribe_batch([("a", "a = 1")])  # type: ignore[arg-type]
    assert len(table) == 0


def test_an_empty_batch_subscribes_nothing() -> None:
    table = ForwardingTable()
    assert table.subscribe_batch(rows_of([], [], pa.string())).tolist() == []
    assert len(table) == 0
