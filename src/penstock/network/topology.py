"""Routers and the links between them, as a value; and plain shapes: line, star, tree, ring, and others.

A link has a cost, which decides what trees look like, and a latency in microseconds. There is at most one
link between two routers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from penstock.errors import TopologyError
from penstock.network.frame import MAX_COST, MAX_ROUTER, RouterId

__all__ = ["Link", "Topology", "complete", "line", "random_graph", "ring", "star", "tree"]

LATENCY: Final = 1_000


class Link(NamedTuple):
    """Two routers that speak to each other."""

    one: RouterId
    other: RouterId
    cost: int = 1
    latency: int = LATENCY

    @property
    def ends(self) -> tuple[RouterId, RouterId]:
        """Both routers, the lesser id first."""
        return (self.one, self.other) if self.one < self.other else (self.other, self.one)


@dataclass(frozen=True, slots=True)
class Topology:
    """A network before anything happens in it; it need not be connected."""

    routers: tuple[RouterId, ...]
    links: tuple[Link, ...]

    def __post_init__(self) -> None:
        known = set(self.routers)
        if len(known) < len(self.routers):
            raise TopologyError("a router is named twice")
        if not all(0 <= router <= MAX_ROUTER for router in known):
            raise TopologyError(f"the ids of routers are from 0 to {MAX_ROUTER:,}")
        seen = set()
        for link in self.links:
            place = f"link {link.one}-{link.other}"
            if link.one == link.other or not {link.one, link.other} <= known:
                raise TopologyError("a link joins two routers of the network", place)
            if link.ends in seen:
                raise TopologyError("there is another link between the two", place)
            if not 1 <= link.cost <= MAX_COST or link.latency < 1:
                raise TopologyError(f"cost (up to {MAX_COST:,}) and latency are at least 1", place)
            seen.add(link.ends)

    @classmethod
    def of(cls, links: Iterable[Link | tuple[int, ...]], routers: Iterable[RouterId] = ()) -> "Topology":
        """The network of these links: (one, other), (one, other, cost) or (one, other, cost, latency)."""
        made = tuple(Link(*link) for link in links)
        names = {*routers, *(end for link in made for end in (link.one, link.other))}
        return cls(tuple(sorted(names)), made)


def line(count: int) -> Topology:
    """Routers 0 to count - 1, one after the other."""
    return Topology.of(((i, i + 1) for i in range(count - 1)), range(_at_least(1, count)))


def star(count: int) -> Topology:
    """Router 0 in the middle of all others."""
    return Topology.of(((0, i) for i in range(1, count)), range(_at_least(1, count)))


def ring(count: int) -> Topology:
    """Routers in a circle."""
    _at_least(3, count)
    return Topology.of((i, (i + 1) % count) for i in range(count))


def complete(count: int) -> Topology:
    """Every two routers have a link."""
    return Topology.of(combinations(range(count), 2), range(_at_least(1, count)))


def tree(count: int, *, seed: int = 0, degree: int | None = None) -> Topology:
    """A random tree, each router linked to one before it; with a degree, the full tree of that degree."""
    _at_least(1, count)
    if degree is not None:
        _at_least(1, degree)
        return Topology.of((((i - 1) // degree, i) for i in range(1, count)), range(count))
    draw = Random(seed)
    return Topology.of(((draw.randrange(i), i) for i in range(1, count)), range(count))


def random_graph(count: int, probability: float, *, seed: int = 0) -> Topology:
    """Each two routers have a link with this probability, and a random tree keeps all connected."""
    if not 0 <= probability <= 1:
        raise TopologyError(f"a probability is from 0 to 1, not {probability}")
    draw = Random(seed)
    spanning = tree(count, seed=seed)
    known = {link.ends for link in spanning.links}
    extra = [
        Link(*pair)
        for pair in combinations(range(count), 2)
        if draw.random() < probability and pair not in known
    ]
    return Topology(spanning.routers, (*spanning.links, *extra))


def _at_least(least: int, count: int) -> int:
    if count < least:
        raise TopologyError(f"this shape needs at least {least}, not {count}")
    return count
