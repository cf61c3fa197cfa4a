"""The order among live ids, as far as covering could tell: always transitive, never wrong.

Covering may miss that one topic wants all that another wants. If a new topic stood between two that are not
known to be ordered, a router that lacks the new one would know less than its neighbour, and messages would be
lost; so such a topic claims less than it could.
"""

from collections.abc import Iterable

__all__ = ["Order"]


class Order:
    """Ids, and for each all ids above and below."""

    __slots__ = ("_above", "_below")

    def __init__(self) -> None:
        self._above: dict[int, set[int]] = {}
        self._below: dict[int, set[int]] = {}

    def above(self, ids: Iterable[int]) -> set[int]:
        """The ids and all that is above any of them."""
        found = set(ids)
        return found.union(*(self._above[id_] for id_ in found))

    def below(self, ids: Iterable[int]) -> set[int]:
        """The ids and all that is below any of them."""
        found = set(ids)
        return found.union(*(self._below[id_] for id_ in found))

    def certain(self, above: set[int], below: set[int]) -> set[int]:
        """Those of `below` that are known to be below all of `above`, and so is what is below them."""
        unsure = {id_ for id_ in below if not above <= self._above[id_]}
        return below - self.above(unsure)

    def insert(self, id_: int, above: set[int], below: set[int]) -> None:
        """Place a new id between the others."""
        self._above[id_], self._below[id_] = set(above), set(below)
        for other in above:
            self._below[other].add(id_)
        for other in below:
            self._above[other].add(id_)

    def remove(self, id_: int) -> None:
        """Take an id out; the others stand as before."""
        for other in self._above.pop(id_):
            self._below[other].discard(id_)
        for other in self._below.pop(id_):
            self._above[other].discard(id_)

    def lowest(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Those of the ids with none of the others below, rising."""
        among = set(ids)
        return tuple(sorted(id_ for id_ in among if self._below[id_].isdisjoint(among)))
