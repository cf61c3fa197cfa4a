"""What a simulation is made of: nodes that run a router, links in both directions, hosts, publications."""

from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from penstock.network.frame import RouterId
from penstock.network.router import Router
from penstock.network.topology import Link
from penstock.network.window import Window

__all__ = ["Node", "Publication", "SimulatedHost", "TraceEvent", "Wire"]

E = TypeVar("E", bound=Hashable)
M = TypeVar("M")


class TraceEvent(NamedTuple):
    """Something that happened: when, what, at which router, and to whom it matters."""

    at: int
    what: str  #: publish, send, lose, deliver, subscribe, unsubscribe, cut, heal, crash, recover
    router: RouterId
    other: RouterId | str | None  #: the neighbour, or the host
    about: Any  #: the frame, the publication or the interest


@dataclass(slots=True, eq=False)
class Wire:
    """One direction of a link, and what it has carried."""

    start: "Node"
    end: "Node"
    link: Link
    is_up: bool = False
    generation: int = 0  #: rises when the link fails: what was on it then is lost
    messages: int = 0
    header_ids: int = 0  #: ids in the headers of these messages
    control: int = 0  #: frames
    told: int = 0  #: changes of entries in these frames
    bytes: int = 0  #: of messages and control, where frames are encoded
    control_bytes: int = 0
    lost: int = 0

    @property
    def works(self) -> bool:
        """Whether a frame put on it now would arrive."""
        return self.is_up and self.start.is_alive and self.end.is_alive


@dataclass(slots=True, eq=False)
class Node:
    """A place for a router, which may crash and start again there."""

    id: RouterId
    router: Router[Any, Any]
    is_alive: bool = True
    wires: dict[RouterId, Wire] = field(default_factory=dict)
    hosts: list[str] = field(default_factory=list)
    tick_at: int | None = None  #: when tick is to be called next


@dataclass(slots=True, eq=False)
class SimulatedHost(Generic[E]):
    """A host, and what it holds, which outlives a crash of its router."""

    name: str
    router: RouterId
    interests: dict[Any, list[Sequence[E]]] = field(default_factory=dict)
    seen: dict[RouterId, Window] = field(default_factory=dict)
    received: int = 0


@dataclass(slots=True, eq=False)
class Publication(Generic[M]):
    """A message that was published, and who got it after how long."""

    number: int
    message: M
    source: RouterId
    host: str | None
    at: int
    hosts: list[str] = field(default_factory=list)
    latencies: "array[int]" = field(
        default_factory=lambda: array("q")
    )  #: microseconds, in the order of `hosts`
