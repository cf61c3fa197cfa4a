"""What processors must know of an application: its topics, which messages they want, how they are ordered.

A topic is an interest in canonical form: equal if it means the same, as far as the application can tell.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, Protocol, TypeVar

__all__ = ["Application", "Index", "Scan"]

I_contra = TypeVar("I_contra", contravariant=True)
T = TypeVar("T", bound=Hashable)
T_contra = TypeVar("T_contra", bound=Hashable, contravariant=True)
M = TypeVar("M")
M_contra = TypeVar("M_contra", contravariant=True)


class Index(Protocol[T_contra, M_contra]):
    """Finds the topics that want a message."""

    def add(self, id_: int, topic: T_contra) -> None:
        """Take in a topic under an id."""

    def remove(self, id_: int) -> None:
        """Forget the topic of an id."""

    def match(self, message: M_contra) -> Iterable[int]:
        """The ids of all topics that want the message, each once, in any order."""


class Application(Protocol[I_contra, T, M]):
    """An application, seen from the edge of the network."""

    def topic(self, interest: I_contra) -> T:
        """The canonical form of an interest; StructureError (or FilterError) if it is none."""

    def wants(self, topic: T, message: M) -> bool:
        """Whether the topic wants the message."""

    def covers(self, one: T, other: T) -> bool:
        """Whether `one` wants whatever `other` wants; no, when unsure."""

    def universe(self) -> Iterable[M]:
        """All messages that there can be, each once, hashable; UniverseError if they cannot be listed."""

    def index(self) -> Index[T, M]:
        """An empty index of topics."""


class Scan(Generic[T, M]):
    """The plainest index: ask every topic."""

    __slots__ = ("_topics", "_wants")

    def __init__(self, wants: Callable[[T, M], bool]) -> None:
        self._wants = wants
        self._topics: dict[int, T] = {}

    def add(self, id_: int, topic: T) -> None:
        """Take in a topic under an id."""
        self._topics[id_] = topic

    def remove(self, id_: int) -> None:
        """Forget the topic of an id."""
        del self._topics[id_]

    def match(self, message: M) -> list[int]:
        """Ask them all."""
        wants = self._wants
        return [id_ for id_, topic in self._topics.items() if wants(topic, message)]
