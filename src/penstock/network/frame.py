"""What routers say to each other, as values: hello, update, acknowledgement, message.

A frame of a session names it by the epochs of both ends, so that whatever is left over from an earlier one
is recognised wherever it turns up.
"""

from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

__all__ = [
    "ALL", "NONE", "Ack", "Change", "Frame", "Hello", "LinkState", "Message", "RouterId", "Sources", "Update",
]  # fmt: skip

E = TypeVar("E")
H = TypeVar("H")

RouterId: TypeAlias = int

# The sources that an entry is meant for: all that lie beyond the link, whichever these are, or those named.
Sources: TypeAlias = frozenset[RouterId] | None
ALL: Final = None
NONE: Final[frozenset[RouterId]] = frozenset()

MAX_EPOCH: Final = 2**63 - 1
MAX_ROUTER: Final = 2**32 - 1
MAX_COST: Final = 2**32 - 1
MAX_INCARNATION: Final = 2**31 - 1
MAX_NEIGHBOURS: Final = 4096
MAX_SOURCES: Final = 4096
MAX_ENTRY: Final = 2**18
MAX_HEADER: Final = 2**19
MAX_PAYLOAD: Final = 2**18
MAX_COPIES: Final = 2**16
MAX_FRAME: Final = 2**20


@dataclass(frozen=True, slots=True)
class LinkState:
    """A router's word on itself: its neighbours with the cost of each link, and whether it publishes.

    Of two words of one router the later counts: the greater incarnation, then the greater sequence.
    """

    router: RouterId
    incarnation: int
    sequence: int
    source: bool
    neighbours: tuple[tuple[RouterId, int], ...]  #: in ascending order, each once

    @property
    def age(self) -> tuple[int, int]:
        """Orders the words of one router."""
        return self.incarnation, self.sequence


class Change(NamedTuple, Generic[E]):
    """From now on the entry is meant for these sources; for none: it is withdrawn."""

    entry: E
    sources: Sources


@dataclass(frozen=True, slots=True)
class Hello:
    """Opens a session: the sender's epoch, and the receiver's as far as the sender knows it (else 0)."""

    router: RouterId
    epoch: int
    echo: int
    format: str


@dataclass(frozen=True, slots=True)
class Update(Generic[E]):
    """News of the graph and changes of Out: applied whole, in sequence, and acknowledged."""

    epoch: int
    echo: int
    sequence: int
    states: tuple[LinkState, ...]
    changes: tuple[Change[E], ...]


@dataclass(frozen=True, slots=True)
class Ack:
    """Everything up to this sequence has been applied."""

    epoch: int
    echo: int
    sequence: int


@dataclass(frozen=True, slots=True)
class Message(Generic[H]):
    """A published message, or one of its copies, on its way down the tree of its source.

    `number` counts the copies that the source has sent in this incarnation; `number - copy` is the message's
    own identity, which its copies share.
    """

    source: RouterId
    incarnation: int
    number: int
    copy: int
    copies: int
    header: H
    payload: bytes

    @property
    def first(self) -> int:
        """The number of the message's first copy: what identifies it, with source and incarnation."""
        return self.number - self.copy

    def carrying(self, header: H) -> "Message[H]":
        """The same message under another header."""
        return Message(
            self.source, self.incarnation, self.number, self.copy, self.copies, header, self.payload
        )


Frame: TypeAlias = Hello | Update[E] | Ack | Message[H]
