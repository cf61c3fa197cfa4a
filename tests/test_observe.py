"""Observing messages changes how much work a match is, and never what it finds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import MAKERS, every_engine
from penstock import ForwardingTable, MessageError
from penstock.model import Predicate
from strategies import interfaces, messages_near, predicates
from test_batch_match import messages_of, tables
from test_engines import expected

Maker = Callable[[], ForwardingTable]
HOT = [{"a": "x", "b": f"z{at}"} for at in range(200)]
# Filters ask for more values of a than of b, while messages all have the same one.
MISLEADING = (
    [f"i{at}" for at in range(100)],
    [f"a = 'x{'' if at == 7 else at}' AND b = 'y{at % 10}'" for at in range(100)],
)


class Pair:
    """Two tables that are always told the same."""

    def __init__(self) -> None:
        self.one, self.other = ForwardingTable(), ForwardingTable()
        self.held: dict[int, tuple[str, Predicate]] = {}

    def subscribe(self, interface: str, predicate: Predicate) -> None:
        number = self.one.subscribe(interface, predicate)
        assert self.other.subscribe(interface, predicate) == number
        self.held[number] = interface, predicate

    def unsubscribe(self, number: int) -> None:
        self.one.unsubscribe(number)
        self.other.unsubscribe(number)
        del self.held[number]

    def observe(self, messages: list[Any]) -> None:
        self.one.observe(messages)
        self.other.observe(iter(messages))

    def check(self, message: Any) -> None:
        answer = expected(list(self.held.values()), message)
        assert sorted(self.one.match(message)) == answer
        assert sorted(self.other.match(message)) == answer
        assert self.one.trace(message) == self.other.trace(message)


@given(st.data())
def test_matches_are_the_same_whatever_was_observed(data: st.DataObject) -> None:
    pair = Pair()
    for _ in range(data.draw(st.integers(1, 4))):
        for interface, predicate in data.draw(st.lists(st.tuples(interfaces, predicates), max_size=4)):
            pair.subscribe(interface, predicate)
        if len(pair.held) > data.draw(st.integers(0, 3)):
            pair.unsubscribe(data.draw(st.sampled_from(sorted(pair.held))))
        near = messages_near([predicate for _, predicate in pair.held.values()])
        seen = data.draw(st.lists(near, max_size=3))
        pair.observe(seen * data.draw(st.sampled_from([1, 20])))
        for message in [*seen, data.draw(near)]:
            pair.check(message)
    assert pair.one.stats().bytes == pair.other.stats().bytes
    for number in list(pair.held):
        pair.unsubscribe(number)
    assert pair.one.match({"a": 1}) == []


@given(table=tables(), data=st.data())
def test_rows_of_a_table_teach_what_their_messages_do(table: pa.Table, data: st.DataObject) -> None:
    messages = messages_of(table)
    near = messages_near([])
    by_rows, by_messages = ForwardingTable(), ForwardingTable()
    for interface, predicate in data.draw(st.lists(st.tuples(interfaces, predicates), max_size=6)):
        by_rows.subscribe(interface, predicate)
        by_messages.subscribe(interface, predicate)
    by_rows.observe(table)
    by_messages.observe(messages)
    for message in [*messages[:3], data.draw(near)]:
        assert by_rows.trace(message) == by_messages.trace(message)
        assert sorted(by_rows.match(message)) == sorted(by_messages.match(message))


@pytest.mark.parametrize("data", [HOT, tuple(HOT), pa.Table.from_pylist(HOT)], ids=["list", "tuple", "arrow"])
def test_learning_pays(data: Any) -> None:
    table = ForwardingTable()
    table.subscribe_many(*MISLEADING)
    before = table.trace({"a": "x", "b": "z"})["candidates"]
    table.observe(data)
    assert table.trace({"a": "x", "b": "z"})["candidates"] == 0
    assert before > 0
    assert table.match({"a": "x", "b": "y7"}) == ["i7"]
    assert table.match({"a": "x9", "b": "y9"}) == ["i9"]


def test_that_a_name_has_few_values_shows_in_the_table_itself() -> None:
    random = Random(5)
    texts = [f"level = 'l{random.randrange(4)}' AND zone = 'z{random.randrange(60)}'" for _ in range(4_000)]
    table = ForwardingTable()
    table.subscribe_many([str(n) for n in range(len(texts))], texts)
    # A thousand filters ask for a level, some 67 for a zone.
    assert table.trace({"level": "l1", "zone": "z7"})["candidates"] < 200


@pytest.mark.parametrize(
    "shared", ["path STARTS WITH '/var'", "path ENDS WITH '.log'", "path = '/var/x.log'"]
)
def test_a_condition_that_thousands_share_is_still_one_to_stand_under(shared: str) -> None:
    table = ForwardingTable()
    table.subscribe_many([f"i{n}" for n in range(2_000)], [shared] * 2_000)
    table.subscribe("one", f"{shared} AND NOT EXISTS b")
    assert table.trace({"a": 1})["candidates"] == 0
    assert "one" in table.match({"path": "/var/x.log"})


def test_filters_stand_under_long_beginnings_rather_than_under_one_of_few_values() -> None:
    paths = [f"/{word}/{number:06}" for word in ("ash", "birch", "cedar") for number in range(1_000)]
    texts = [f"level = 'l{n % 5}' AND path STARTS WITH '{path}'" for n, path in enumerate(paths)]
    table = ForwardingTable()
    table.subscribe_many([f"i{n}" for n in range(len(texts))], texts)
    assert table.trace({"level": "l1", "path": "/birch/000501/x"})["candidates"] <= 2


def test_what_was_learned_counts_for_later_subscriptions_too() -> None:
    table = ForwardingTable()
    table.subscribe_many(["n", "n"], ["a = 'q'", "b = 'q'"])
    table.observe(HOT)
    table.subscribe_many(*MISLEADING)
    assert table.trace({"a": "x", "b": "z"})["candidates"] == 0


def test_nothing_is_believed_of_names_that_were_not_asked_for() -> None:
    table = ForwardingTable()
    table.subscribe("n", "rare = 'q'")
    table.observe([{"late": "x"}] * 200)
    table.subscribe("it", "late = 'x' AND rare = 'y'")
    assert table.trace({"late": "x"})["candidates"] == 0


BAD: dict[str, tuple[Any, type[Exception], str]] = {
    "a bad value": ([{"a": "x"}, {"a": 2**63}], MessageError, "row 1, attribute 'a'"),
    "a bad column": (pa.table({"a": ["x"], "t": pa.array([0], pa.timestamp("s"))}), MessageError, "'t'"),
    "a bad row": (pa.table({"n": pa.array([1, 2**64 - 1], pa.uint64())}), MessageError, "row 1"),
    "no message": ([{"a": "x"}, 5], TypeError, "a message is a mapping"),
    "one message": ({"a": "x"}, TypeError, "put a single one into a list"),
    "no iterable": (5, TypeError, "Arrow data or an iterable of messages, not int"),
    "None": (None, TypeError, "not NoneType"),
    "a text": ("ab", TypeError, "a message is a mapping"),
}  # fmt: skip


@every_engine
@pytest.mark.parametrize(("data", "error", "text"), BAD.values(), ids=BAD)
def test_bad_messages_teach_nothing(make_table: Maker, data: Any, error: type[Exception], text: str) -> None:
    table = make_table()
    table.subscribe("it", "a = 'x' AND b = 'y' AND n = 1")
    before = table.stats()
    with pytest.raises(error, match=text):
        table.observe(data)
    assert table.stats() == before


def test_an_error_of_the_iterable_itself_is_passed_on() -> None:
    def failing() -> Iterator[dict[str, Any]]:
        yield {"a": 1}
        raise KeyError("mine")

    table = ForwardingTable()
    table.subscribe("it", "a = 1 AND b = 2")
    before = table.stats()
    with pytest.raises(KeyError, match="mine"):
        table.observe(failing())
    assert table.stats() == before


def test_the_iterable_may_use_the_table() -> None:
    table = ForwardingTable()

    def subscribing() -> Iterator[dict[str, Any]]:
        for at in range(20):
            table.subscribe(f"i{at}", f"a = 'x' AND b = {at}")
            yield {"a": "x"}
            assert table.match({"a": "x", "b": at}) == [f"i{at}"]

    table.observe(subscribing())
    assert len(table) == 20


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "access"])
def test_the_counting_engines_have_nothing_to_learn(name: str) -> None:
    table = MAKERS[name]()
    table.subscribe_many(["i", "j"], ["a = 'x' AND b = 'y'", "a = 'x'"])
    before, work = table.stats(), table.trace(HOT[0])
    table.observe(HOT)
    table.observe(pa.Table.from_pylist(HOT))
    assert (table.stats(), table.trace(HOT[0])) == (before, work)


def test_messages_are_not_kept() -> None:
    table = ForwardingTable()
    table.subscribe("it", "a = 'x' AND b = 'y'")
    text = "".join(["it ", "is ", "long ", "enough"])
    count = sys.getrefcount(text)
    table.observe([{"a": text}] * 10)
    assert sys.getrefcount(text) == count


def test_long_values_are_counted_in_the_weight_of_the_table() -> None:
    table = ForwardingTable()
    table.subscribe("it", "a = 'x' AND b = 'y'")
    table.observe([{"a": "x"}] * 16)
    before = table.stats().bytes["statistics"]
    table.observe([{"b": "y" * 60_000}] * 16)
    assert table.stats().bytes["statistics"] > before + 16 * 60_000
