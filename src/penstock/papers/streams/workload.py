"""The workload of the streams paper (section 4.2): random patterns and topics of one depth.

Each level has one of 50 values, and at least one level after the first is a wildcard. The paper does not say
how many are, so there are two readings: as many as a die says, and exactly one. Every subscription has a
destination of its own. Trailing wildcards are removed on entry, so few patterns of depth 3 are different, and
have many destinations each.

Exactly one is the reading that the printed size of the tree asks for: beside each node but the root there is
an edge to it, and 100,000 more are left for 100,000 subscriptions. So no two of those were alike, and a die
throws too many that are.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Literal

from penstock.topics import Scheme, TopicTable

__all__ = ["VALUES", "WILDCARDS", "Wildcards", "Workload", "extend", "table_of"]

VALUES = 50
Wildcards = Literal["some wildcards", "one wildcard"]
WILDCARDS: tuple[Wildcards, ...] = ("some wildcards", "one wildcard")


@dataclass(frozen=True, slots=True)
class Workload:
    """So many patterns of a depth, and topics to match."""

    count: int
    depth: int
    wildcards: Wildcards
    seed: int
    values: int = VALUES  #: of each level

    def __str__(self) -> str:
        return f"{self.count:,} patterns, depth {self.depth}"

    def patterns(self) -> list[str]:
        """One for each subscription."""
        return list(islice(self.endless_patterns(), self.count))

    def endless_patterns(self) -> Iterator[str]:
        """Those, and more like them."""
        draw = Random(f"{self.seed} patterns {self.depth} {self.wildcards}")
        while True:
            levels = [f"v{draw.randrange(self.values)}" for _ in range(self.depth)]
            count = 1 if self.wildcards == "one wildcard" else draw.randint(1, self.depth - 1)
            for level in draw.sample(range(1, self.depth), count):
                levels[level] = "*"
            yield "/".join(levels)

    def topics(self, count: int) -> list[str]:
        """What is published."""
        draw = Random(f"{self.seed} topics {self.depth}")
        return ["/".join(f"v{draw.randrange(self.values)}" for _ in range(self.depth)) for _ in range(count)]


def table_of(scheme: Scheme, held: list[str]) -> TopicTable:
    """A table with a destination for each pattern."""
    table = TopicTable(scheme)
    extend(table, held)
    return table


def extend(table: TopicTable, more: list[str]) -> None:
    """Each of them gets a destination of its own: `d` and the number of the subscription."""
    first = len(table)
    table.subscribe_many(more, [f"d{first + number}" for number in range(len(more))])
