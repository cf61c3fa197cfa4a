"""A tree of routers: what lies in each direction, and messages that find their way like a central table."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock import parse
from penstock.papers.fast2002.journey import Journey
from penstock.papers.fast2002.network import CHILDREN
from penstock.papers.fast2002.tree import Router, Tree, plant
from penstock.papers.forwarding import ACCESS, COUNTING, SELECTIVITY, Contender
from penstock.workload import Scenario2002, filters, messages

CHILDREN_OF_LEVELS = st.lists(st.integers(1, 3), max_size=3)


def reached(tree: Tree) -> list[tuple[Router, int]]:
    """All routers with the number of hops to them."""
    found = [(tree.entrance[0], 1)]
    for router, hop in found:
        found += [(way.goal, hop + 1) for way in tree.ways(router) if isinstance(way.goal, Router)]
    return found


@given(CHILDREN_OF_LEVELS)
def test_every_router_and_destination_is_reached_once(children: list[int]) -> None:
    tree = plant(children, 6)
    routers = reached(tree)
    assert len(routers) == len({id(router) for router, _ in routers}) == tree.routers
    ends = [way.goal for router, _ in routers for way in tree.ways(router) if isinstance(way.goal, int)]
    assert sorted(ends) == list(range(tree.destinations))


@given(CHILDREN_OF_LEVELS)
def test_the_longest_way_is_through_both_halves(children: list[int]) -> None:
    tree = plant(children, 6)
    assert max(hop for _, hop in reached(tree)) == tree.hops == 2 * (len(children) + 1)


@given(CHILDREN_OF_LEVELS)
def test_a_router_has_all_its_interfaces(children: list[int]) -> None:
    tree = plant(children, 6)
    for router, hop in reached(tree):
        came_from = 0 if hop == 1 else 1  # the publisher is one of the first router's destinations
        assert len(tree.ways(router)) + came_from == 6


@given(CHILDREN_OF_LEVELS)
def test_a_way_leads_to_what_lies_beyond_it(children: list[int]) -> None:
    tree = plant(children, 6)

    def beyond(router: Router) -> set[int]:
        return {n for way in tree.ways(router) for part in way.beyond for n in part}

    assert beyond(tree.entrance[0]) == set(range(tree.destinations))
    for router, _ in reached(tree):
        for way in tree.ways(router):
            there = {n for part in way.beyond for n in part}
            if isinstance(way.goal, int):
                assert there == {way.goal}
            elif way.name == "up" and way.goal is not tree.right:
                assert beyond(way.goal) <= there | set(range(way.goal.first, way.goal.last))
                assert there <= beyond(way.goal)
            else:
                assert there == beyond(way.goal)


def test_the_paper_has_twelve_hops_and_a_million_destinations() -> None:
    full, small = plant(CHILDREN["full"]), plant(CHILDREN["small"])
    assert full.hops == small.hops == 12
    assert full.destinations == pytest.approx(1_000_000, rel=0.01)


@settings(max_examples=20)
@given(CHILDREN_OF_LEVELS, st.integers(0, 1000), st.sampled_from([COUNTING, SELECTIVITY, ACCESS]))
def test_the_network_delivers_what_a_central_table_finds(
    children: list[int], seed: int, engine: Contender
) -> None:
    tree = plant(children, 6)
    scenario = Scenario2002(I=tree.destinations, M=5, c_h=3)
    predicates = [parse(text) for text in filters(scenario, seed)[1]]
    sent = messages(scenario, seed)
    central = ACCESS.table()
    central.subscribe_many([str(n) for n in range(tree.destinations)], predicates)
    journey = Journey(tree, engine, predicates, sent)
    assert journey.delivered == [{int(name) for name in central.match(message)} for message in sent]


def test_time_adds_up_along_the_way() -> None:
    tree = plant([2], 4)
    journey = Journey(tree, COUNTING, [parse("EXISTS x")] * tree.destinations, [{"x": 1}])
    assert [len(hop) for hop in journey.hops] == [1, 1, 2, 2]
    spent = [[float(each[1, 0]) for each in hop] for hop in journey.hops]
    (farthest,) = journey.farthest
    assert len(farthest) == 2 * 3  # two routers at the far end have three destinations each
    for low, median, high in farthest:
        assert float(median) in [pytest.approx(sum(way)) for way in product(*spent)]
        assert low <= median <= high
