"""What the tests of the network share: small networks, an application in all five formats, brute force.

The application is traffic alerts with few exits, so that interests meet, contain and repeat each other;
full content says the same in filters. `wanted` and `core_rule` are the plain definitions that routers must
agree with.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from penstock.network.frame import ALL, RouterId, Sources
from penstock.network.node import Node, Publication
from penstock.network.router import Router
from penstock.network.simulation import Simulation
from penstock.network.topology import Link, Topology
from penstock.structures import (
    ContentProcessor,
    DisjointProcessor,
    Format,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
)
from penstock.structures.traffic import Alert, Exits, Traffic

EXITS = 6
TRAFFIC = Traffic(EXITS)

AnySimulation = Simulation[Any, Any, Any, Any]


class TrafficInFilters:
    """The same application with full content: exits become a filter, an alert two attributes."""

    def __init__(self) -> None:
        self._content = ContentProcessor()
        self.format = self._content.format

    def subscribe(self, interest: Exits) -> Sequence[Any]:
        return self._content.subscribe(self._filter(interest))

    def unsubscribe(self, interest: Exits) -> Sequence[Any]:
        return self._content.unsubscribe(self._filter(interest))

    def headers(self, message: Alert) -> Sequence[Any]:
        return self._content.headers({"first": message[0], "last": message[1]})

    def wants(self, interest: Exits, message: Alert) -> bool:
        return TRAFFIC.wants(interest, message)

    @staticmethod
    def _filter(interest: Exits) -> str:
        first, last = TRAFFIC.topic(interest)
        return f"last > {first} AND first <= {last}"


PROCESSORS: dict[str, Callable[[], Any]] = {
    "content": TrafficInFilters,
    "overlapping": lambda: OverlappingProcessor(TRAFFIC),
    "disjoint": lambda: DisjointProcessor(TRAFFIC),
    "list": lambda: ListProcessor(TRAFFIC),
    "graph": lambda: GraphProcessor(TRAFFIC),
}
processors = st.sampled_from(sorted(PROCESSORS)).map(lambda name: PROCESSORS[name]())

interests: st.SearchStrategy[Exits] = st.tuples(st.integers(1, EXITS), st.integers(1, EXITS)).map(
    lambda pair: (min(pair[0], EXITS - 1), max(min(pair[0], EXITS - 1) + 1, pair[1]))
)
alerts: st.SearchStrategy[Alert] = st.tuples(st.integers(1, EXITS), st.integers(1, EXITS)).map(
    lambda pair: (min(pair), max(pair))
)


@st.composite
def trees(draw: st.DrawFn, most: int = 7) -> Topology:
    """Each router hangs on one before it."""
    count = draw(st.integers(1, most))
    links = [Link(draw(st.integers(0, i - 1)), i, *draw(weights)) for i in range(1, count)]
    return Topology(tuple(range(count)), tuple(links))


weights = st.tuples(st.integers(1, 3), st.integers(1, 4))


@st.composite
def graphs(draw: st.DrawFn, most: int = 6) -> Topology:
    """A tree with further links: connected, mostly with cycles, with equal and unequal costs."""
    spanning = draw(trees(most))
    count = len(spanning.routers)
    known = {link.ends for link in spanning.links}
    others = [(i, j) for i in range(count) for j in range(i + 1, count) if (i, j) not in known]
    chosen = draw(st.lists(st.sampled_from(others), unique=True, max_size=5)) if others else []
    return Topology(spanning.routers, spanning.links + tuple(Link(*pair, *draw(weights)) for pair in chosen))


@st.composite
def meshes(draw: st.DrawFn) -> Topology:
    """Up to ten routers with many cycles: trees of different sources differ, also beyond one link."""
    spanning = draw(trees(10))
    count = len(spanning.routers)
    chance = Random(draw(st.integers(0, 999)))
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    known = {link.ends for link in spanning.links}
    extra = [pair for pair in chance.sample(pairs, min(len(pairs), 6)) if pair not in known]
    links = tuple(Link(*pair, chance.randint(1, 3), chance.randint(1, 4)) for pair in extra)
    return Topology(spanning.routers, spanning.links + links)


def some(items: Iterable[Any], least: int = 0) -> st.SearchStrategy[list[Any]]:
    """Some of them, each once."""
    return st.lists(st.sampled_from(list(items)), unique=True, min_size=least)


def populate(sim: AnySimulation, held: dict[str, list[Exits]]) -> None:
    """Put host `h3.1` to router 3, and let it subscribe."""
    for host, wanted in held.items():
        sim.attach(host, router_of(host))
        for interest in wanted:
            sim.subscribe(host, interest)


def router_of(host: str) -> RouterId:
    """The router that a host's name tells."""
    return int(host[1:].partition(".")[0])


