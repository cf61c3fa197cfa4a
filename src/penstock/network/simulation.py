"""A network in one process: routers and links, and the hosts of one application that use them."""

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from penstock.errors import NetworkError
from penstock.network.fabric import Fabric
from penstock.network.frame import Message, RouterId
from penstock.network.node import Node, Publication, SimulatedHost
from penstock.network.router import TIMEOUT
from penstock.network.topology import Topology
from penstock.network.window import Window
from penstock.structures.format import Processor

__all__ = ["Simulation"]

E = TypeVar("E", bound=Hashable)
H = TypeVar("H")
Interest = TypeVar("Interest", bound=Hashable)
M = TypeVar("M")


class Simulation(Fabric[E, H], Generic[Interest, M, E, H]):
    """Hosts that subscribe and publish; what they hold outlives a crash of their router."""

    def __init__(
        self,
        topology: Topology,
        processor: Processor[Interest, M, E, H],
        *,
        sources: Iterable[RouterId] = (),
        seed: int = 0,
        loss: float = 0.0,
        jitter: int = 0,
        wire: bool = False,
        trace: bool = False,
        timeout: int = TIMEOUT,
    ) -> None:
        super().__init__(
            topology,
            processor.format,
            sources=sources,
            seed=seed,
            loss=loss,
            jitter=jitter,
            wire=wire,
            trace=trace,
            timeout=timeout,
        )
        self.processor = processor
        self.publications: list[Publication[M]] = []
        self.hosts: dict[str, SimulatedHost[E]] = {}
        self.duplicates = 0  #: messages that reached a host a second time
        self._numbers: dict[tuple[RouterId, int, int], Publication[M]] = {}

    def attach(self, host: str, router: RouterId) -> None:
        """A host comes to a router."""
        node = self._node(router)
        if host in self.hosts:
            raise NetworkError(f"there is a host named {host!r} already")
        self.hosts[host] = SimulatedHost(host, router)
        node.hosts.append(host)
        if node.is_alive:
            node.router.attach(host)

    def detach(self, host: str) -> None:
        """A host leaves, and with it all that it has subscribed to."""
        known = self._host(host)
        for interest, times in list(known.interests.items()):
            for _ in list(times):
                self.unsubscribe(host, interest)
        node = self.nodes[known.router]
        node.hosts.remove(host)
        if node.is_alive:
            node.router.detach(host)
        del self.hosts[host]

    def subscribe(self, host: str, interest: Interest) -> None:
        """A host asks for something."""
        known = self._host(host)
        node = self.nodes[known.router]
        entries = self.processor.subscribe(interest)
        try:
            if node.is_alive:
                node.router.subscribe(host, entries)
        except Exception:
            self.processor.unsubscribe(interest)
            raise
        known.interests.setdefault(interest, []).append(entries)
        self._note("subscribe", node.id, host, interest)
        self._stir(node)

    def unsubscribe(self, host: str, interest: Interest) -> None:
        """A host no longer asks for something that it has asked for."""
        known = self._host(host)
        if interest not in known.interests:
            raise NetworkError(f"host {host!r} has not subscribed to {interest!r}")
        entries = known.interests[interest].pop()
        if not known.interests[interest]:
            del known.interests[interest]
        self.processor.unsubscribe(interest)
        node = self.nodes[known.router]
        if node.is_alive:
            node.router.unsubscribe(host, entries)
        self._note("unsubscribe", node.id, host, interest)
        self._stir(node)

    def publish(
        self, source: RouterId, message: M, *, host: str | None = None, payload: bytes = b""
    ) -> Publication[M]:
        """A message is published at a source, by the router itself or by a host there."""
        node = self._node(source)
        if not node.is_alive:
            raise NetworkError(f"router {source} is down")
        publication = Publication(len(self.publications), message, source, host, self.now)
        router = node.router
        headers = self.processor.headers(message)
        actions = router.publish(host, headers, payload)
        self.publications.append(publication)
        self._note("publish", source, host, publication)
        self._numbers[source, router.incarnation, router.published - len(headers)] = publication
        self._act(node, actions)
        return publication

    def _come_back(self, node: Node) -> None:
        for name in node.hosts:
            node.router.attach(name)
            for times in self.hosts[name].interests.values():
                for entries in times:
                    node.router.subscribe(name, entries)

    def _deliver(self, name: str, message: Message[H]) -> None:
        host = self.hosts[name]
        window = host.seen.get(message.source)
        if window is None:
            window = host.seen[message.source] = Window()
        if not window.first(message.incarnation, message.first):
            self.duplicates += 1
            return
        publication = self._numbers[message.source, message.incarnation, message.first]
        publication.hosts.append(name)
        publication.latencies.append(self.now - publication.at)
        host.received += 1
        if self.trace is not None:
            self._note("deliver", host.router, name, publication)

    def _host(self, host: str) -> SimulatedHost[E]:
        try:
            return self.hosts[host]
        except KeyError:
            raise NetworkError(f"there is no host named {host!r}") from None
