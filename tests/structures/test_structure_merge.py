"""Headers for two links that are one on the way: routers beyond either decide as with its own header."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structure_world import MESSAGES, PROCESSORS, AnyProcessor, Sets, Topic, topics, worlds

from penstock.model import Filter
from penstock.structures import CONTENT, Table

held_by = st.lists(st.tuples(st.sampled_from("ab"), topics), max_size=8)


def tables(processor: AnyProcessor, held: list[tuple[str, Topic]]) -> tuple[Table[Any, Any], ...]:
    """The router, and those beyond its links a and b."""
    here, *beyond = (processor.format.table() for _ in range(3))
    told = {(link, entry): topic for link, topic in held for entry in processor.subscribe(topic)}
    for (link, entry), topic in told.items():
        here.add(link, entry)
        beyond["ab".index(link)].add(tuple(topic), entry)
    return here, *beyond


@pytest.mark.parametrize("kind", PROCESSORS)
@given(world=worlds, held=held_by)
def test_merged_headers_say_what_each_says(kind: str, world: Sets, held: list[tuple[str, Topic]]) -> None:
    processor = PROCESSORS[kind](world)
    here, *beyond = tables(processor, held)
    merge = processor.format.merge
    for message in MESSAGES:
        for header in processor.headers(message):
            answer = here.forward(header)
            if len(answer) < 2:
                continue
            both = merge(answer["a"], answer["b"])
            assert merge(answer["b"], answer["a"]) == both
            for link, table in zip("ab", beyond, strict=True):
                assert table.forward(both).keys() == table.forward(answer[link]).keys()


def test_full_messages_stay_as_they_are() -> None:
    table = CONTENT.table()
    for link in "ab":
        table.add(link, Filter([]))
    answer = table.forward({"price": 5})
    assert CONTENT.merge(answer["a"], answer["b"]) == {"price": 5}
