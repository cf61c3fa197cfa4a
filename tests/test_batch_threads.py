"""Several threads give the answer of one: the same rows in the same order, and the same errors."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import every_engine
from json_text import texts_of
from penstock import ForwardingTable, MessageError
from penstock.errors import ArrowError
from strategies import interfaces, messages_near, predicates
from test_batch_match import about, messages_of, tables
from test_batch_refusals import BAD_VALUES
from test_engines import Subscriptions, fill

Maker = Callable[[], ForwardingTable]
THREADS = [2, 3, 7, 0, 1024]


def answer(table: ForwardingTable, data: pa.Table, **how: Any) -> tuple[list[Any], list[Any]]:
    """Both forms of the answer, checked, with lists in order."""
    forms: list[list[Any]] = []
    for names in (False, True):
        found = table.match_batch(data, names=names, **how)
        found.validate(full=True)
        lists: Any = found if isinstance(found, pa.ListArray) else found.column("interfaces")
        rows = [row and sorted(row) for row in lists.to_pylist()]
        forms.append(rows if isinstance(found, pa.ListArray) else [rows, found.column("error").to_pylist()])
    return forms[0], forms[1]


@given(table=tables(), repeats=st.sampled_from([1, 2, 5, 100]), data=st.data())
def test_threads_change_nothing(table: pa.Table, repeats: int, data: st.DataObject) -> None:
    filters = predicates | about(messages_of(table)[:20])
    wanted: Subscriptions = data.draw(st.lists(st.tuples(interfaces, filters), max_size=8))
    made = ForwardingTable()
    fill(made, wanted)
    whole = pa.concat_tables([table] * repeats)
    for rows in (whole, whole.combine_chunks()):
        assert answer(made, rows, threads=data.draw(st.sampled_from(THREADS))) == answer(made, rows)


@given(repeats=st.sampled_from([1, 40, 200]), encoded=st.booleans(), data=st.data())
def test_threads_change_nothing_for_json(repeats: int, encoded: bool, data: st.DataObject) -> None:
    wanted: Subscriptions = data.draw(st.lists(st.tuples(interfaces, predicates), max_size=5))
    made = ForwardingTable()
    fill(made, wanted)
    near = texts_of(messages_near([predicate for _, predicate in wanted]))
    texts = data.draw(st.lists(near, max_size=4))
    column = pa.array([*texts, b"{", None, b'{"a": [1]}'] * repeats, pa.binary())
    rows = pa.table({"json": column.dictionary_encode() if encoded else column})
    threads = data.draw(st.sampled_from(THREADS))
    assert answer(made, rows, json="json", threads=threads) == answer(made, rows, json="json")


@every_engine
def test_every_engine_takes_threads(make_table: Maker) -> None:
    table = make_table()
    table.subscribe_many([f"i{at}" for at in range(10)], [f"a = {at} OR a > 900" for at in range(10)])
    rows = pa.table({"a": list(range(1000))})
    assert answer(table, rows, threads=4) == answer(table, rows)


@pytest.mark.parametrize("column", BAD_VALUES.values(), ids=BAD_VALUES)
@pytest.mark.parametrize("before", [10, 700])
def test_the_error_is_that_of_one_thread(column: Any, before: int) -> None:
    table = ForwardingTable()
    table.subscribe("it", "EXISTS it")
    good = pa.table({"it": column, "other": column}).slice(0, 1)
    late = pa.table({"it": column, "other": pa.concat_arrays([column.slice(0, 1)] * 2)})
    early = late.rename_columns(["other", "it"]).select(["it", "other"])
    data = pa.concat_tables([*[good] * before, early, *[good] * 300, late])
    for rows in (data, data.combine_chunks()):
        said = []
        for threads in (1, 4):
            with pytest.raises(MessageError) as raised:
                table.match_batch(rows, threads=threads)
            said.append((str(raised.value), raised.value.row, raised.value.attribute))
        assert said[0] == said[1]


def test_other_errors_are_those_of_one_thread_too() -> None:
    table = ForwardingTable()
    rows = pa.table({"t": pa.array([0] * 500, pa.timestamp("s"))})
    with pytest.raises(MessageError, match="is a column of type timestamp"):
        table.match_batch(rows, threads=4)
    with pytest.raises(ArrowError, match="json"):
        table.match_batch(rows, json="json", threads=4)


@pytest.mark.parametrize(
    ("threads", "error"),
    [(-1, ValueError), (1025, ValueError), (2**70, ValueError), (1.5, TypeError), ("2", TypeError)],
)
def test_a_number_of_threads_is_needed(threads: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        ForwardingTable().match_batch(pa.table({"a": [1]}), threads=threads)


def test_names_are_those_of_the_moment() -> None:
    """Ids of interfaces that come and go are given out again; a name is still that of who wanted the row."""
    table = ForwardingTable()
    table.subscribe("always", "a >= 0")
    rows = pa.table({"a": [1] * 1000 + [2] * 1000})
    done = threading.Event()
    wrong: list[Any] = []

    def watch() -> None:
        while not done.is_set():
            found: list[Any] = table.match_batch(rows, names=True, threads=3).to_pylist()
            wrong.extend(row for row in found[:1000] if not {"always"} <= set(row) <= {"always", "one"})
            wrong.extend(row for row in found[1000:] if not {"always"} <= set(row) <= {"always", "two"})

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(300):
        table.unsubscribe(table.subscribe("one", "a = 1"))
        table.unsubscribe(table.subscribe("two", "a = 2"))
    done.set()
    watcher.join()
    assert wrong == []
