"""Explicit hierarchies of categories: a category may have several parents, a message several labels.

A message is wanted by each category that is one of its labels, or above one.
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from graphlib import CycleError, TopologicalSorter
from itertools import chain, combinations
from math import comb

from penstock.errors import StructureError, UniverseError
from penstock.structures.application import Scan

__all__ = ["Categories"]

MAX_UNIVERSE = 2**16


class Categories:
    """The application of those who sort messages into categories.

    `parents` names for each category those right above it; `labels` is how many a message may carry, which
    only matters to disjoint categories: they need an id for each combination.
    """

    __slots__ = ("_above", "_labels")

    def __init__(self, parents: Mapping[str, Iterable[str]], *, labels: int = 1) -> None:
        if labels < 1:
            raise ValueError("a message must be allowed at least one label")
        self._labels = labels
        graph = {name: list(above) for name, above in parents.items()}
        self._above: dict[str, frozenset[str]] = {}  # and the category itself
        for name, above in graph.items():
            for parent in above:
                if parent not in graph:
                    raise StructureError(f"category {name!r} has a parent {parent!r} that is no category")
        try:
            for name in TopologicalSorter(graph).static_order():
                self._above[name] = frozenset({name}).union(*(self._above[parent] for parent in graph[name]))
        except CycleError as error:
            ring = " under ".join(map(repr, error.args[1]))
            raise StructureError(f"categories cannot be their own parents: {ring}") from error

    @property
    def above(self) -> Mapping[str, frozenset[str]]:
        """For each category all that are above it, and the category itself."""
        return self._above

    @property
    def labels(self) -> int:
        """How many labels a message may carry, where that matters."""
        return self._labels

    def topic(self, interest: str) -> str:
        """The category; StructureError if there is none of that name."""
        if interest in self._above:
            return interest
        near = get_close_matches(str(interest), self._above, n=1)
        raise StructureError(
            f"no category is named {interest!r}", f"did you mean {near[0]!r}?" if near else ""
        )

    def wants(self, topic: str, message: frozenset[str]) -> bool:
        """Whether a label of the message is the category, or below it."""
        return any(topic in self._above[self.topic(label)] for label in message)

    def covers(self, one: str, other: str) -> bool:
        """Whether one is the other, or above it."""
        return one in self._above[other]

    def universe(self) -> Iterator[frozenset[str]]:
        """All sets of labels that a message may carry."""
        counts = range(1, min(self._labels, len(self._above)) + 1)
        size = sum(comb(len(self._above), count) for count in counts)
        if size > MAX_UNIVERSE:
            raise UniverseError(
                f"{len(self._above):,} categories have {size:,} sets of up to {self._labels} labels, "
                f"over the limit of {MAX_UNIVERSE:,}",
                "use content lists or content graphs",
            )
        labels = sorted(self._above)
        return map(frozenset, chain.from_iterable(combinations(labels, count) for count in counts))

    def index(self) -> Scan[str, frozenset[str]]:
        """An empty list of categories."""
        return Scan(self.wants)
