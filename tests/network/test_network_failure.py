"""Invariant 7: after failures nothing stale remains, connected pairs deliver; healed, all is as if new."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from networks import (
    AnySimulation,
    alerts,
    alive,
    assert_core_rule,
    assert_fresh,
    graphs,
    populate,
    populations,
    processors,
    publish,
    some,
    wanted,
)
from penstock.network.simulation import Simulation
from penstock.network.topology import Topology, line, ring
from penstock.structures import ContentProcessor


@given(st.data(), graphs(), processors)
def test_failures_leave_nothing_behind_and_healing_leaves_no_trace(
    data: st.DataObject, topology: Topology, processor: Any
) -> None:
    sim = Simulation(topology, processor, sources=data.draw(some(topology.routers, 1)))
    populate(sim, data.draw(populations(topology)))
    if data.draw(st.booleans()):
        sim.at_rest()
    links = data.draw(some(topology.links)) if topology.links else []
    routers = data.draw(some(topology.routers))
    for link in links:
        sim.cut(link.one, link.other)
    for router in routers:
        sim.crash(router)
    sim.at_rest()
    assert_core_rule(sim)
    assert_fresh(sim)
    deliver_everywhere(sim, data.draw(alerts))
    for router in routers:
        sim.recover(router)
    for link in links:
        sim.heal(link.one, link.other)
    sim.at_rest()
    assert_core_rule(sim)
    assert_fresh(sim)
    deliver_everywhere(sim, data.draw(alerts))


def deliver_everywhere(sim: AnySimulation, alert: Any) -> None:
    """From every source that works, exactly those who can be reached and want it get a message."""
    for node in alive(sim):
        if node.router.is_source:
            publication = publish(sim, node.id, alert)
            assert sorted(publication.hosts) == wanted(sim, publication)


def test_messages_go_the_other_way_round_when_a_ring_breaks() -> None:
    sim: AnySimulation = Simulation(ring(6), ContentProcessor(), sources=[0])
    sim.attach("alice", 2)
    sim.subscribe("alice", "price < 500")
    assert publish(sim, 0, {"price": 1}).latencies.tolist() == [2_000]
    sim.cut(1, 2)
    assert publish(sim, 0, {"price": 1}).latencies.tolist() == [4_000]
    sim.heal(1, 2)
    assert publish(sim, 0, {"price": 1}).latencies.tolist() == [2_000]


def test_a_router_that_starts_again_numbers_its_messages_anew() -> None:
    sim: AnySimulation = Simulation(line(3), ContentProcessor(), sources=[0])
    sim.attach("alice", 2)
    sim.subscribe("alice", "price < 500")
    for _ in range(3):
        assert publish(sim, 0, {"price": 1}).hosts == ["alice"]
        sim.at_rest()
        sim.crash(0)
        sim.recover(0)


def test_what_a_host_asks_for_while_its_router_is_down_counts_when_it_is_back() -> None:
    sim: AnySimulation = Simulation(line(2), ContentProcessor(), sources=[0])
    sim.attach("alice", 1)
    sim.attach("bob", 1)
    sim.subscribe("bob", "price < 500")
    sim.crash(1)
    sim.subscribe("alice", "price < 500")
    sim.unsubscribe("bob", "price < 500")
    assert publish(sim, 0, {"price": 1}).hosts == []
    sim.recover(1)
    assert publish(sim, 0, {"price": 1}).hosts == ["alice"]
