"""Topologies are connected where they should be, drawn alike from a seed, and refused if they are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.errors import TopologyError
from penstock.network.topology import (
    Link,
    Topology,
    complete,
    line,
    random_graph,
    ring,
    star,
    tree,
)
from penstock.network.transit_stub import TransitStub


def component(topology: Topology) -> set[int]:
    """The routers that the first one reaches."""
    near: dict[int, list[int]] = {router: [] for router in topology.routers}
    for link in topology.links:
        near[link.one].append(link.other)
        near[link.other].append(link.one)
    found, todo = {topology.routers[0]}, [topology.routers[0]]
    while todo:
        for other in near[todo.pop()]:
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


SHAPES = {
    "line": (line(7), 7, 6),
    "one router": (line(1), 1, 0),
    "star": (star(7), 7, 6),
    "tree": (tree(7, seed=3), 7, 6),
    "binary tree": (tree(7, degree=2), 7, 6),
    "ring": (ring(7), 7, 7),
    "complete": (complete(7), 7, 21),
    "random": (random_graph(7, 0.0, seed=3), 7, 6),
    "all links": (random_graph(7, 1.0, seed=3), 7, 21),
}


@pytest.mark.parametrize(("topology", "routers", "links"), SHAPES.values(), ids=SHAPES)
def test_shapes_are_connected_and_as_large_as_they_should_be(
    topology: Topology, routers: int, links: int
) -> None:
    assert topology.routers == tuple(range(routers))
    assert len(topology.links) == links
    assert component(topology) == set(range(routers))


def test_a_full_tree_has_its_degree() -> None:
    assert [link.ends for link in tree(6, degree=2).links] == [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5)]


@given(st.integers(1, 30), st.floats(0, 1), st.integers(0, 5))
def test_random_graphs_are_connected_and_drawn_alike(count: int, probability: float, seed: int) -> None:
    topology = random_graph(count, probability, seed=seed)
    assert component(topology) == set(range(count))
    assert topology == random_graph(count, probability, seed=seed)


@given(
    st.builds(
        TransitStub,
        domains=st.integers(1, 3),
        transit=st.integers(1, 4),
        stubs=st.integers(0, 2),
        stub=st.integers(1, 4),
        extra_transit_stub=st.integers(0, 5),
        extra_stub_stub=st.integers(0, 5),
    ),
    st.integers(0, 5),
)
def test_transit_stub_networks_are_connected_and_drawn_alike(shape: TransitStub, seed: int) -> None:
    topology = shape.topology(seed)
    assert len(topology.routers) == shape.routers
    assert component(topology) == set(topology.routers)
    assert topology == shape.topology(seed)


def test_the_network_of_the_experiments_has_1200_routers() -> None:
    shape = TransitStub()
    topology = shape.topology(1)
    assert len(topology.routers) == shape.routers == 1_200
    kinds = [sum(link.cost == cost for link in topology.links) for cost in shape.costs]
    assert kinds[0] >= 3
    assert 4 * 11 <= kinds[1] <= 4 * 66
    assert 144 < kinds[2] <= 144 + 150
    assert kinds[3] >= 144 * 7
    assert topology != shape.topology(2)


WRONG = {
    "twice the same router": lambda: Topology((1, 1), ()),
    "a negative id": lambda: Topology((-1,), ()),
    "a link to itself": lambda: Topology((1,), (Link(1, 1),)),
    "a link to nowhere": lambda: Topology((1,), (Link(1, 2),)),
    "twice the same link": lambda: Topology.of([(1, 2), (2, 1)]),
    "a link that costs nothing": lambda: Topology.of([(1, 2, 0)]),
    "a link that takes no time": lambda: Topology.of([(1, 2, 1, 0)]),
    "a ring of two": lambda: ring(2),
    "no router at all": lambda: line(0),
    "a probability above 1": lambda: random_graph(3, 1.5),
    "an empty stub": lambda: TransitStub(stub=0),
    "links less than never": lambda: TransitStub(stub_links=-0.5),
}


@pytest.mark.parametrize("make", WRONG.values(), ids=WRONG)
def test_what_is_no_network_is_refused(make: object) -> None:
    with pytest.raises(TopologyError):
        make()  # type: ignore[operator]


def test_the_error_says_which_link() -> None:
    with pytest.raises(TopologyError, match="link 2-1: there is another link between the two"):
        Topology.of([(1, 2), (2, 1)])
