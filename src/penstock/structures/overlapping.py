"""Single ids, overlapping categories: every topic has an id, a message is sent once for each that wants it.

Subscriptions stay small and messages multiply; a host whose topics overlap gets a message several times.
"""

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from penstock.structures.application import Application
from penstock.structures.identifier import SingleId
from penstock.structures.register import Register

__all__ = ["OVERLAPPING", "OverlappingProcessor"]

I = TypeVar("I")  # noqa: E741
T = TypeVar("T", bound=Hashable)
M = TypeVar("M")

OVERLAPPING = SingleId("overlapping")


class OverlappingProcessor(Generic[I, T, M]):
    """An id for each topic; a copy of the message for each topic that wants it."""

    __slots__ = ("_register", "application")

    def __init__(self, application: Application[I, T, M]) -> None:
        self.application = application
        self._register: Register[T, M] = Register(application.index())

    @property
    def format(self) -> SingleId:
        """Single ids."""
        return OVERLAPPING

    def subscribe(self, interest: I) -> Sequence[int]:
        """The id of the topic."""
        return (self._register.acquire(self.application.topic(interest)),)

    def unsubscribe(self, interest: I) -> Sequence[int]:
        """The id of the topic; once nobody holds it, it is never used again."""
        return (self._register.release(self.application.topic(interest)),)

    @property
    def topics(self) -> dict[int, T]:
        """What each id stands for that is live."""
        return self._register.topics

    def headers(self, message: M) -> Sequence[int]:
        """The id of every topic that wants the message."""
        return self._register.match(message)

    def wants(self, interest: I, message: M) -> bool:
        """Ask the application."""
        return self.application.wants(self.application.topic(interest), message)
