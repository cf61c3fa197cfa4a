"""Transit-stub networks in the manner of GT-ITM: transit domains, and stubs on each of their routers.

Every domain and stub is a random connected graph. Costs keep traffic where it belongs: paths within a stub
stay in it, and no path between others leads through a stub if it can be helped.
"""

from dataclasses import dataclass
from itertools import combinations
from random import Random

from penstock.errors import TopologyError
from penstock.network.topology import Link, Topology

__all__ = ["TransitStub"]


@dataclass(frozen=True, slots=True)
class TransitStub:
    """The parameters; the defaults make the 1,200 routers of the match-structure experiments."""

    domains: int = 4  #: transit domains
    transit: int = 12  #: routers of each
    stubs: int = 3  #: stubs on each transit router
    stub: int = 8  #: routers of each
    domain_links: float = 0.5  #: probability of a link between two domains, beside a tree of all
    transit_links: float = 0.5  #: between two routers of a domain
    stub_links: float = 0.6  #: between two routers of a stub
    extra_transit_stub: int = 150  #: further links from a transit router to a stub router
    extra_stub_stub: int = 0  #: further links between routers of different stubs
    costs: tuple[int, int, int, int] = (4, 2, 3, 1)  #: between domains, in one, to a stub, in a stub
    latencies: tuple[int, int, int, int] = (
        20_000,
        10_000,
        5_000,
        1_000,
    )  #: of the same four, in microseconds

    def __post_init__(self) -> None:
        if min(self.domains, self.transit, self.stub) < 1 or min(self.stubs, *self._extra) < 0:
            raise TopologyError("domains, transit and stub are at least 1, the other counts at least 0")
        if not all(0 <= p <= 1 for p in (self.domain_links, self.transit_links, self.stub_links)):
            raise TopologyError("the probability of links is from 0 to 1")

    @property
    def _extra(self) -> tuple[int, int]:
        return self.extra_transit_stub, self.extra_stub_stub

    @property
    def routers(self) -> int:
        """How many there are: transit routers first, then stub by stub."""
        return self.domains * self.transit * (1 + self.stubs * self.stub)

    def topology(self, seed: int = 0) -> Topology:
        """Draw a network."""
        draw = Random(seed)
        transit = self.domains * self.transit
        links: dict[tuple[int, int], Link] = {}

        def join(one: int, other: int, kind: int) -> None:
            link = Link(one, other, self.costs[kind], self.latencies[kind])
            links.setdefault(link.ends, link)

        for one, other in _connected(range(self.domains), self.domain_links, draw):
            ends = [domain * self.transit + draw.randrange(self.transit) for domain in (one, other)]
            join(ends[0], ends[1], 0)
        for first in range(0, transit, self.transit):
            for pair in _connected(range(first, first + self.transit), self.transit_links, draw):
                join(*pair, 1)
        for number, first in enumerate(range(transit, self.routers, self.stub)):
            for pair in _connected(range(first, first + self.stub), self.stub_links, draw):
                join(*pair, 3)
            join(number // self.stubs, first + draw.randrange(self.stub), 2)
        for one, other in self._further(draw, transit):
            join(one, other, 2)
        return Topology(tuple(range(self.routers)), tuple(links.values()))

    def _further(self, draw: Random, transit: int) -> list[tuple[int, int]]:
        """The further links, from a stub to a transit router or to another stub."""
        if self.routers == transit:
            return []
        found = [
            (draw.randrange(transit), draw.randrange(transit, self.routers))
            for _ in range(self.extra_transit_stub)
        ]
        for _ in range(self.extra_stub_stub):
            one, other = draw.randrange(transit, self.routers), draw.randrange(transit, self.routers)
            if (one - transit) // self.stub != (other - transit) // self.stub:
                found.append((one, other))
        return found


def _connected(members: range, probability: float, draw: Random) -> list[tuple[int, int]]:
    """A random tree of all members, and each other pair with this probability."""
    tree = [(draw.choice(members[:place]), member) for place, member in enumerate(members) if place]
    known = set(tree)
    return tree + [
        pair for pair in combinations(members, 2) if draw.random() < probability and pair not in known
    ]
