"""Routers, links and time: deterministic discrete events that drive the very routers of a service.

Time is in whole microseconds. What is drawn by chance (losses, jitter) is drawn from one seed, and events
of the same time happen in the order in which they were caused; a router tells its neighbours after all that
reached it by then.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from heapq import heappop, heappush
from random import Random
from typing import Any, Final, Generic, TypeVar

from penstock.errors import NetworkError
from penstock.network.codec import decode, encode
from penstock.network.frame import Frame, Message, RouterId, Update
from penstock.network.graph import Atlas
from penstock.network.node import Node, TraceEvent, Wire
from penstock.network.router import TIMEOUT, Action, Router, Send
from penstock.network.topology import Topology
from penstock.structures.format import Format

__all__ = ["Fabric"]

E = TypeVar("E", bound=Hashable)
H = TypeVar("H")

LAST: Final = 2**62  # added to the order of ticks: they come after all else of their time


class Fabric(ABC, Generic[E, H]):
    """A topology of routers that speak one format; who their hosts are, the simulation on top of it knows."""

    def __init__(
        self,
        topology: Topology,
        format_: Format[E, H],
        *,
        sources: Iterable[RouterId] = (),
        seed: int = 0,
        loss: float = 0.0,
        jitter: int = 0,
        wire: bool = False,
        trace: bool = False,
        timeout: int = TIMEOUT,
    ) -> None:
        if not 0 <= loss < 1 or jitter < 0:
            raise NetworkError(
                f"losses are from 0 to less than 1, jitter not below 0; not {loss} and {jitter}"
            )
        self.now = 0
        self.format = format_
        self.loss = loss  #: the probability that a frame is lost
        self.jitter = jitter  #: microseconds that a frame is late at most, so that frames overtake each other
        self.wire = wire  #: whether every frame is encoded and decoded again, and bytes are counted
        self.trace: list[TraceEvent] | None = [] if trace else None
        self._draw = Random(seed)
        self._timeout = timeout
        self._atlas = Atlas()
        self._heap: list[tuple[int, int, Any, int, Any]] = []
        self._order = 0
        self._under_way = 0  # frames
        self._control = 0  # those of them that are no messages
        self._waiting: list[Callable[[], object]] = []
        self._busy: set[RouterId] = set()  # routers that have yet to tell something, or wait for an answer
        chosen = set(sources)
        self.nodes = {id_: Node(id_, self._router(id_, 0, id_ in chosen)) for id_ in topology.routers}
        for unknown in chosen - self.nodes.keys():
            self._node(unknown)
        for link in topology.links:
            one, other = self.nodes[link.one], self.nodes[link.other]
            one.wires[other.id] = Wire(one, other, link)
            other.wires[one.id] = Wire(other, one, link)
        for link in topology.links:
            self.heal(link.one, link.other)

    @abstractmethod
    def _come_back(self, node: Node) -> None:
        """The hosts of a router that has started again come back to it."""

    @abstractmethod
    def _deliver(self, name: str, message: Message[H]) -> None:
        """A host gets a message."""

    # What happens to the network

    def declare(self, router: RouterId, source: bool) -> None:
        """A router becomes a source, or is one no longer."""
        node = self._node(router)
        node.router.declare(source)
        self._stir(node)

    def cut(self, one: RouterId, other: RouterId) -> None:
        """A link fails: what is on it is lost, and both ends notice."""
        for wire in self._wires(one, other):
            if wire.works:
                wire.start.router.link_down(wire.end.id)
                self._stir(wire.start)
        for wire in self._wires(one, other):
            wire.is_up = False
            wire.generation += 1
        self._note("cut", one, other, None)

    def heal(self, one: RouterId, other: RouterId) -> None:
        """A link works again."""
        for wire in self._wires(one, other):
            if wire.is_up:
                return
            wire.is_up = True
        self._note("heal", one, other, None)
        self._bring_up(self._wires(one, other))

    def crash(self, router: RouterId) -> None:
        """A router stops, and forgets everything; its neighbours notice."""
        node = self._node(router)
        if not node.is_alive:
            return
        for wire in node.wires.values():
            back = wire.end.wires[router]
            if back.works:
                wire.end.router.link_down(router)
                self._stir(wire.end)
            for each in (wire, back):
                each.generation += 1
        node.is_alive = False
        node.tick_at = None
        self._busy.discard(router)
        self._note("crash", router, None, None)

    def recover(self, router: RouterId) -> None:
        """A router starts again, in a new incarnation, and its hosts come back to it."""
        node = self._node(router)
        if node.is_alive:
            return
        node.router = self._router(router, node.router.incarnation + 1, node.router.is_source)
        node.is_alive = True
        self._come_back(node)
        self._note("recover", router, None, None)
        self._stir(node)
        for wire in node.wires.values():
            if wire.is_up:
                self._bring_up([wire, wire.end.wires[router]])

    def _bring_up(self, wires: Sequence[Wire]) -> None:
        for wire in wires:
            if wire.works:
                wire.start.router.link_up(wire.end.id, wire.link.cost)
                self._stir(wire.start)

    def inject(self, one: RouterId, other: RouterId, frame: Frame[E, H]) -> None:
        """Put a frame on a link as if its end had sent it: networks repeat frames, and neighbours lie."""
        wire = self._wires(one, other)[0]
        if wire.works:
            self._send(wire, frame)

    # Time

    def at(self, time: int, happening: Callable[[], object]) -> None:
        """Let something happen at a time to come."""
        if time < self.now:
            raise NetworkError(f"{time:,} is past: it is {self.now:,}")
        self._order += 1
        heappush(self._heap, (time, self._order, happening, 0, None))

    def when_settled(self, happening: Callable[[], object]) -> None:
        """Let something happen as soon as routers have nothing left to tell each other."""
        self._waiting.append(happening)

    @property
    def is_at_rest(self) -> bool:
        """Whether no frame is under way and no router has anything to say."""
        return not (self._under_way or self._busy)

    def at_rest(self) -> None:
        """Let time pass until no frame is under way, and no router has anything to say."""
        while self._under_way or self._busy:
            self._step()

    def run(self, until: int) -> None:
        """Let everything happen up to a time, and that time come."""
        while self._heap and self._heap[0][0] <= until:
            self._step()
        self.now = max(self.now, until)

    def _step(self) -> None:
        time, _, subject, mark, frame = heappop(self._heap)
        self.now = time
        if type(subject) is Wire:
            self._under_way -= 1
            self._control -= mark & 1
            if mark >> 1 == subject.generation:
                self._arrive(subject, frame)
        elif type(subject) is Node:
            if subject.tick_at == time and subject.is_alive:
                self._tick(subject)
        else:
            subject()
        if self._waiting and not self._control and not self._busy:
            waiting, self._waiting = self._waiting, []
            for happening in waiting:
                happening()

    def _tick(self, node: Node) -> None:
        node.tick_at = None
        self._act(node, node.router.tick(self.now))
        if node.router.is_quiet:
            self._busy.discard(node.id)
        due = node.router.due
        if due is not None and node.tick_at is None:
            self._plan_tick(node, max(due, self.now))

    def _stir(self, node: Node) -> None:
        """A router may have something to tell: let it, once all that happens now has happened."""
        if node.is_alive and node.router.due == 0:
            self._busy.add(node.id)
            if node.tick_at != self.now:
                self._plan_tick(node, self.now)

    def _plan_tick(self, node: Node, time: int) -> None:
        self._order += 1
        node.tick_at = time
        heappush(self._heap, (time, LAST + self._order, node, 0, None))

    # Frames

    def _act(self, node: Node, actions: Iterable[Action]) -> None:
        for action in actions:
            if type(action) is Send:
                self._send(node.wires[action.link], action.frame)
            else:
                self._deliver(*action)

    def _send(self, wire: Wire, frame: Frame[E, H]) -> None:
        data: Any = frame
        if self.wire:
            data = encode(frame, self.format)
            wire.bytes += len(data)
            if type(frame) is not Message:
                wire.control_bytes += len(data)
        if type(frame) is Message:
            wire.messages += 1
            wire.header_ids += self.format.size(frame.header)
        else:
            wire.control += 1
            if type(frame) is Update:
                wire.told += len(frame.changes)
        if self.trace is not None:
            self._note("send", wire.start.id, wire.end.id, frame)
        if self.loss and self._draw.random() < self.loss:
            wire.lost += 1
            self._note("lose", wire.start.id, wire.end.id, frame)
            return
        late = self._draw.randrange(self.jitter + 1) if self.jitter else 0
        self._order += 1
        self._under_way += 1
        mark = wire.generation << 1
        if type(frame) is not Message:
            self._control += 1
            mark |= 1
        heappush(self._heap, (self.now + wire.link.latency + late, self._order, wire, mark, data))

    def _arrive(self, wire: Wire, data: Any) -> None:
        frame = decode(data, self.format) if self.wire else data
        node = wire.end
        actions = node.router.receive(wire.start.id, frame)
        if actions:
            self._act(node, actions)
        if node.router.is_urgent:
            self._stir(node)

    # Small things

    def _router(self, id_: RouterId, incarnation: int, source: bool) -> Router[E, H]:
        return Router(id_, self.format, incarnation, source=source, atlas=self._atlas, timeout=self._timeout)

    def _note(self, what: str, router: RouterId, other: RouterId | str | None, about: object) -> None:
        if self.trace is not None:
            self.trace.append(TraceEvent(self.now, what, router, other, about))

    def _node(self, router: RouterId) -> Node:
        try:
            return self.nodes[router]
        except KeyError:
            raise NetworkError(f"there is no router {router}") from None

    def _wires(self, one: RouterId, other: RouterId) -> list[Wire]:
        try:
            return [self._node(one).wires[other], self._node(other).wires[one]]
        except KeyError:
            raise NetworkError(f"there is no link between {one} and {other}") from None
