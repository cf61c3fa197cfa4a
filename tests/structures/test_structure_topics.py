"""Processors say what their live ids stand for: enough to make the same headers elsewhere."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structure_world import MESSAGES, Sets, Topic, topics, worlds

from penstock.structures import Categories, GraphProcessor, ListProcessor, OverlappingProcessor


@pytest.mark.parametrize("make", [OverlappingProcessor, ListProcessor, GraphProcessor])
@given(world=worlds, held=st.lists(topics), data=st.data())
def test_topics_make_the_headers(make: Any, world: Sets, held: list[Topic], data: st.DataObject) -> None:
    processor = make(world)
    for topic in held:
        processor.subscribe(topic)
    gone = data.draw(st.lists(st.sampled_from(range(len(held))), unique=True)) if held else []
    for number in gone:
        processor.unsubscribe(held[number])
    for message in MESSAGES:
        wanted = tuple(sorted(id_ for id_, topic in processor.topics.items() if message in topic))
        headers = processor.headers(message)
        assert (headers if make is OverlappingProcessor else sum(headers, ())) == wanted


def test_categories_can_be_made_again_from_what_is_above() -> None:
    parents = {"a": [], "b": ["a"], "c": ["b"], "d": ["a", "c"]}
    categories = Categories(parents, labels=2)
    assert categories.above["d"] == {"a", "b", "c", "d"}
    again = Categories({name: above - {name} for name, above in categories.above.items()}, labels=2)
    assert (again.above, again.labels) == (categories.above, 2)
    assert list(again.universe()) == list(categories.universe())
