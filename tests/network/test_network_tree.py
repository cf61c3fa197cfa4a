"""Invariant 3: a link of the tree carries a message if, and only if, someone beyond it wants it, and once."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from networks import (
    alerts,
    meshes,
    populate,
    populations,
    processors,
    publish,
    sparse_populations,
    trees,
    wanted,
)
from penstock.network.frame import RouterId
from penstock.network.simulation import Simulation
from penstock.network.topology import Topology


def beyond(topology: Topology, start: RouterId, first: RouterId) -> set[RouterId]:
    """The routers that lie behind a link."""
    found, todo = {start, first}, [first]
    while todo:
        here = todo.pop()
        for link in topology.links:
            for near in {link.one, link.other} - found if here in (link.one, link.other) else ():
                found.add(near)
                todo.append(near)
    return found - {start}


@given(st.data(), trees(8), processors)
def test_a_link_carries_what_is_wanted_beyond_it(
    data: st.DataObject, topology: Topology, processor: Any
) -> None:
    source = data.draw(st.sampled_from(topology.routers))
    sim = Simulation(topology, processor, sources=[source])
    populate(sim, data.draw(populations(topology)))
    sim.at_rest()
    for alert in data.draw(st.lists(alerts, min_size=1, max_size=3)):
        before = {wire: wire.messages for node in sim.nodes.values() for wire in node.wires.values()}
        publication = publish(sim, source, alert)
        homes = {sim.hosts[host].router for host in wanted(sim, publication)}
        copies = len(processor.headers(alert))
        for wire, carried in before.items():
            is_wanted = homes & beyond(topology, wire.start.id, wire.end.id)
            is_away = source not in beyond(topology, wire.start.id, wire.end.id)
            crossed = wire.messages - carried
            assert bool(crossed) == bool(is_wanted and is_away)
            # With overlapping categories, a copy for each of them that someone beyond the link asks for.
            assert crossed <= (copies if processor.format.name == "overlapping" else 1)


@given(st.data(), meshes(), processors)
def test_on_any_graph_the_tree_of_the_source_carries_a_message_and_no_other_link(
    data: st.DataObject, topology: Topology, processor: Any
) -> None:
    sim = Simulation(topology, processor, sources=topology.routers)
    populate(sim, data.draw(sparse_populations(topology)))
    sim.at_rest()
    for source in topology.routers:
        before = {wire: wire.messages for node in sim.nodes.values() for wire in node.wires.values()}
        publication = publish(sim, source, (2, 3))
        expected = set()
        for host in wanted(sim, publication):
            router = sim.hosts[host].router
            while (parent := sim.nodes[router].router.routes[source].parent) is not None:
                expected.add((parent, router))
                router = parent
        carried = {wire: wire.messages - count for wire, count in before.items()}
        assert {(wire.start.id, wire.end.id) for wire, count in carried.items() if count} == expected
        if processor.format.name != "overlapping":
            assert max(carried.values(), default=0) <= 1
    assert all(node.router.dropped["stray"] == 0 for node in sim.nodes.values())
