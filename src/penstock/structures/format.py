"""What routers, hosts and applications agree on: the protocols that every match structure follows.

An application's *processor* turns interests into *entries* and messages into *headers*; routers see nothing
else. An entry is what a router's table holds for a link, a header is what a message carries, and `forward`
says which links want a message and what header it carries from there on.

Invariants, whatever the format:
- A link is in the answer of `forward` if, and only if, it holds an entry that wants the message.
- The header in the answer makes every router beyond that link decide as the full header would.
- A header may name ids that a router does not know: they lie beyond none of its links, and are passed over.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

__all__ = ["Entry", "Format", "Header", "Link", "Processor", "Table"]

Entry: TypeAlias = Hashable
Header: TypeAlias = Any
Link: TypeAlias = Hashable

E = TypeVar("E", bound=Hashable)
H = TypeVar("H")
E_contra = TypeVar("E_contra", bound=Hashable, contravariant=True)
I_contra = TypeVar("I_contra", contravariant=True)
M_contra = TypeVar("M_contra", contravariant=True)


class Table(Protocol[E_contra, H]):
    """The table of one router; links are opaque."""

    def add(self, link: Link, entry: E_contra) -> None:
        """Let a link hold an entry. One that it holds already raises StructureError, and changes nothing."""

    def remove(self, link: Link, entry: E_contra) -> None:
        """Take an entry from a link. One that it does not hold raises StructureError."""

    def forward(self, header: H) -> Mapping[Link, H]:
        """The links that want the message, each with the header that goes there; not to be changed."""

    def ids(self) -> int:
        """Distinct entries held: the paper's "ids per table"."""


class Format(Protocol[E, H]):
    """One kind of entries and headers; a stateless value, equal to others of its kind."""

    @property
    def name(self) -> str:
        """One of content, overlapping, disjoint, list and graph."""

    def table(self) -> Table[E, H]:
        """An empty table."""

    def covers(self, one: E, other: E) -> bool:
        """Whether a neighbour that is told `one` need not be told `other`.

        A yes is safe only if tables that lack `other` still forward all that it wants. That holds for
        filters; headers name ids, so an id covers itself alone.
        """

    def encode_entry(self, entry: E) -> bytes:
        """The one way to write an entry; WireError if it is beyond the limits."""

    def decode_entry(self, data: bytes) -> E:
        """Read what encode_entry wrote; WireError for everything else."""

    def encode_header(self, header: H) -> bytes:
        """The one way to write a header; WireError if it is beyond the limits."""

    def decode_header(self, data: bytes) -> H:
        """Read what encode_header wrote; WireError for everything else."""

    def merge(self, one: H, other: H) -> H:
        """What a message carries to two links that are one on the way: all that either needs.

        Both headers come from one answer of `forward`.
        """

    def size(self, header: H) -> int:
        """Ids in a header; for full messages, attributes."""


class Processor(Protocol[I_contra, M_contra, E, H]):
    """The edge of the network; one object is shared by all hosts of an application.

    It counts how often each interest is held. Two interests may share entries: a host that drops one of them
    keeps what the other needs (`Subscriber` does that sum).
    """

    @property
    def format(self) -> Format[E, H]:
        """The format of its entries and headers."""

    def subscribe(self, interest: I_contra) -> Sequence[E]:
        """The entries of an interest, always the same while anybody holds it."""

    def unsubscribe(self, interest: I_contra) -> Sequence[E]:
        """The entries that subscribe gave; StructureError if nobody holds the interest."""

    def headers(self, message: M_contra) -> Sequence[H]:
        """What the message carries to the first router: one header for each copy; none if nobody wants it."""

    def wants(self, interest: I_contra, message: M_contra) -> bool:
        """Whether an interest is in a message, from first principles."""
