"""One id in each header: the table of both single-identifier schemes, as in multicast.

The schemes differ in what an id stands for, which routers do not see.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from penstock.errors import StructureError
from penstock.structures.format import Link
from penstock.structures.wire import read_id, write_id

__all__ = ["Holders", "IdTable", "SingleId"]

E = TypeVar("E", bound=Hashable)


class Holders(dict[E, dict[Link, None]]):
    """Entries and the links that hold them, in the order in which these came; none is without a link."""

    __slots__ = ()

    def hold(self, link: Link, entry: E) -> None:
        """Let a link hold an entry."""
        links = self.get(entry)
        if links is None:
            self[entry] = {link: None}
        elif link in links:
            raise StructureError(f"link {link!r} holds {entry} already")
        else:
            links[link] = None

    def release(self, link: Link, entry: E) -> None:
        """Take an entry from a link."""
        links = self.get(entry)
        if links is None or link not in links:
            raise StructureError(f"link {link!r} does not hold {entry}")
        del links[link]
        if not links:
            del self[entry]


class IdTable:
    """Ids to links: a lookup a message, and the header goes on as it came."""

    __slots__ = ("_holders",)

    def __init__(self) -> None:
        self._holders: Holders[int] = Holders()

    def add(self, link: Link, entry: int) -> None:
        """Let a link hold an id."""
        self._holders.hold(link, entry)

    def remove(self, link: Link, entry: int) -> None:
        """Take an id from a link."""
        self._holders.release(link, entry)

    def forward(self, header: int) -> Mapping[Link, int]:
        """The links that hold the id."""
        return dict.fromkeys(self._holders.get(header, ()), header)

    def ids(self) -> int:
        """Distinct ids held."""
        return len(self._holders)


@dataclass(frozen=True, slots=True)
class SingleId:
    """Entries and headers of one id."""

    name: str

    def table(self) -> IdTable:
        """An empty table."""
        return IdTable()

    def covers(self, one: int, other: int) -> bool:
        """Only what is equal: ids know nothing of each other."""
        return one == other

    def encode_entry(self, entry: int) -> bytes:
        """Write an id."""
        return write_id(entry)

    def decode_entry(self, data: bytes) -> int:
        """Read an id."""
        return read_id(data)

    def encode_header(self, header: int) -> bytes:
        """Write an id."""
        return write_id(header)

    def decode_header(self, data: bytes) -> int:
        """Read an id."""
        return read_id(data)

    def merge(self, one: int, other: int) -> int:  # noqa: ARG002 - as everywhere
        """The one that both are."""
        return one

    def size(self, header: int) -> int:  # noqa: ARG002 - as everywhere
        """Always one."""
        return 1
