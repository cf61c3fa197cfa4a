"""`only` restricts a match to some interfaces, and changes nothing else about it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import MAKERS, every_engine
from penstock import ForwardingTable, MessageError
from penstock.model import Predicate
from strategies import interfaces, messages_near, predicates

Maker = Callable[[], ForwardingTable]
subscriptions = st.lists(st.tuples(interfaces, predicates), max_size=8)
choices = st.lists(interfaces | st.sampled_from(["nobody", "", "\ud800"]), max_size=6)


@pytest.fixture
def table() -> ForwardingTable:
    table = ForwardingTable()
    table.subscribe_many(["alice", "bob", "carol"], ["price < 500", "price < 300", "price > 900"])
    return table


@given(subscriptions, choices, st.data())
def test_the_answer_is_that_of_match_among_the_chosen(
    wanted: Sequence[tuple[str, Predicate]], only: list[str], data: st.DataObject
) -> None:
    message = data.draw(messages_near([predicate for _, predicate in wanted]))
    for make in MAKERS.values():
        table = make()
        for interface, predicate in wanted:
            table.subscribe(interface, predicate)
        expected = [name for name in table.match(message) if name in only]
        assert table.match(message, only=only) == expected
        ids = table.match_ids(message, only=only)
        assert ids.dtype == table.match_ids(message).dtype
        assert [table.interfaces.name_of(number) for number in ids] == expected


@pytest.mark.parametrize(
    "make", [set, frozenset, list, tuple, iter, dict.fromkeys], ids=lambda make: make.__name__
)
def test_any_collection_of_names_will_do(table: ForwardingTable, make: Callable[[list[str]], Any]) -> None:
    assert table.match({"price": 100}, only=make(["bob", "carol"])) == ["bob"]
    assert table.match_ids({"price": 100}, only=make(["bob", "carol"])).tolist() == [table.interfaces["bob"]]


def test_none_is_no_restriction_and_an_empty_collection_leaves_nothing(table: ForwardingTable) -> None:
    assert sorted(table.match({"price": 100}, only=None)) == ["alice", "bob"]
    assert table.match({"price": 100}, only=[]) == []
    assert table.match_ids({"price": 100}, only=set()).tolist() == []


@every_engine
def test_tenants_come_and_go(make_table: Maker) -> None:
    table = make_table()
    first = table.subscribe("alice", "a = 1")
    table.unsubscribe(first)
    table.subscribe("bob", "a = 1")  # takes over the id
    assert table.match({"a": 1}, only={"alice"}) == []
    assert table.match({"a": 1}, only={"alice", "bob"}) == ["bob"]


@pytest.mark.parametrize(
    ("only", "says"),
    [
        ("alice", "not a single str"),
        ([1], "those are str, not int"),
        ([None], "those are str, not NoneType"),
        (b"alice", "those are str, not int"),
        (5, "not iterable"),
    ],
)
def test_what_is_no_collection_of_names_is_refused(table: ForwardingTable, only: Any, says: str) -> None:
    for match in (table.match, table.match_ids):
        with pytest.raises(TypeError, match=says):
            match({"price": 100}, only=only)


def test_a_bad_message_is_refused_whatever_is_chosen(table: ForwardingTable) -> None:
    for only in ([], ["alice"], ["nobody"]):
        with pytest.raises(MessageError):
            table.match({"price": [1]}, only=only)


def test_names_that_cannot_be_read_to_the_end_raise_their_own_error(table: ForwardingTable) -> None:
    def names() -> Iterator[str]:
        yield "alice"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        table.match({"price": 100}, only=names())
    assert table.match({"price": 100}, only=["alice"]) == ["alice"]


def test_hostile_names_may_change_the_table_meanwhile(table: ForwardingTable) -> None:
    def names() -> Iterator[str]:
        for number, _, _ in list(table.subscriptions()):
            table.unsubscribe(number)
        table.subscribe("late", "TRUE")
        assert table.match({"price": 100}, only={"late"}) == ["late"]
        yield "late"
        yield "alice"

    assert table.match({"price": 100}, only=names()) == ["late"]
