"""A host's sum of entries: told with the first interest that needs them, withdrawn with the last."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structure_world import MESSAGES, PROCESSORS, Sets, topics, worlds

from penstock.errors import FilterError, MessageError, StructureError
from penstock.model import Constraint, Filter, Operator, Predicate
from penstock.structures import Baseball, ContentProcessor, DisjointProcessor, Subscriber


def test_entries_that_two_interests_need_stay_until_both_are_gone() -> None:
    host = Subscriber(DisjointProcessor(Baseball(3)))
    assert len(host.subscribe((0,))) == 3
    assert len(host.subscribe((1,))) == 2
    assert host.subscribe((0, 1)) == []
    assert len(host.unsubscribe((0,))) == 2
    assert host.unsubscribe((0, 1)) == []
    assert len(host.unsubscribe((1,))) == 3


def test_filters_that_two_predicates_share_are_told_once() -> None:
    host = Subscriber(ContentProcessor())
    assert list(map(str, host.subscribe("a = 1 OR b = 2"))) == ["a = 1", "b = 2"]
    assert list(map(str, host.subscribe("b = 2 OR c = 3"))) == ["c = 3"]
    assert list(map(str, host.unsubscribe("a = 1 OR b = 2"))) == ["a = 1"]


def test_a_host_cannot_drop_what_it_does_not_hold() -> None:
    processor = DisjointProcessor(Baseball(3))
    Subscriber(processor).subscribe((0,))
    with pytest.raises(StructureError, match="this host does not hold"):
        Subscriber(processor).unsubscribe((0,))


@pytest.mark.parametrize("kind", PROCESSORS)
@given(world=worlds, data=st.data())
def test_what_is_told_is_what_the_interests_need(kind: str, world: Sets, data: st.DataObject) -> None:
    processor = PROCESSORS[kind](world)
    host: Subscriber[Any, Any, Any, Any] = Subscriber(processor)
    held: list[Any] = []
    told: set[Any] = set()
    for topic in data.draw(st.lists(topics, max_size=8)):
        held.append(topic)
        new = host.subscribe(topic)
        assert told.isdisjoint(new)
        told.update(new)
        if data.draw(st.booleans()):
            gone = host.unsubscribe(held.pop(data.draw(st.integers(0, len(held) - 1))))
            assert told.issuperset(gone)
            told.difference_update(gone)
        again = {entry for each in held for entry in processor.subscribe(each)}
        assert told == again
        for each in held:
            processor.unsubscribe(each)
        for message in MESSAGES:
            assert host.wants(message) == any(message in each for each in held)


@pytest.mark.parametrize("kind", PROCESSORS)
def test_an_interest_is_held_as_often_as_it_was_taken(kind: str) -> None:
    processor, topic = PROCESSORS[kind](Sets()), frozenset({1, 2})
    first = processor.subscribe(topic)
    assert processor.subscribe(topic) == first
    assert processor.unsubscribe(topic) == processor.unsubscribe(topic) == first
    with pytest.raises(StructureError, match="nobody holds the interest"):
        processor.unsubscribe(topic)


A_IS_1 = Constraint("a", Operator.EQ, 1)


@pytest.mark.parametrize("interest", ["a = 1", A_IS_1, Filter([A_IS_1]), Predicate([Filter([A_IS_1])])])
def test_an_interest_in_content_may_be_text_or_value(interest: Any) -> None:
    processor = ContentProcessor()
    assert processor.subscribe(interest) == (Filter([A_IS_1]),)
    assert processor.wants(interest, {"a": 1})
    assert processor.unsubscribe("a = 1") == (Filter([A_IS_1]),)
    with pytest.raises(StructureError, match="nobody holds the interest a = 1"):
        processor.unsubscribe(interest)


def test_content_refuses_what_is_no_filter_and_no_message() -> None:
    processor = ContentProcessor()
    with pytest.raises(FilterError):
        processor.subscribe("a =")
    with pytest.raises(MessageError, match="outside 64 bits"):
        processor.headers({"a": 2**64})


def test_a_message_is_carried_flat_and_without_what_is_absent() -> None:
    assert ContentProcessor().headers({"a": {"b": 1, "c": None}, "d": None}) == ({"a.b": 1},)
