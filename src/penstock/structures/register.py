"""Which topics are live, under which ids, and how often they are held.

Ids rise and are never given twice: an id that a slow router still holds can only mean what it always meant.
"""

from collections.abc import Hashable
from typing import Generic, TypeVar

from penstock.errors import StructureError
from penstock.structures.application import Index

__all__ = ["Register"]

T = TypeVar("T", bound=Hashable)
M = TypeVar("M")


class Register(Generic[T, M]):
    """Live topics; an id stands for one of them, or for several that want the same."""

    __slots__ = ("_held", "_ids", "_index", "_next", "_topics")

    def __init__(self, index: Index[T, M]) -> None:
        self._index = index
        self._next = 1
        self._ids: dict[T, int] = {}
        self._held: dict[T, int] = {}  # how often each topic is
        self._topics: dict[int, int] = {}  # how many each id stands for

    def __contains__(self, id_: int) -> bool:
        return id_ in self._topics

    @property
    def topics(self) -> dict[int, T]:
        """A live topic of each id; others of the same id want the same."""
        return {id_: topic for topic, id_ in self._ids.items()}

    def find(self, topic: T) -> int | None:
        """The id of a live topic."""
        return self._ids.get(topic)

    def acquire(self, topic: T, same_as: int | None = None) -> int:
        """Hold a topic once more; one that is new gets an id, or shares that of others that want the same."""
        id_ = self._ids.get(topic)
        if id_ is None:
            id_ = self._next if same_as is None else same_as
            if same_as is None:
                self._index.add(id_, topic)
                self._next += 1
            self._topics[id_] = self._topics.get(id_, 0) + 1
            self._ids[topic] = id_
        self._held[topic] = self._held.get(topic, 0) + 1
        return id_

    def release(self, topic: T) -> int:
        """Hold a topic once less; its id goes with the last topic that it stands for."""
        id_ = self._ids.get(topic)
        if id_ is None:
            raise StructureError(f"nobody holds the interest {topic}")
        self._held[topic] -= 1
        if not self._held[topic]:
            del self._held[topic], self._ids[topic]
            self._topics[id_] -= 1
            if not self._topics[id_]:
                del self._topics[id_]
                self._index.remove(id_)
        return id_

    def match(self, message: M) -> tuple[int, ...]:
        """The ids of all live topics that want the message, rising."""
        return tuple(sorted(self._index.match(message)))
