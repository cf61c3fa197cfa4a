"""Messages on their way through a tree of routers, hop by hop, with the time that every match takes.

A router's table is made when messages arrive, and gone when they have left: only what is measured counts, and
tables of fifty thousand routers do not fit into memory together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from penstock.model import Predicate
from penstock.papers.fast2002.tree import Router, Tree, Way
from penstock.papers.forwarding import Contender
from penstock.papers.forwarding.effort import Message
from penstock.table import ForwardingTable

__all__ = ["Journey", "Spent"]

PASSES = 4  # over the messages at a router; the first warms up
Spent = NDArray[np.float64]  # seconds: a row each for the lowest, the median and the highest


@dataclass(slots=True)
class Journey:
    """All messages, sent through a tree of one engine; destination n wants what filter n matches."""

    tree: Tree
    engine: Contender
    filters: Sequence[Predicate]
    sent: Sequence[Message]
    delivered: list[set[int]] = field(init=False)
    hops: list[list[Spent]] = field(init=False)  #: times of all matches, by how many hops a message had made
    farthest: list[list[Spent]] = field(init=False)  #: by message, to each destination on the longest way

    def __post_init__(self) -> None:
        self.delivered = [set() for _ in self.sent]
        self.hops = [[] for _ in range(self.tree.hops)]
        self.farthest = [[] for _ in self.sent]
        everything = np.arange(len(self.sent))
        waiting = [(self.tree.entrance[0], 0, everything, np.zeros((3, len(self.sent))))]
        while waiting:
            waiting += self._pass(*waiting.pop())

    def _pass(
        self, router: Router, hop: int, here: NDArray[np.int64], since: Spent
    ) -> list[tuple[Router, int, NDArray[np.int64], Spent]]:
        """Match the messages that have come to a router; the answer is where they go next."""
        ways = self.tree.ways(router)
        table = self._table(ways)
        messages = [self.sent[n] for n in here]
        passes = table.time_matches(messages, PASSES)[1:]
        spent: Spent = np.percentile(passes, [0, 50, 100], axis=0)
        self.hops[hop].append(spent)
        arrived = since + spent
        onward: dict[str, list[int]] = {}
        for place, message in enumerate(messages):
            for name in table.match(message):
                onward.setdefault(name, []).append(place)
        following = []
        for way in ways:
            places = onward.get(way.name)
            if places is None:
                continue
            if isinstance(way.goal, int):
                self._deliver(way.goal, hop, here[places], arrived[:, places])
            else:
                following.append((way.goal, hop + 1, here[places], arrived[:, places]))
        return following

    def _table(self, ways: Sequence[Way]) -> ForwardingTable:
        table = self.engine.table()
        names = chain.from_iterable([way.name] * len(part) for way in ways for part in way.beyond)
        filters = chain.from_iterable(
            self.filters[part.start : part.stop] for way in ways for part in way.beyond
        )
        table.subscribe_many(list(names), list(filters))
        table.build()
        return table

    def _deliver(self, destination: int, hop: int, here: NDArray[np.int64], arrived: Spent) -> None:
        for place, message in enumerate(here.tolist()):
            self.delivered[message].add(destination)
            if hop + 1 == self.tree.hops:
                self.farthest[message].append(arrived[:, place])
