"""Content lists: a message names every topic that it is about.

A router looks each of them up and prunes, for each link, the list to the topics held beyond it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from penstock.structures.application import Application
from penstock.structures.format import Link
from penstock.structures.identifier import Holders
from penstock.structures.register import Register
from penstock.structures.rising import RisingIds
from penstock.structures.wire import read_id, write_id

__all__ = ["LIST", "ContentList", "ListProcessor", "ListTable"]

I = TypeVar("I")  # noqa: E741
T = TypeVar("T", bound=Hashable)
M = TypeVar("M")


class ListTable:
    """Ids to links: a lookup for each id of a header."""

    __slots__ = ("_holders",)

    def __init__(self) -> None:
        self._holders: Holders[int] = Holders()

    def add(self, link: Link, entry: int) -> None:
        """Let a link hold an id."""
        self._holders.hold(link, entry)

    def remove(self, link: Link, entry: int) -> None:
        """Take an id from a link."""
        self._holders.release(link, entry)

    def forward(self, header: tuple[int, ...]) -> Mapping[Link, tuple[int, ...]]:
        """For each link, those ids of the header that it holds."""
        holders = self._holders
        pruned: dict[Link, list[int]] = {}
        for id_ in header:
            for link in holders.get(id_, ()):
                if link in pruned:
                    pruned[link].append(id_)
                else:
                    pruned[link] = [id_]
        return {link: tuple(ids) for link, ids in pruned.items()}

    def ids(self) -> int:
        """Distinct ids held."""
        return len(self._holders)


@dataclass(frozen=True, slots=True)
class ContentList(RisingIds):
    """Entries are ids, headers are rising ids."""

    name: str = field(default="list", init=False)

    def table(self) -> ListTable:
        """An empty table."""
        return ListTable()

    def covers(self, one: int, other: int) -> bool:
        """Only what is equal: ids know nothing of each other."""
        return one == other

    def encode_entry(self, entry: int) -> bytes:
        """Write an id."""
        return write_id(entry)

    def decode_entry(self, data: bytes) -> int:
        """Read an id."""
        return read_id(data)


LIST = ContentList()


class ListProcessor(Generic[I, T, M]):
    """An id for each topic; a message names all that want it."""

    __slots__ = ("_register", "application")

    def __init__(self, application: Application[I, T, M]) -> None:
        self.application = application
        self._register: Register[T, M] = Register(application.index())

    @property
    def format(self) -> ContentList:
        """Content lists."""
        return LIST

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

    def headers(self, message: M) -> Sequence[tuple[int, ...]]:
        """All ids whose topics want the message."""
        ids = self._register.match(message)
        return (ids,) if ids else ()

    def wants(self, interest: I, message: M) -> bool:
        """Ask the application."""
        return self.application.wants(self.application.topic(interest), message)
