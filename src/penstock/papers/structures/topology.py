"""A transit-stub network of 1,200 routers in the proportions that come close to the paper's tables."""

from itertools import combinations
from random import Random

__all__ = ["Graph", "transit_stub"]

Graph = dict[int, list[int]]

DOMAINS, TRANSIT, STUBS, STUB = 4, 12, 3, 8  # domains, routers of each, stubs on each, routers of each
EDGE, EXTRA = 0.6, 150


def transit_stub(seed: int) -> Graph:
    """Transit domains in a ring, stubs on each of their routers, and some stubs with a second way out."""
    draw = Random(f"transit-stub {seed}")
    transit = DOMAINS * TRANSIT
    graph: Graph = {router: [] for router in range(transit * (1 + STUBS * STUB))}
    domains = [range(first, first + TRANSIT) for first in range(0, transit, TRANSIT)]
    for domain, following in zip(domains, domains[1:] + domains[:1], strict=True):
        _connect(graph, domain, draw)
        _join(graph, draw.choice(domain), draw.choice(following))
    for number, first in enumerate(range(transit, len(graph), STUB)):
        _connect(graph, range(first, first + STUB), draw)
        _join(graph, number // STUBS, first + draw.randrange(STUB))
    for _ in range(EXTRA):
        _join(graph, draw.randrange(transit), draw.randrange(transit, len(graph)))
    return graph


def _connect(graph: Graph, members: range, draw: Random) -> None:
    for place, member in enumerate(members[1:], 1):
        _join(graph, draw.choice(members[:place]), member)
    for one, other in combinations(members, 2):
        if draw.random() < EDGE:
            _join(graph, one, other)


def _join(graph: Graph, one: int, other: int) -> None:
    if other not in graph[one]:
        graph[one].append(other)
        graph[other].append(one)
