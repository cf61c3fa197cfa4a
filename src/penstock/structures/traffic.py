"""Traffic alerts on one highway, the second application of the match-structure paper.

A stretch of highway has the number of the exit it leads to. An interest lies between two exits: the stretches
behind the first, up to the last. An alert is about one stretch or several, and wanted by those who have one
of them. This reading gives the paper's 118 alerts for an interest, but nobody wants the alert about the first
stretch alone; with the stretch before the first exit all 210 are wanted, and there are 128 for an interest.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from random import Random
from typing import TypeAlias

from penstock.errors import StructureError
from penstock.structures.application import Scan

__all__ = ["Alert", "Exits", "Traffic"]

Exits: TypeAlias = tuple[int, int]
Alert: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Traffic:
    """Exits are numbers from 1; an interest is two of them, an alert the first and the last stretch."""

    exits: int = 20
    inclusive: bool = False  #: whether an interest has the stretch that leads to its first exit, too

    def topic(self, interest: Exits) -> Exits:
        """The two exits as they are."""
        first, last = interest
        if not 1 <= first < last <= self.exits:
            raise StructureError(f"{interest} are not two exits in order, between 1 and {self.exits}")
        return interest

    def wants(self, topic: Exits, message: Alert) -> bool:
        """Whether a stretch of the alert lies between the exits."""
        first = topic[0] if self.inclusive else topic[0] + 1
        return first <= message[1] and message[0] <= topic[1]

    def covers(self, one: Exits, other: Exits) -> bool:
        """Whether one contains the other."""
        return one[0] <= other[0] and other[1] <= one[1]

    def universe(self) -> Iterator[Alert]:
        """All alerts."""
        return combinations_with_replacement(range(1, self.exits + 1), 2)

    def index(self) -> Scan[Exits, Alert]:
        """An empty list of interests."""
        return Scan(self.wants)

    def interests(self, count: int, seed: int) -> list[Exits]:
        """Pairs of exits: the first uniform, the last uniform behind it; alike for the same seed."""
        draw = Random(f"traffic interests {seed}")
        starts = [draw.randrange(1, self.exits) for _ in range(count)]
        return [(start, draw.randrange(start + 1, self.exits + 1)) for start in starts]

    def messages(self, count: int, seed: int) -> list[Alert]:
        """Alerts: the first stretch uniform, the last uniform from there on; alike for the same seed."""
        draw = Random(f"traffic messages {seed}")
        starts = [draw.randrange(1, self.exits + 1) for _ in range(count)]
        return [(start, draw.randrange(start, self.exits + 1)) for start in starts]
