"""The control half of a router: sessions, link states, what was learned, and what is told to whom.

Whatever comes in only changes state; `tick` then tells what follows from it. So news that arrive together
are told together, and what is told is always the present state, never a history.
"""

from collections.abc import Hashable, Iterable
from typing import Any, Final, Generic, TypeVar

from penstock.errors import NetworkError
from penstock.network.forwarding import Send
from penstock.network.frame import MAX_NEIGHBOURS, Ack, Frame, Hello, LinkState, RouterId, Update
from penstock.network.graph import Atlas, Route
from penstock.network.group import Groups
from penstock.network.learned import Learned
from penstock.network.linkstate import LinkStates
from penstock.network.session import Session
from penstock.network.telling import next_changes, next_states
from penstock.structures.format import Format

__all__ = ["Control"]

E = TypeVar("E", bound=Hashable)
H = TypeVar("H")

MAX_ENTRIES: Final = 2**20  # of one neighbour


class Control(Generic[E, H]):
    """Sessions with the neighbours, and the state that they exchange."""

    def __init__(
        self,
        id_: RouterId,
        format_: Format[E, H],
        incarnation: int,
        *,
        source: bool,
        atlas: Atlas,
        timeout: int,
    ) -> None:
        self.sessions: dict[RouterId, Session[E]] = {}
        self.groups: Groups[E] = Groups(format_)
        self.learned: Learned[E, H] = Learned(format_, self.groups)
        self.routes: dict[RouterId, Route] = {}
        self.source = source
        self.is_lost = True  #: whether routes are older than link states
        self.is_urgent = True  #: whether there may be something to tell at once
        self.dropped = {"old": 0, "refused": 0}
        self._id = id_
        self._format = format_
        self._incarnation = incarnation
        self._atlas = atlas
        self._timeout = timeout
        self._epochs = 0
        self._states = LinkStates(id_)
        self.announce()

    def session(self, link: RouterId) -> Session[E]:
        """The session on a link that is up."""
        try:
            return self.sessions[link]
        except KeyError:
            raise NetworkError(f"router {self._id} has no link to {link}") from None

    def link_up(self, link: RouterId, cost: int) -> None:
        """Begin a session in a new epoch."""
        if link == self._id or link in self.sessions:
            raise NetworkError(f"router {self._id} cannot have another link to {link}")
        if len(self.sessions) >= MAX_NEIGHBOURS:
            raise NetworkError(f"router {self._id} has {MAX_NEIGHBOURS:,} links, and may have no more")
        self._epochs += 1
        self.sessions[link] = Session(link, cost, (self._incarnation << 32) + self._epochs)
        self.is_urgent = True

    def link_down(self, link: RouterId) -> None:
        """End the session, and forget what was learned from it."""
        self.session(link)
        del self.sessions[link]
        self.learned.clear(link)
        self.groups.take_dirty(link)
        self.announce()

    # What comes in

    def receive(self, link: RouterId, frame: Hello | Update[E] | Ack) -> None:
        """Take a frame; what is old, repeated or out of place changes nothing."""
        session = self.session(link)
        self.is_urgent = True
        if isinstance(frame, Hello):
            self._receive_hello(session, frame)
            return
        was_open = session.is_open
        if not session.is_ours(frame):
            self.dropped["old"] += 1
            return
        if not was_open:
            self._open(session)
            self.announce()
        if isinstance(frame, Update):
            self._receive_update(session, frame)
        else:
            session.on_ack(frame)

    def _receive_hello(self, session: Session[E], hello: Hello) -> None:
        if hello.router != session.peer or hello.format != self._format.name:
            self.dropped["refused"] += 1
            return
        was_open = session.is_open
        if session.on_hello(hello):
            self.learned.clear(session.peer)
            was_open = False
        if session.is_open and not was_open:
            self._open(session)
        self.announce()

    def _open(self, session: Session[E]) -> None:
        """The other end knows nothing: all is to be told."""
        session.states = dict.fromkeys(self._states)
        session.dirty = self.groups.told(session.peer)

    def _receive_update(self, session: Session[E], update: Update[E]) -> None:
        if len(self.learned.of(session.peer)) + len(update.changes) > MAX_ENTRIES:
            self.dropped["refused"] += 1
            return
        if not session.on_update(update):
            self.dropped["old"] += 1
            return
        self._hear(session, update.states)
        for entry, sources in update.changes:
            self.learned.put(session.peer, entry, sources)

    def _hear(self, session: Session[E], states: Iterable[LinkState]) -> None:
        """Take news of the graph, and pass it on to those who did not bring it."""
        news, same, claims = self._states.hear(states)
        for router in same:
            session.states.pop(router, None)
        for claim in claims:
            self._contradict(claim)
        if news:
            self.is_lost = True
            for other in self.sessions.values():
                if other is not session and other.is_open:
                    other.states.update(dict.fromkeys(news))

    def _contradict(self, claim: LinkState) -> None:
        """Only a router itself speaks for it: what others claim that it has said, it outdoes."""
        if claim.age > self._states[self._id].age:
            self.dropped["refused"] += 1
            if claim.incarnation == self._incarnation:
                self.announce(claim.sequence + 1)

    # What follows from it

    def announce(self, sequence: int = 0) -> None:
        """Say who the neighbours are, if that has changed, or has to be said again."""
        links = tuple(sorted((near.peer, near.cost) for near in self.sessions.values() if near.is_open))
        last = self._states.get(self._id)
        if last is not None and not sequence and (last.source, last.neighbours) == (self.source, links):
            return
        sequence = max(sequence, 0 if last is None else last.sequence + 1)
        self._states.say(LinkState(self._id, self._incarnation, sequence, self.source, links))
        self.is_lost = self.is_urgent = True
        for session in self.sessions.values():
            if session.is_open:
                session.states[self._id] = None

    def find_way(self) -> None:
        """Bring routes and groups up to date with the graph and the branches."""
        routes = self._states.graph(self._atlas).routes(self._id) if self.is_lost else self.routes
        self.is_lost = False
        if routes == self.routes and not self.groups.stale:
            return
        self.routes = routes
        for near in self.groups.form(routes):
            session = self.sessions.get(near)
            if session is not None and session.is_open:
                session.dirty.update(self.groups.told(near))
                session.dirty.update(dict.fromkeys(session.told))
                self.is_urgent = True

    def tick(self, now: int) -> list[Send]:
        """Tell what is to be told by now."""
        if not self.groups.is_empty:  # while nothing is subscribed nobody needs to know the way
            self.find_way()
        self.is_urgent = False
        return [
            Send(session.peer, frame)
            for session in self.sessions.values()
            for frame in self._frames(session, now)
            if frame is not None
        ]

    def _frames(self, session: Session[E], now: int) -> list[Frame[E, Any] | None]:
        frames: list[Frame[E, Any] | None] = [session.hello(self._id, self._format.name, now, self._timeout)]
        if session.is_open:
            frames.append(session.ack())
            if session.under_way is None:
                frames.append(self._next_update(session, now))
            else:
                frames.append(session.repeat(now, self._timeout))
        return frames

    def _next_update(self, session: Session[E], now: int) -> Update[E] | None:
        states = next_states(session, self._states)
        changes = () if session.states else next_changes(session, self.groups, self._format)
        if not states and not changes:
            return None
        return session.send(states, changes, now, self._timeout)
