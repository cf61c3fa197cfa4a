"""Trees are those of cheapest paths, alike for all who know the graph; link states replace older ones."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from networks import graphs
from penstock.network import linkstate
from penstock.network.frame import LinkState, RouterId
from penstock.network.graph import GRAPHS, Atlas, Graph
from penstock.network.linkstate import LinkStates
from penstock.network.topology import Topology


def states_of(topology: Topology, sources: list[RouterId]) -> dict[RouterId, LinkState]:
    """What the routers of a network say when all links are up."""
    costs: dict[RouterId, dict[RouterId, int]] = {router: {} for router in topology.routers}
    for link in topology.links:
        costs[link.one][link.other] = costs[link.other][link.one] = link.cost
    return {
        router: LinkState(router, 0, 0, router in sources, tuple(sorted(near.items())))
        for router, near in costs.items()
    }


def distances(graph: Graph) -> dict[tuple[RouterId, RouterId], float]:
    """The cheapest way between any two, found in the plainest manner."""
    names = list(graph.links)
    found = {(a, b): 0 if a == b else graph.links[a].get(b, float("inf")) for a, b in product(names, names)}
    for middle, a, b in product(names, names, names):
        found[a, b] = min(found[a, b], found[a, middle] + found[middle, b])
    return found


@given(graphs(7), st.data())
def test_trees_are_made_of_cheapest_paths_and_the_least_neighbours(
    topology: Topology, data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(topology.routers))
    graph = Graph(states_of(topology, [source]))
    cheapest = distances(graph)
    tree = graph.tree(source)
    assert tree.keys() == set(topology.routers) - {source}
    for router, parent in tree.items():
        through = {near: cheapest[source, near] + cost for near, cost in graph.links[router].items()}
        assert through[parent] == cheapest[source, router]
        assert parent == min(near for near, cost in through.items() if cost == through[parent])


@given(graphs(7), st.data())
def test_parents_and_children_agree_along_every_tree(topology: Topology, data: st.DataObject) -> None:
    sources = data.draw(st.lists(st.sampled_from(topology.routers), unique=True))
    graph = Graph(states_of(topology, sources))
    routes = {router: graph.routes(router) for router in topology.routers}
    for router, places in routes.items():
        assert list(places) == sorted(sources)
        for source, (parent, children) in places.items():
            assert (parent is None) == (router == source)
            assert parent is None or router in routes[parent][source].children
            assert all(routes[child][source].parent == router for child in children)


def test_a_link_needs_both_ends_and_costs_what_the_dearer_one_says() -> None:
    graph = Graph(
        {
            1: LinkState(1, 0, 0, True, ((2, 5), (3, 1), (9, 1))),
            2: LinkState(2, 0, 0, False, ((1, 7),)),
            3: LinkState(3, 0, 0, False, ()),
        }
    )
    assert graph.links == {1: {2: 7}, 2: {1: 7}, 3: {}}
    assert graph.tree(1) == {2: 1}
    assert graph.routes(3) == {}


ages = st.tuples(st.integers(0, 2), st.integers(0, 3))


@given(st.lists(ages))
def test_only_the_latest_word_counts(offered: list[tuple[int, int]]) -> None:
    states = LinkStates(1)
    for age in offered:
        before = states.get(7)
        heard = states.hear([LinkState(7, *age, False, ())])
        assert heard.news == [7] * (before is None or age > before.age)
        assert heard.same == [7] * (before is not None and age == before.age)
    assert {state.age for state in states.values()} == ({max(offered)} if offered else set())
    assert len(states) == bool(offered)


def test_equal_graphs_are_one_and_few_are_kept() -> None:
    atlas = Atlas()
    one, other = LinkStates(3), LinkStates(3)
    for states, order in ((one, (1, 2)), (other, (2, 1))):
        states.hear(LinkState(router, 0, 0, True, ((3 - router, 1),)) for router in order)
    graph = one.graph(atlas)
    assert other.graph(atlas) is graph
    for sequence in range(1, GRAPHS + 1):
        one.hear([LinkState(1, 0, sequence, True, ())])
        assert one.graph(atlas).links == {1: {}, 2: {}}
    assert other.graph(atlas) is not graph
    assert other.graph(atlas).links == graph.links


def test_a_digest_that_two_graphs_share_does_not_mix_them_up() -> None:
    atlas = Atlas()
    state = LinkState(1, 0, 0, True, ())
    assert atlas.graph(5, {1: state}).sources == [1]
    assert atlas.graph(5, {}).sources == []


def test_how_much_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linkstate, "MAX_ROUTERS", 3)
    monkeypatch.setattr(linkstate, "MAX_LINKS", 4)
    states = LinkStates(1)
    states.say(LinkState(1, 0, 0, True, ((2, 1),)))
    heard = states.hear(LinkState(router, 0, 0, False, ()) for router in (2, 3, 4))
    assert heard.news == [2, 3], "one router too many"
    assert states.hear([LinkState(2, 0, 1, False, ((1, 1), (3, 1), (4, 1)))]).news == [2]
    assert states.hear([LinkState(3, 0, 1, False, ((1, 1),))]).news == [], "one link too many"
    assert states.hear([LinkState(2, 0, 2, False, ())]).news == [2]
    assert states.hear([LinkState(3, 0, 1, False, ((1, 1),))]).news == [3]


@given(st.lists(graphs(6), min_size=1, max_size=3), st.data())
def test_trees_that_are_taken_over_are_those_that_would_be_grown(
    topologies: list[Topology], data: st.DataObject
) -> None:
    atlas = Atlas()
    states = states_of(data.draw(st.sampled_from(topologies)), [])
    for number in range(data.draw(st.integers(1, 8))):
        router = data.draw(st.sampled_from(sorted(states)))
        wanted = states_of(data.draw(st.sampled_from(topologies)), []).get(router, states[router]).neighbours
        chosen = data.draw(st.sets(st.sampled_from(wanted))) if wanted else set()
        states[router] = LinkState(router, 0, number, False, tuple(sorted(chosen)))
        graph, grown = atlas.graph(number, states), Graph(states)
        for source in states:
            assert graph.tree(source) == grown.tree(source)
