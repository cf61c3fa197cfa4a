"""A router of the content-based network: a state machine without I/O, clock or chance.

Frames and calls go in, actions come out of `receive`, `publish` and `tick`. Messages are forwarded at once;
control is told by `tick`, which is to be called when `due` says so.

Invariant: when nothing is left to be told, Out(n) of every neighbour follows from In by the core rule.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Final, Generic, TypeVar

from penstock.errors import NetworkError
from penstock.network.control import Control
from penstock.network.forwarding import Action, Deliver, Forwarding, Send
from penstock.network.frame import (
    MAX_COPIES,
    MAX_COST,
    MAX_ENTRY,
    MAX_HEADER,
    MAX_INCARNATION,
    MAX_PAYLOAD,
    MAX_ROUTER,
    Frame,
    Message,
    RouterId,
    Sources,
)
from penstock.network.graph import Atlas, Route
from penstock.network.learned import Host
from penstock.structures.format import Format

__all__ = ["TIMEOUT", "Action", "Deliver", "Router", "Send"]

E = TypeVar("E", bound=Hashable)
H = TypeVar("H")

TIMEOUT: Final = 1_000_000  # of the caller's clock, which in the simulator counts microseconds


class Router(Generic[E, H]):
    """One router, in one incarnation: a router that starts again is a new one with a greater incarnation."""

    def __init__(
        self,
        id: RouterId,  # noqa: A002
        format: Format[E, H],  # noqa: A002
        incarnation: int = 0,
        *,
        source: bool = False,
        atlas: Atlas | None = None,
        timeout: int = TIMEOUT,
    ) -> None:
        _check("a router's id", id, 0, MAX_ROUTER)
        _check("an incarnation", incarnation, 0, MAX_INCARNATION)
        _check("a timeout", timeout, 1, 2**31)
        self.id = id
        self.format = format
        self.incarnation = incarnation
        self._strays = self._duplicates = 0
        self._published = 0
        self._control: Control[E, H] = Control(
            id,
            format,
            incarnation,
            source=source,
            atlas=Atlas() if atlas is None else atlas,
            timeout=timeout,
        )
        self._forwarding: Forwarding[E, H] = Forwarding(self._control.learned.table, format)

    # What it knows

    @property
    def is_source(self) -> bool:
        """Whether messages may be published here."""
        return self._control.source

    @property
    def published(self) -> int:
        """How many copies of messages were published here, in this incarnation."""
        return self._published

    @property
    def neighbours(self) -> list[RouterId]:
        """The routers with which a session is open."""
        return [session.peer for session in self._control.sessions.values() if session.is_open]

    @property
    def hosts(self) -> Mapping[Host, Mapping[E, int]]:
        """The hosts that are attached, and how often each holds which entry."""
        return self._control.learned.hosts

    @property
    def routes(self) -> Mapping[RouterId, Route]:
        """Where this router stands in the tree of each source that reaches it."""
        self._control.find_way()
        return self._control.routes

    @property
    def ids(self) -> int:
        """Distinct entries in the table."""
        return self._control.learned.table.ids()

    @property
    def dropped(self) -> dict[str, int]:
        """What was not taken, and why.

        Messages: `stray` from others than the next hop towards the source, `duplicate` ones. Control: `old`
        frames of earlier epochs, or repeated; `refused` ones of another format, or beyond a limit.
        """
        return {"stray": self._strays, "duplicate": self._duplicates, **self._control.dropped}

    def learned(self, link: RouterId) -> Mapping[E, Sources]:
        """In(link): the entries that a neighbour has told, and the sources that each is meant for."""
        return self._control.learned.of(link)

    def told(self, link: RouterId) -> Mapping[E, Sources]:
        """Out(link): the entries that a neighbour was told, and the sources that each is meant for."""
        return self._control.session(link).told

    # Hosts

    def attach(self, host: Host) -> None:
        """Take in a host."""
        self._control.learned.attach(host)

    def detach(self, host: Host) -> None:
        """Let a host go, and with it what it has subscribed to."""
        self._control.learned.detach(host)
        self._control.is_urgent = True

    def subscribe(self, host: Host, entries: Sequence[E]) -> None:
        """Let a host hold these entries, each once more."""
        for entry in entries:
            _check("the size of an entry in bytes", len(self.format.encode_entry(entry)), 0, MAX_ENTRY)
        self._control.learned.subscribe(host, entries)
        self._control.is_urgent = True

    def unsubscribe(self, host: Host, entries: Sequence[E]) -> None:
        """Let a host hold these entries, each once less: all of them, or none if it does not hold one."""
        self._control.learned.unsubscribe(host, entries)
        self._control.is_urgent = True

    def declare(self, source: bool) -> None:
        """Become a source, or stop being one."""
        self._control.source = source
        self._control.announce()

    def publish(self, host: Host | None, headers: Sequence[H], payload: bytes = b"") -> list[Action]:
        """Send a message of a host, or of the router itself, in a copy for each header."""
        if not self.is_source:
            raise NetworkError(f"router {self.id} is no source: declare it one, so that entries travel to it")
        if host is not None:
            self._control.learned.held(host)
        _check("the number of copies", len(headers), 0, MAX_COPIES)
        _check("the size of a payload in bytes", len(payload), 0, MAX_PAYLOAD)
        for header in headers:
            _check("the size of a header in bytes", len(self.format.encode_header(header)), 0, MAX_HEADER)
        children = self.routes[self.id].children
        actions: list[Action] = []
        for copy, header in enumerate(headers):
            number = self._published
            self._published += 1
            message = Message(self.id, self.incarnation, number, copy, len(headers), header, payload)
            self._forwarding.forward(message, children, host, actions)
        return actions

    # Links

    def link_up(self, link: RouterId, cost: int = 1) -> None:
        """A link to a neighbour works: greet it."""
        _check("a router's id", link, 0, MAX_ROUTER)
        _check("the cost of a link", cost, 1, MAX_COST)
        self._control.link_up(link, cost)

    def link_down(self, link: RouterId) -> None:
        """A link no longer works: forget what was learned over it."""
        self._control.link_down(link)

    def receive(self, link: RouterId, frame: Frame[E, H]) -> list[Action]:
        """Take a frame from a neighbour; what is old, repeated or out of place changes nothing."""
        control = self._control
        if type(frame) is not Message:
            control.receive(link, frame)  # type: ignore[arg-type]
            return []
        if control.is_lost:
            control.find_way()
        route = control.routes.get(frame.source)
        if route is None or route.parent != link:
            self._strays += 1
            return []
        if not self._forwarding.is_first(frame):
            self._duplicates += 1
            return []
        actions: list[Action] = []
        self._forwarding.forward(frame, route.children, None, actions)
        return actions

    # Time

    @property
    def is_urgent(self) -> bool:
        """Whether tick is to be called at once."""
        return self._control.is_urgent

    @property
    def due(self) -> int | None:
        """When tick is to be called: 0 for at once, None for not before something else happens."""
        if self._control.is_urgent:
            return 0
        sessions = self._control.sessions.values()
        return min((due for session in sessions if (due := session.due) is not None), default=None)

    @property
    def is_quiet(self) -> bool:
        """Whether all is told and confirmed."""
        return not self._control.is_urgent and all(each.is_quiet for each in self._control.sessions.values())

    def tick(self, now: int) -> Sequence[Action]:
        """Tell what is to be told by now, and repeat what was not confirmed in time."""
        return self._control.tick(now)


def _check(what: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise NetworkError(f"{what} is from {least:,} to {most:,}, not {number:,}")
