"""An application in which any order can arise: messages are small numbers, topics are sets of them.

Its covering can be made unsure, as that of filters is: of the pairs it should know it denies some.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from hypothesis import strategies as st

from penstock.structures import (
    DisjointProcessor,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
    Processor,
    Scan,
)

MESSAGES = range(6)
Topic: TypeAlias = frozenset[int]
AnyProcessor: TypeAlias = Processor[Topic, int, Any, Any]


@dataclass(frozen=True, slots=True)
class Sets:
    """Denies every pair whose sum has one of the `doubts` as remainder."""

    doubts: frozenset[int] = frozenset()

    def topic(self, interest: Topic) -> Topic:
        return interest

    def wants(self, topic: Topic, message: int) -> bool:
        return message in topic

    def covers(self, one: Topic, other: Topic) -> bool:
        doubted = (3 * sum(one) + 5 * sum(other) + len(one)) % 7 in self.doubts
        return one >= other and (one == other or not doubted)

    def universe(self) -> Iterable[int]:
        return MESSAGES

    def index(self) -> Scan[Topic, int]:
        return Scan(self.wants)


topics = st.frozensets(st.sampled_from(MESSAGES))
messages = st.sampled_from(MESSAGES)
worlds = st.builds(Sets, st.frozensets(st.integers(0, 6), max_size=4))
links: st.SearchStrategy[Hashable] = st.sampled_from(["north", "south", 3, ("host", 4)])

PROCESSORS: dict[str, Callable[[Sets], AnyProcessor]] = {
    "overlapping": OverlappingProcessor,
    "disjoint": DisjointProcessor,
    "list": ListProcessor,
    "graph": GraphProcessor,
}
