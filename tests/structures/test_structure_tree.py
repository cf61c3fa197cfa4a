"""All formats over a tree of routers deliver the same messages to the same hosts, by bytes alone.

Every header crosses every link encoded. A link carries a message if, and only if, a host beyond it wants it,
and once, but for overlapping categories, of which a link carries a copy for each topic held beyond it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from penstock.structures import (
    Baseball,
    ContentProcessor,
    DisjointProcessor,
    Filters,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
    Processor,
    Subscriber,
    Table,
    Traffic,
)

HOST = "host"
ANY_APPLICATION: dict[str, Callable[[Any], Processor[Any, Any, Any, Any]]] = {
    "overlapping": OverlappingProcessor,
    "disjoint": DisjointProcessor,
    "list": ListProcessor,
    "graph": GraphProcessor,
}
FOR_FILTERS: dict[str, Callable[[Any], Processor[Any, Any, Any, Any]]] = {
    "content": lambda _: ContentProcessor(),
    "overlapping": OverlappingProcessor,
    "list": ListProcessor,
    "graph": GraphProcessor,
}


@dataclass
class Tree:
    """Router 0 is the source; router n has a parent before it, and a host with some interests."""

    parents: list[int]
    interests: list[list[Any]]
    processor: Processor[Any, Any, Any, Any]
    hosts: list[Subscriber[Any, Any, Any, Any]] = field(init=False)
    tables: list[Table[Any, Any]] = field(init=False)

    def __post_init__(self) -> None:
        format_ = self.processor.format
        self.hosts = [Subscriber(self.processor) for _ in self.parents]
        self.tables = [format_.table() for _ in self.parents]
        beyond: list[dict[Any, None]] = [{} for _ in self.parents]
        for router in reversed(range(len(self.parents))):
            own = [entry for each in self.interests[router] for entry in self.hosts[router].subscribe(each)]
            for entry in own:
                self.tables[router].add(HOST, entry)
            beyond[router].update(dict.fromkeys(own))
            if router:
                parent = self.parents[router]
                beyond[parent].update(beyond[router])
                for entry in beyond[router]:
                    self.tables[parent].add(router, format_.decode_entry(format_.encode_entry(entry)))

    def wanted_beyond(self, message: Any) -> set[int]:
        """Routers with a host that wants the message, there or further from the source."""
        found = {router for router, host in enumerate(self.hosts) if host.wants(message)}
        for router in reversed(range(1, len(self.parents))):
            if router in found:
                found.add(self.parents[router])
        return found - {0}

    def publish(self, message: Any) -> tuple[Counter[int], Counter[int]]:
        """How often each host gets the message, and each link carries it."""
        format_ = self.processor.format
        got: Counter[int] = Counter()
        carried: Counter[int] = Counter()
        waiting = [(0, header) for header in self.processor.headers(message)]
        while waiting:
            router, header = waiting.pop()
            for link, sent in self.tables[router].forward(header).items():
                if link == HOST:
                    got[router] += 1
                elif isinstance(link, int):
                    carried[link] += 1
                    waiting.append((link, format_.decode_header(format_.encode_header(sent))))
        return got, carried

    def check(self, message: Any) -> None:
        got, carried = self.publish(message)
        assert set(got) == {router for router, host in enumerate(self.hosts) if host.wants(message)}
        assert set(carried) == self.wanted_beyond(message)
        if self.processor.format.name != "overlapping":
            assert set(got.values()) <= {1}
            assert set(carried.values()) <= {1}


@st.composite
def shapes(draw: st.DrawFn, interests: st.SearchStrategy[Any]) -> tuple[list[int], list[list[Any]]]:
    size = draw(st.integers(1, 6))
    parents = [0, *(draw(st.integers(0, router - 1)) for router in range(1, size))]
    return parents, [draw(st.lists(interests, max_size=3)) for _ in parents]


TEAMS = st.integers(0, 3)
GAMES = st.tuples(TEAMS, TEAMS)
EXITS = st.tuples(st.integers(1, 5), st.integers(2, 6)).filter(lambda exits: exits[0] < exits[1])


def check_all(parents: list[int], interests: list[list[Any]], application: Any, sent: Sequence[Any]) -> None:
    for make in ANY_APPLICATION.values():
        tree = Tree(parents, interests, make(application))
        for message in sent:
            tree.check(message)


@given(shapes(st.just(()) | st.tuples(TEAMS) | GAMES))
def test_every_game_finds_its_hosts_in_every_format(shape: tuple[list[int], list[list[Any]]]) -> None:
    check_all(*shape, Baseball(4), list(Baseball(4).universe()))


@given(shapes(EXITS))
def test_every_alert_finds_its_hosts_in_every_format(shape: tuple[list[int], list[list[Any]]]) -> None:
    check_all(*shape, Traffic(6), list(Traffic(6).universe()))


@pytest.mark.parametrize("name", FOR_FILTERS)
@given(data=st.data())
def test_any_predicate_is_forwarded_by_ids_as_the_oracle_says(name: str, data: st.DataObject) -> None:
    parents, interests = data.draw(shapes(strategies.predicates))
    tree = Tree(parents, interests, FOR_FILTERS[name](Filters()))
    for _ in range(3):
        tree.check(data.draw(strategies.messages_near([each for some in interests for each in some])))
