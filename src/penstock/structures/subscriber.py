"""A host's own sum of entries: what its router must be told when an interest comes or goes.

Interests may share entries (games of two teams, filters of two predicates): an entry is told with the first
that needs it and withdrawn with the last.
"""

from collections import Counter
from collections.abc import Hashable
from typing import Generic, TypeVar

from penstock.errors import StructureError
from penstock.structures.format import Processor

__all__ = ["Subscriber"]

I = TypeVar("I")  # noqa: E741
M = TypeVar("M")
E = TypeVar("E", bound=Hashable)
H = TypeVar("H")


class Subscriber(Generic[I, M, E, H]):
    """The interests of one host; it may hold an interest several times."""

    __slots__ = ("_entries", "_interests", "_processor")

    def __init__(self, processor: Processor[I, M, E, H]) -> None:
        self._processor = processor
        self._interests: list[I] = []
        self._entries: Counter[E] = Counter()

    def subscribe(self, interest: I) -> list[E]:
        """The entries to tell the router, new to it from this host."""
        entries = self._processor.subscribe(interest)
        self._interests.append(interest)
        new = [entry for entry in entries if entry not in self._entries]
        self._entries.update(entries)
        return new

    def unsubscribe(self, interest: I) -> list[E]:
        """The entries to withdraw from the router, needed by nothing else here."""
        if interest not in self._interests:
            raise StructureError(f"this host does not hold the interest {interest}")
        self._interests.remove(interest)
        entries = self._processor.unsubscribe(interest)
        self._entries.subtract(entries)
        self._entries = +self._entries
        return [entry for entry in entries if entry not in self._entries]

    def wants(self, message: M) -> bool:
        """Whether any interest is in the message, from first principles."""
        return any(self._processor.wants(interest, message) for interest in self._interests)
