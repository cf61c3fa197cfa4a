"""The graph as link states tell it, and the tree of each source in it.

A link is in the graph when both of its ends name it, at the greater of the two costs. The tree of a source
is made of the cheapest paths from it; of equally cheap ones each router takes the neighbour of the least
id. So a tree depends on the graph alone, and routers that know the same graph agree on every tree.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import Final, NamedTuple

from penstock.network.frame import LinkState, RouterId

__all__ = ["Atlas", "Graph", "Route"]

GRAPHS: Final = 32


class Route(NamedTuple):
    """A router's place in the tree of a source: the next hop towards it, and those that come after."""

    parent: RouterId | None  #: none at the source itself
    children: frozenset[RouterId]


class Graph:
    """Who is linked to whom, and who publishes; trees are made when they are asked for, and kept."""

    __slots__ = ("_trees", "links", "sources")

    def __init__(self, states: Mapping[RouterId, LinkState]) -> None:
        told = {router: dict(state.neighbours) for router, state in states.items()}
        self.links: dict[RouterId, dict[RouterId, int]] = {
            router: {
                near: max(cost, told[near][router])
                for near, cost in costs.items()
                if near in told and router in told[near]
            }
            for router, costs in told.items()
        }
        self.sources = sorted(router for router, state in states.items() if state.source)
        self._trees: dict[RouterId, dict[RouterId, RouterId]] = {}

    def tree(self, source: RouterId) -> dict[RouterId, RouterId]:
        """The parent of each router that the source reaches, but the source's own."""
        found = self._trees.get(source)
        if found is None:
            found = self._trees[source] = self._grow(source)
        return found

    def routes(self, router: RouterId) -> dict[RouterId, Route]:
        """The place of a router in the tree of each source that reaches it."""
        near = self.links.get(router, {})
        routes = {}
        for source in self.sources:
            tree = self.tree(source)
            parent = tree.get(router)
            if parent is not None or source == router:
                children = frozenset(other for other in near if tree.get(other) == router)
                routes[source] = Route(parent, children)
        return routes

    def inherit(self, earlier: "Graph") -> None:
        """Take over the trees of another graph, as far as they are the same in this one.

        With the same links all are. If links are only missing here, so are the trees that did not use them:
        no way has become shorter, and none of equal cost has come up.
        """
        if self.links == earlier.links:
            self._trees = earlier._trees
            return
        missing = list(_missing(earlier.links, self.links))
        if next(_missing(self.links, earlier.links), None) is None:
            for source, tree in earlier._trees.items():
                if source in self.links and all(tree.get(one) != other for one, other in missing):
                    self._trees[source] = tree

    def _grow(self, source: RouterId) -> dict[RouterId, RouterId]:
        distances = {source: 0}
        tree: dict[RouterId, RouterId] = {}
        heap = [(0, source)]
        while heap:
            distance, router = heappop(heap)
            if distance > distances[router]:
                continue
            for near, cost in self.links[router].items():
                there = distance + cost
                known = distances.get(near)
                if known is None or there < known:
                    distances[near] = there
                    tree[near] = router
                    heappush(heap, (there, near))
                elif there == known and near != source and router < tree[near]:
                    tree[near] = router
        return tree


def _missing(
    links: Mapping[RouterId, Mapping[RouterId, int]], others: Mapping[RouterId, Mapping[RouterId, int]]
) -> Iterator[tuple[RouterId, RouterId]]:
    """The links, in both directions, that are not among the others at the same cost."""
    for router, near in links.items():
        there = others.get(router, {})
        if near != there:
            yield from ((router, other) for other, cost in near.items() if there.get(other) != cost)


class Atlas:
    """The graphs of late, so that routers in one process share them, and graphs share trees."""

    __slots__ = ("_graphs",)

    def __init__(self) -> None:
        self._graphs: OrderedDict[int, tuple[dict[RouterId, LinkState], Graph]] = OrderedDict()

    def graph(self, digest: int, states: Mapping[RouterId, LinkState]) -> Graph:
        """The graph of these states; the digest finds it, and equality confirms it."""
        found = self._graphs.get(digest)
        if found is not None and found[0] == states:
            self._graphs.move_to_end(digest)
            return found[1]
        graph = Graph(states)
        others = [other for _, other in reversed(self._graphs.values())]
        alike = [other for other in others if other.links == graph.links]
        for other in (alike or others)[:1]:
            graph.inherit(other)
        self._graphs[digest] = dict(states), graph
        if len(self._graphs) > GRAPHS:
            self._graphs.popitem(last=False)
        return graph
