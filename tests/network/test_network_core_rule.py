"""Invariants 4 and 8: Out follows from In everywhere; what is covered or repeated sends nothing."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from networks import (
    PROCESSORS,
    AnySimulation,
    assert_core_rule,
    assert_fresh,
    graphs,
    interests,
    meshes,
    populate,
    populations,
    processors,
    some,
    sparse_populations,
    trees,
)
from penstock.network.simulation import Simulation
from penstock.network.topology import Topology, line
from penstock.structures import ContentProcessor


@given(st.data(), trees() | graphs(), processors)
def test_out_follows_from_in(data: st.DataObject, topology: Topology, processor: Any) -> None:
    sim = Simulation(topology, processor, sources=data.draw(some(topology.routers)))
    held = data.draw(populations(topology))
    populate(sim, held)
    sim.at_rest()
    assert_core_rule(sim)
    for host in data.draw(some(sorted(held))) if held else ():
        for interest in held[host]:
            sim.unsubscribe(host, interest)
    sim.at_rest()
    assert_core_rule(sim)


@given(meshes(), processors, st.data())
def test_out_follows_from_in_where_every_router_is_a_source(
    topology: Topology, processor: Any, data: st.DataObject
) -> None:
    sim = Simulation(topology, processor, sources=topology.routers)
    populate(sim, data.draw(sparse_populations(topology)))
    sim.at_rest()
    assert_core_rule(sim)
    assert_fresh(sim)


@given(trees(), st.data())
def test_on_a_tree_entries_are_told_for_all_sources(topology: Topology, data: st.DataObject) -> None:
    sim: AnySimulation = Simulation(topology, PROCESSORS["graph"](), sources=topology.routers)
    populate(sim, data.draw(populations(topology)))
    sim.at_rest()
    for node in sim.nodes.values():
        assert all(sources is None for near in node.wires for sources in node.router.told(near).values())


def control(sim: AnySimulation) -> int:
    """Frames of control so far."""
    return sum(wire.control for node in sim.nodes.values() for wire in node.wires.values())


@given(st.data(), graphs(), processors, interests)
def test_a_repeated_subscription_sends_nothing(
    data: st.DataObject, topology: Topology, processor: Any, interest: Any
) -> None:
    sim = Simulation(topology, processor, sources=data.draw(some(topology.routers)))
    router = data.draw(st.sampled_from(topology.routers))
    for host in ("first", "second"):
        sim.attach(host, router)
    sim.subscribe("first", interest)
    sim.at_rest()
    before = control(sim)
    for host in ("first", "second"):
        sim.subscribe(host, interest)
    sim.at_rest()
    sim.unsubscribe("first", interest)
    sim.unsubscribe("second", interest)
    sim.at_rest()
    assert control(sim) == before


def test_a_covered_subscription_goes_no_further_than_what_covers_it() -> None:
    sim: AnySimulation = Simulation(line(5), ContentProcessor(), sources=[0])
    for router in (2, 4):
        sim.attach(f"h{router}", router)
    sim.subscribe("h2", "price < 500")
    sim.at_rest()
    sim.subscribe("h4", "price < 100")
    before = control(sim)
    sim.at_rest()
    told = [list(map(str, sim.nodes[router].router.told(router - 1))) for router in (4, 3, 2, 1)]
    assert told == [["price < 100"], ["price < 100"], ["price < 500"], ["price < 500"]]
    assert control(sim) - before == 2 * 2, "an update and its acknowledgement on two links"
