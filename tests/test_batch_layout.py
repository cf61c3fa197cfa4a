"""Where values lie changes nothing: dictionaries of any make, slices, many columns, blocks of 64 rows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from batches import names_of
from engines import MAKERS, every_engine
from penstock import ForwardingTable
from strategies import interfaces, predicates, strings
from test_batch_match import Maker, about, messages_of
from test_engines import Subscriptions, expected, fill

INDEX_TYPES = [getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)]
TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view()]
# Rows are looked at 64 at a time, and 512 are looked over at once.
EDGES = [1, 63, 64, 65, 127, 128, 129, 511, 512, 513, 577]


@st.composite
def dictionaries(draw: st.DrawFn, rows: int) -> pa.Array[Any]:
    """Entries may be null, occur twice or never; the dictionary and the indices may be slices."""
    entries = draw(st.lists(st.none() | strings, min_size=1, max_size=6))
    spare = draw(st.integers(0, 2))
    values: Any = pa.array([*[None] * spare, *entries, "unused"], draw(st.sampled_from(TEXT_TYPES)))
    picks = st.none() | st.integers(0, len(entries) - 1)
    pool = draw(st.lists(picks, min_size=1, max_size=8))
    chosen = [pool[at % len(pool)] for at in range(rows)]
    before = draw(st.integers(0, 9))
    indices = pa.array([*[None] * before, *chosen], draw(st.sampled_from(INDEX_TYPES)))
    column: pa.Array[Any] = pa.DictionaryArray.from_arrays(indices.slice(before), values.slice(spare))
    return column


@given(rows=st.integers(1, 8) | st.sampled_from([64, 65, 130]), data=st.data())
def test_a_dictionary_means_what_its_strings_mean(rows: int, data: st.DataObject) -> None:
    encoded = pa.table({name: data.draw(dictionaries(rows)) for name in ("a", "b")})
    decoded = pa.table({name: pa.array(encoded[name].to_pylist(), pa.string()) for name in ("a", "b")})
    messages = messages_of(decoded)
    wanted: Subscriptions = data.draw(
        st.lists(st.tuples(interfaces, predicates | about(messages)), max_size=6)
    )
    answers = [expected(wanted, message) for message in messages]
    event("something matches" if any(answers) else "nothing matches")
    for name, make in MAKERS.items():
        made = make()
        fill(made, wanted)
        assert names_of(made, encoded) == answers, name
        assert names_of(made, decoded) == answers, name


@every_engine
@pytest.mark.parametrize("rows", [3, 3000])
def test_a_dictionary_may_be_larger_than_its_column(make_table: Maker, rows: int) -> None:
    table = make_table()
    table.subscribe_many(["one", "two", "many"], ["a = 'v1'", "a ENDS WITH 'v2'", "a > 'v5'"])
    entries = pa.array([f"v{n}" for n in range(1000)])
    column = pa.DictionaryArray.from_arrays(pa.array([n % 7 for n in range(rows)], pa.int16()), entries)
    cycle = [[], ["one"], ["two"], [], [], [], ["many"]]
    assert names_of(table, pa.table({"a": column})) == [cycle[n % 7] for n in range(rows)]


@every_engine
@pytest.mark.parametrize("rows", EDGES)
def test_every_row_has_its_own_nulls(make_table: Maker, rows: int) -> None:
    table = make_table()
    names = ["none", "third", "first", "last", "all", "text"]
    table.subscribe_many(
        [f"i{n}" for n, _ in enumerate(names)] + ["absent"],
        [f"EXISTS {name}" for name in names] + ["NOT EXISTS third"],
    )
    present: dict[str, Callable[[int], bool]] = {
        "none": lambda _: False,
        "third": lambda row: row % 3 == 0,
        "first": lambda row: row == 0,
        "last": lambda row: row == rows - 1,
        "all": lambda _: True,
        "text": lambda row: row % 64 in {0, 63},
    }
    columns: dict[str, pa.Array[Any]] = {}
    for name, has in present.items():
        value: Any = "x" if name == "text" else 1
        columns[name] = pa.array([value if has(row) else None for row in range(rows)])
    columns["none"] = pa.nulls(rows, pa.int32())
    data = pa.table(columns)
    answers = [
        [f"i{n}" for n, name in enumerate(names) if present[name](row)] + ["absent"] * (row % 3 != 0)
        for row in range(rows)
    ]
    answers = [sorted(answer) for answer in answers]
    assert names_of(table, data) == answers
    for start in {0, 1, rows // 2, rows - 1}:
        assert names_of(table, data.slice(start)) == answers[start:]
        assert names_of(table, data.slice(0, start)) == answers[:start]


@pytest.mark.parametrize(("columns", "share"), [(2000, 0.005), (300, 1.0), (40, 0.5)])
def test_many_columns_are_matched_as_their_rows_are(columns: int, share: float) -> None:
    random = Random(7)
    table = ForwardingTable()
    for n in range(500):
        name = f"c{random.randrange(columns)}"
        table.subscribe(
            f"i{n}", f"{name} = {random.randrange(5)} OR {name} CONTAINS 'v{random.randrange(5)}'"
        )

    def column(n: int, rows: int) -> pa.Array[Any]:
        values = [random.randrange(5) if random.random() < share else None for _ in range(rows)]
        if n % 3 == 0:
            return pa.array(values, pa.int64())
        texts = pa.array([None if value is None else f"v{value}" for value in values], pa.string())
        return texts if n % 3 == 1 else texts.dictionary_encode()

    data = pa.table({f"c{n}": column(n, 200) for n in range(columns)})
    answers = [sorted(table.match(message)) for message in data.to_pylist()]
    assert any(answers)
    assert names_of(table, data) == answers
    assert names_of(table, data.slice(3, 150)) == answers[3:153]


def test_columns_that_no_filter_names_are_still_checked() -> None:
    table = ForwardingTable()
    table.subscribe("it", "a = 1")
    bad = pa.array([None, 2**64 - 1], pa.uint64())
    with pytest.raises(ValueError, match=r"'b'.*outside 64 bits"):
        table.match_batch(pa.table({"a": [1, 1], "b": bad}))


def test_long_strings_and_others_lie_side_by_side() -> None:
    table = ForwardingTable()
    table.subscribe("long", "s ENDS WITH 'xy'")
    for kind in TEXT_TYPES:
        column: Any = pa.array(["x" * 65_534 + "xy", None, "é" * 32_768, "", "xy"], kind)
        assert names_of(table, pa.table({"s": column})) == [["long"], [], [], [], ["long"]]


class Flipping:
    """Subscribes and unsubscribes all the while, so that names and values come, go and take others' ids."""

    def __init__(self, table: ForwardingTable, rounds: int) -> None:
        self.table, self.rounds = table, rounds
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        random = Random(11)
        for n in range(self.rounds):
            other = f"n{random.randrange(50)} = 't{random.randrange(50)}'"
            ids = self.table.subscribe_many(
                ["odd", "even", "noise"],
                ["text = 'odd' AND number >= 0", "text = 'even' AND number >= 0", other],
            )
            if n % 2:
                ids = ids[::-1]
            for each in ids.tolist():
                self.table.unsubscribe(each)
        self.done.set()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_sees_a_table_that_stands_still(threads: int) -> None:
    """Whatever a batch remembers of names and values while it runs is true as long as it runs."""
    table = ForwardingTable()
    table.subscribe("always", "number >= 0")
    rows = 2000
    texts = np.where(np.arange(rows) % 2 == 0, "even", "odd")
    column: Any = pa.array(texts.tolist())
    data = {
        "plain": pa.table({"number": np.arange(rows), "text": column}),
        "dictionary": pa.table({"number": np.arange(rows), "text": column.dictionary_encode()}),
    }
    flipping = Flipping(table, 400)
    flipping.thread.start()
    wrong: list[Any] = []
    while not flipping.done.is_set():
        for batch in data.values():
            found: list[Any] = table.match_batch(batch, names=True, threads=threads).to_pylist()
            for parity, allowed in enumerate(("even", "odd")):
                seen = {frozenset(row) for row in found[parity::2]}
                wrong += [row for row in seen if not {"always"} <= row <= {"always", allowed}]
                if threads == 1 and len(seen) > 1:
                    wrong.append(seen)
    flipping.thread.join()
    assert wrong == []
