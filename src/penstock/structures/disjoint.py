"""Single ids, disjoint categories: every possible message has an id, a subscription lists all that it wants.

Messages go out once and subscriptions multiply; it takes an application that can list its messages.
"""

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from penstock.errors import StructureError
from penstock.structures.application import Application
from penstock.structures.identifier import SingleId

__all__ = ["DISJOINT", "DisjointProcessor"]

I = TypeVar("I")  # noqa: E741
T = TypeVar("T", bound=Hashable)
M = TypeVar("M")

DISJOINT = SingleId("disjoint")


class DisjointProcessor(Generic[I, T, M]):
    """An id for each message of the universe; a subscription is the list of those it wants."""

    __slots__ = ("_entries", "_held", "_ids", "application")

    def __init__(self, application: Application[I, T, M]) -> None:
        self.application = application
        self._ids: dict[M, int] = {message: id_ for id_, message in enumerate(application.universe(), 1)}
        self._entries: dict[T, tuple[int, ...]] = {}
        self._held: dict[T, int] = {}

    @property
    def format(self) -> SingleId:
        """Single ids."""
        return DISJOINT

    def subscribe(self, interest: I) -> Sequence[int]:
        """The ids of all messages that the topic wants."""
        topic = self.application.topic(interest)
        if topic not in self._entries:
            wants = self.application.wants
            self._entries[topic] = tuple(id_ for message, id_ in self._ids.items() if wants(topic, message))
        self._held[topic] = self._held.get(topic, 0) + 1
        return self._entries[topic]

    def unsubscribe(self, interest: I) -> Sequence[int]:
        """The same ids again."""
        topic = self.application.topic(interest)
        if topic not in self._held:
            raise StructureError(f"nobody holds the interest {topic}")
        self._held[topic] -= 1
        if self._held[topic]:
            return self._entries[topic]
        del self._held[topic]
        return self._entries.pop(topic)

    def headers(self, message: M) -> Sequence[int]:
        """The id of the message, whether anybody wants it or not: the tables know."""
        id_ = self._ids.get(message)
        if id_ is None:
            raise StructureError(f"{message} is none of the {len(self._ids):,} messages of the universe")
        return (id_,)

    def wants(self, interest: I, message: M) -> bool:
        """Ask the application."""
        return self.application.wants(self.application.topic(interest), message)