@st.composite
def populations(draw: st.DrawFn, topology: Topology) -> dict[str, list[Exits]]:
    """Hosts at some routers, with some interests each."""
    names = [f"h{router}.{number}" for router in topology.routers for number in range(2)]
    return {host: draw(st.lists(interests, max_size=3)) for host in draw(some(names))}


@st.composite
def sparse_populations(draw: st.DrawFn, topology: Topology) -> dict[str, list[Exits]]:
    """A host at some routers, with one of two interests, so that the same is asked for in several places."""
    chosen = draw(some(topology.routers))
    return {f"h{router}": [draw(st.sampled_from([(1, 3), (2, 3)]))] for router in chosen}


# Brute force


def reached(sim: AnySimulation, start: RouterId) -> set[RouterId]:
    """The routers that a frame can reach from here."""
    found, todo = {start}, [start]
    while todo:
        for wire in sim.nodes[todo.pop()].wires.values():
            if wire.works and wire.end.id not in found:
                found.add(wire.end.id)
                todo.append(wire.end.id)
    return found


def wanted(sim: AnySimulation, publication: Publication[Any]) -> list[str]:
    """The hosts that should get a message, from first principles."""
    near = reached(sim, publication.source)
    return sorted(
        name
        for name, host in sim.hosts.items()
        if host.router in near
        and name != publication.host
        and any(sim.processor.wants(interest, publication.message) for interest in host.interests)
    )


def publish(sim: AnySimulation, source: RouterId, message: Any, host: str | None = None) -> Publication[Any]:
    """Publish at rest, and wait until all have it."""
    sim.at_rest()
    publication = sim.publish(source, message, host=host, payload=b"payload")
    sim.at_rest()
    return publication


def plain_maximal(entries: Iterable[Any], format_: Format[Any, Any]) -> set[Any]:
    """Those over which there is no other; of equals the least by encoding."""
    distinct = set(entries)

    def is_over(one: Hashable, other: Hashable) -> bool:
        return format_.covers(one, other) and (
            not format_.covers(other, one) or format_.encode_entry(one) < format_.encode_entry(other)
        )

    return {each for each in distinct if not any(is_over(other, each) for other in distinct if other != each)}


def core_rule(router: Router[Any, Any], neighbour: RouterId) -> dict[Any, Sources]:
    """Out(neighbour), from In as it is, source by source."""
    beyond = [source for source, route in router.routes.items() if route.parent == neighbour]
    found: dict[Any, set[RouterId]] = {}
    for source in beyond:
        union = [entry for held in router.hosts.values() for entry in held]
        for child in router.routes[source].children:
            union += [
                entry
                for entry, sources in router.learned(child).items()
                if sources is ALL or source in sources
            ]
        for entry in plain_maximal(union, router.format):
            found.setdefault(entry, set()).add(source)
    return {
        entry: ALL if len(sources) == len(beyond) else frozenset(sources) for entry, sources in found.items()
    }


def assert_core_rule(sim: AnySimulation) -> None:
    """Every Out is what the rule says, and what the neighbour has learned."""
    for node in alive(sim):
        for near in node.router.neighbours:
            assert dict(node.router.told(near)) == core_rule(node.router, near)
            assert dict(node.router.told(near)) == dict(sim.nodes[near].router.learned(node.id))


def assert_fresh(sim: AnySimulation) -> None:
    """Nothing tells that the network ever was different."""
    made = fresh(sim)
    assert state(sim) == state(made)
    for host in list(made.hosts):
        made.detach(host)  # the processor counts who holds what


def alive(sim: AnySimulation) -> list[Node]:
    """The nodes that work."""
    return [node for node in sim.nodes.values() if node.is_alive]


def state(sim: AnySimulation) -> dict[RouterId, Any]:
    """All that routers have learned and told, to be compared with that of another network."""
    return {
        node.id: {
            "neighbours": sorted(node.router.neighbours),
            "routes": dict(node.router.routes),
            "in": {near: dict(node.router.learned(near)) for near in node.wires if node.router.learned(near)},
            "out": {near: dict(node.router.told(near)) for near in node.router.neighbours},
            "hosts": {host: dict(held) for host, held in node.router.hosts.items()},
            "ids": node.router.ids,
        }
        for node in alive(sim)
    }


def survivors(sim: AnySimulation) -> Topology:
    """The part of the network that works."""
    routers = tuple(node.id for node in alive(sim))
    links = {wire.link for node in alive(sim) for wire in node.wires.values() if wire.works}
    return Topology(routers, tuple(sorted(links)))


def fresh(sim: AnySimulation) -> AnySimulation:
    """A new network of what works and what is still subscribed, at rest."""
    sources = [node.id for node in alive(sim) if node.router.is_source]
    made: AnySimulation = Simulation(survivors(sim), sim.processor, sources=sources)
    made.at_rest()
    for name, host in sim.hosts.items():
        if host.router in made.nodes:
            made.attach(name, host.router)
            for interest, times in host.interests.items():
                for _ in times:
                    made.subscribe(name, interest)
    made.at_rest()
    return made
