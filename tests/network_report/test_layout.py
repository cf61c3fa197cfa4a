"""Routers are drawn within the picture, apart from each other, near their neighbours, and always alike."""

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.network import Topology, TransitStub, complete, line, random_graph, ring, star, tree
from penstock.network_report.layout import lay_out


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize("shape", [line, star, complete, tree])
def test_small_networks_have_places_apart(count: int, shape: object) -> None:
    assert callable(shape)
    places = list(lay_out(shape(count)).values())
    assert len(places) == count
    assert all(math.dist(one, other) > 0.02 for one, other in combinations(places, 2))


@given(st.integers(1, 40), st.floats(0, 0.3), st.integers(0, 5))
def test_places_are_within_the_picture_and_do_not_change(count: int, probability: float, alone: int) -> None:
    connected = random_graph(count, probability, seed=count)
    topology = Topology.of(connected.links, range(count + alone))  # some routers have no link at all
    places = lay_out(topology)
    assert list(places) == list(topology.routers)
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in places.values())
    assert lay_out(topology) == places


def test_neighbours_are_nearer_than_others() -> None:
    topology = TransitStub(domains=2, transit=3, stubs=2, stub=5).topology(seed=3)
    places = lay_out(topology)
    linked = [math.dist(places[link.one], places[link.other]) for link in topology.links]
    everyone = [math.dist(*pair) for pair in combinations(places.values(), 2)]
    assert sum(linked) / len(linked) < 0.5 * sum(everyone) / len(everyone)


def test_a_ring_is_drawn_as_one() -> None:
    places = lay_out(ring(12))
    middle = [math.dist(place, (0.5, 0.5)) for place in places.values()]
    assert max(middle) < 1.6 * min(middle)
