"""Every table against brute force, under churn: which links want a message, and what header goes there."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from structure_world import MESSAGES, PROCESSORS, AnyProcessor, Sets, Topic, links, topics, worlds

from penstock.errors import StructureError
from penstock.model import Filter
from penstock.structures import CONTENT, DISJOINT, GRAPH, LIST, OVERLAPPING, Format, Link, Place, Table


class Churn(RuleBasedStateMachine):
    """Links come to hold topics and drop them; after each step every message finds exactly its links."""

    kind = ""
    processor: AnyProcessor
    table: Table[Any, Any]

    @initialize(world=worlds)
    def start(self, world: Sets) -> None:
        self.processor = PROCESSORS[self.kind](world)
        self.table = self.processor.format.table()
        self.held: list[tuple[Link, Topic]] = []
        self.entries: Counter[tuple[Link, Any]] = Counter()

    @rule(link=links, topic=topics)
    def subscribe(self, link: Link, topic: Topic) -> None:
        self.held.append((link, topic))
        for entry in self.processor.subscribe(topic):
            self.entries[link, entry] += 1
            if self.entries[link, entry] == 1:
                self.table.add(link, entry)
            else:
                with pytest.raises(StructureError, match="already"):
                    self.table.add(link, entry)

    @rule(data=st.data())
    def unsubscribe(self, data: st.DataObject) -> None:
        if not self.held:
            return
        link, topic = self.held.pop(data.draw(st.integers(0, len(self.held) - 1)))
        for entry in self.processor.unsubscribe(topic):
            self.entries[link, entry] -= 1
            if not self.entries[link, entry]:
                del self.entries[link, entry]
                self.table.remove(link, entry)
                with pytest.raises(StructureError, match="does not hold"):
                    self.table.remove(link, entry)

    @invariant()
    def every_message_finds_its_links(self) -> None:
        for message in MESSAGES:
            found: set[Link] = set()
            for header in self.processor.headers(message):
                answer = self.table.forward(header)
                found.update(answer)
                for sent in answer.values():
                    assert self.processor.format.size(sent) >= 1
            assert found == {link for link, topic in self.held if message in topic}

    @invariant()
    def distinct_entries_are_counted(self) -> None:
        assert self.table.ids() == len({entry for _, entry in self.entries})

    @invariant()
    def a_fresh_table_answers_alike(self) -> None:
        fresh = self.processor.format.table()
        for link, entry in self.entries:
            fresh.add(link, entry)
        for message in MESSAGES:
            for header in self.processor.headers(message):
                assert self.table.forward(header) == fresh.forward(header)


def machine(name: str) -> Any:
    return type(name, (Churn,), {"kind": name}).TestCase  # type: ignore[attr-defined]


TestOverlapping = machine("overlapping")
TestDisjoint = machine("disjoint")
TestList = machine("list")
TestGraph = machine("graph")

ENTRIES: list[tuple[Format[Any, Any], Any]] = [
    (CONTENT, Filter()), (DISJOINT, 1), (GRAPH, Place(1)), (LIST, 1), (OVERLAPPING, 1),
]  # fmt: skip


@pytest.mark.parametrize(("format_", "entry"), ENTRIES, ids=lambda each: getattr(each, "name", ""))
def test_a_table_refuses_what_is_held_already_or_not_at_all_and_stays_as_it_was(
    format_: Format[Any, Any], entry: Any
) -> None:
    table = format_.table()
    with pytest.raises(StructureError, match="link 'north' does not hold"):
        table.remove("north", entry)
    table.add("north", entry)
    with pytest.raises(StructureError, match=r"link 'north' holds .* already"):
        table.add("north", entry)
    with pytest.raises(StructureError, match="link 'south' does not hold"):
        table.remove("south", entry)
    assert table.ids() == 1
    table.remove("north", entry)
    assert table.ids() == 0


def test_a_list_is_pruned_to_what_a_link_holds() -> None:
    table = LIST.table()
    for link, id_ in [("north", 1), ("north", 3), ("south", 2), ("south", 3)]:
        table.add(link, id_)
    assert table.forward((1, 2, 3, 4)) == {"north": (1, 3), "south": (2, 3)}
    assert table.forward((4, 5)) == {}
