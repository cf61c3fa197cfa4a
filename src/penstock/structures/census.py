"""A census of one source's tree: what its routers hold, and what its links carry, in any format.

It counts as the match-structure paper does, without time and without covering: ids join on their way up the
shortest-path tree, a subscription is passed on as it is, and messages flow down to where they are wanted.
"""

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final, Generic, TypeVar

from penstock.errors import StructureError
from penstock.structures.format import Link, Processor, Table

__all__ = ["HOSTS", "Census", "Load", "SourceTree", "shortest_path_tree"]

N = TypeVar("N", bound=Hashable)

HOSTS: Final = "hosts"  # the link of a router to its own subscribers


def shortest_path_tree(graph: Mapping[N, Iterable[N]], source: N) -> dict[N, N]:
    """For each router but the source its next hop towards it, nearest first; any of equal paths."""
    hops: dict[N, N] = {}
    waiting = deque([source])
    while waiting:
        router = waiting.popleft()
        for neighbour in graph[router]:
            if neighbour not in hops and neighbour != source:
                hops[neighbour] = router
                waiting.append(neighbour)
    return hops


@dataclass(frozen=True, slots=True)
class Load:
    """One column of the paper's first table."""

    notifications_per_link: float
    ids_per_subscription: float
    ids_per_table: float
    ids_per_notification: float


@dataclass(frozen=True, slots=True)
class Census(Generic[N]):
    """Counts by router; a link is known by its router away from the source."""

    source: N
    subscriptions: tuple[int, ...]  #: ids in each
    tables: Mapping[N, int]  #: ids in each
    carried: Mapping[N, int]  #: messages on each link
    carried_ids: Mapping[N, int]  #: and the ids in their headers

    def typical(self) -> Load:
        """Means over all: links, subscriptions, tables, messages on links."""
        links, messages = len(self.tables) - 1, sum(self.carried.values())
        return Load(
            messages / links if links else 0.0,
            fmean(self.subscriptions) if self.subscriptions else 0.0,
            fmean(self.tables.values()),
            sum(self.carried_ids.values()) / messages if messages else 0.0,
        )

    def heaviest(self) -> Load:
        """The busiest link (of equals, that with most ids), and the source's table, which all ids reach."""
        busiest = max(
            self.carried, key=lambda link: (self.carried[link], self.carried_ids[link]), default=None
        )
        return Load(
            0.0 if busiest is None else self.carried[busiest],
            fmean(self.subscriptions) if self.subscriptions else 0.0,
            self.tables[self.source],
            0.0 if busiest is None else self.carried_ids[busiest] / self.carried[busiest],
        )


class SourceTree(Generic[N]):
    """The routers of a tree and their tables, each filled with what lies further from the source."""

    __slots__ = ("_processor", "hops", "source", "subscriptions", "tables")

    def __init__(
        self,
        processor: Processor[Any, Any, Any, Any],
        source: N,
        hops: dict[N, N],
        interests: Iterable[tuple[N, Any]],
    ) -> None:
        """Hops as shortest_path_tree gives them; interests with the router of the subscriber."""
        self._processor = processor
        self.source = source
        self.hops = hops
        self.tables: dict[N, Table[Any, Any]] = {
            router: processor.format.table() for router in (source, *hops)
        }
        self.subscriptions: list[tuple[N, tuple[Any, ...]]] = []
        held: dict[N, dict[Any, None]] = {router: {} for router in self.tables}
        for router, interest in interests:
            if router not in self.tables:
                raise StructureError(f"router {router!r} has no way to the source {source!r}")
            entries = tuple(processor.subscribe(interest))
            self.subscriptions.append((router, entries))
            held[router].update(dict.fromkeys(entries))
        self._fill(held)

    def _fill(self, held: dict[N, dict[Any, None]]) -> None:
        for router, table in self.tables.items():
            for entry in held[router]:
                table.add(HOSTS, entry)
        for router, hop in reversed(self.hops.items()):
            for entry in held[router]:
                self.tables[hop].add(router, entry)
            held[hop].update(held[router])

    def flow(self, header: Any) -> Iterator[tuple[N, Any]]:
        """Each link that a message with this header crosses, and the header there."""
        waiting: list[tuple[Any, Any]] = [(self.source, header)]
        while waiting:
            router, arrived = waiting.pop()
            for link, sent in self.tables[router].forward(arrived).items():
                if link is not HOSTS:
                    waiting.append((link, sent))
                    yield waiting[-1]

    def link_towards(self, router: N, other: N) -> Link | None:
        """The link of a router behind which another lies; None if that is nearer to the source, or aside."""
        if other == router:
            return HOSTS
        while other in self.hops:
            behind, other = other, self.hops[other]
            if other == router:
                return behind
        return None

    def census(self, messages: Iterable[Hashable]) -> Census[N]:
        """Send messages from the source, and count."""
        size = self._processor.format.size
        carried: Counter[N] = Counter()
        carried_ids: Counter[N] = Counter()
        for message, count in Counter(messages).items():
            for header in self._processor.headers(message):
                for link, sent in self.flow(header):
                    carried[link] += count
                    carried_ids[link] += count * size(sent)
        ids = tuple(len(entries) for _, entries in self.subscriptions)
        tables = {router: table.ids() for router, table in self.tables.items()}
        return Census(self.source, ids, tables, carried, carried_ids)
