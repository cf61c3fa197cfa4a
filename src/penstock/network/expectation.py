"""Who should get a message, from first principles: what deliveries in trouble are measured against.

A host should get a message that it has asked for if it could be reached when the message was published.
"""

from collections.abc import Hashable
from typing import Any

from penstock.network.frame import RouterId
from penstock.network.simulation import Simulation
from penstock.structures import Application

__all__ = ["Expectation"]


class Expectation:
    """Interests and who holds them, indexed by the application itself and not by any router."""

    def __init__(self, sim: Simulation[Any, Any, Any, Any], application: Application[Any, Any, Any]) -> None:
        self._sim = sim
        self._application = application
        self._index = application.index()
        self._ids: dict[Hashable, int] = {}
        self._holders: dict[int, dict[str, int]] = {}
        self._next = 0
        self._near: dict[RouterId, frozenset[RouterId]] = {}

    def subscribe(self, host: str, interest: Any) -> None:
        """A host asks for something."""
        topic = self._application.topic(interest)
        if topic not in self._ids:
            self._ids[topic] = self._next
            self._index.add(self._next, topic)
            self._holders[self._next] = {}
            self._next += 1
        held = self._holders[self._ids[topic]]
        held[host] = held.get(host, 0) + 1

    def unsubscribe(self, host: str, interest: Any) -> None:
        """A host no longer asks for it."""
        topic = self._application.topic(interest)
        id_ = self._ids[topic]
        held = self._holders[id_]
        held[host] -= 1
        if not held[host]:
            del held[host]
        if not held:
            del self._holders[id_], self._ids[topic]
            self._index.remove(id_)

    def links_changed(self) -> None:
        """A link or a router has failed or is back."""
        self._near.clear()

    def hosts(self, source: RouterId, message: Any) -> set[str]:
        """The hosts that should get a message that is published now."""
        near = self._near.get(source)
        if near is None:
            near = self._near[source] = self._reached(source)
        hosts = self._sim.hosts
        return {
            host
            for id_ in self._index.match(message)
            for host in self._holders[id_]
            if hosts[host].router in near
        }

    def _reached(self, source: RouterId) -> frozenset[RouterId]:
        found, todo = {source}, [self._sim.nodes[source]]
        while todo:
            for wire in todo.pop().wires.values():
                if wire.works and wire.end.id not in found:
                    found.add(wire.end.id)
                    todo.append(wire.end)
        return frozenset(found)
