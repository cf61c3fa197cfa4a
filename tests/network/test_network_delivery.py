"""Invariants 1 and 2: at rest, a message reaches exactly the hosts that want it, and each of them once."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from networks import alerts, graphs, populate, populations, processors, publish, some, trees, wanted
from penstock.errors import NetworkError
from penstock.network.simulation import Simulation
from penstock.network.topology import Topology, line, ring
from penstock.structures import ContentProcessor, GraphProcessor, ListProcessor, OverlappingProcessor
from penstock.structures.filters import Filters
from strategies import messages_near, predicates


@given(st.data(), trees() | graphs(), processors)
def test_exactly_those_who_want_a_message_get_it_and_once(
    data: st.DataObject, topology: Topology, processor: Any
) -> None:
    sources = data.draw(some(topology.routers, 1))
    sim = Simulation(topology, processor, sources=sources, wire=data.draw(st.booleans()))
    populate(sim, data.draw(populations(topology)))
    for source in sources:
        for alert in data.draw(st.lists(alerts, min_size=1, max_size=3)):
            publication = publish(sim, source, alert)
            assert sorted(publication.hosts) == wanted(sim, publication)
    assert sim.duplicates == 0


@given(st.data(), graphs(), processors)
def test_a_host_does_not_get_its_own_message(data: st.DataObject, topology: Topology, processor: Any) -> None:
    held = data.draw(populations(topology).filter(bool))
    host = data.draw(st.sampled_from(sorted(held)))
    source = int(host[1:].partition(".")[0])
    sim = Simulation(topology, processor, sources=[source])
    populate(sim, held)
    publication = publish(sim, source, data.draw(alerts), host)
    assert host not in publication.hosts
    assert sorted(publication.hosts) == wanted(sim, publication)


PROCESSORS_OF_FILTERS = [
    ContentProcessor,
    lambda: OverlappingProcessor(Filters()),
    lambda: ListProcessor(Filters()),
    lambda: GraphProcessor(Filters()),
]


@given(st.data(), graphs(5), st.sampled_from(PROCESSORS_OF_FILTERS))
def test_any_predicate_is_delivered_by(data: st.DataObject, topology: Topology, make: Any) -> None:
    sources = data.draw(some(topology.routers, 1))
    sim = Simulation(topology, make(), sources=sources, wire=True)
    held = data.draw(st.lists(predicates, min_size=1, max_size=5))
    for number, predicate in enumerate(held):
        sim.attach(f"h{number}", data.draw(st.sampled_from(topology.routers)))
        sim.subscribe(f"h{number}", predicate)
    for _ in range(3):
        source = data.draw(st.sampled_from(sources))
        publication = publish(sim, source, data.draw(messages_near(held)))
        assert sorted(publication.hosts) == wanted(sim, publication)


def test_a_message_takes_the_way_of_least_cost_and_its_time() -> None:
    topology = Topology.of([(0, 1, 5, 100), (0, 2, 1, 1_000), (2, 1, 1, 2_000)])
    sim: Simulation[Any, Any, Any, Any] = Simulation(topology, ContentProcessor(), sources=[0])
    sim.attach("alice", 1)
    sim.subscribe("alice", "price < 500")
    publication = publish(sim, 0, {"price": 450})
    assert publication.hosts == ["alice"]
    assert publication.latencies.tolist() == [3_000]


def test_nothing_is_published_where_no_entry_travels() -> None:
    sim: Simulation[Any, Any, Any, Any] = Simulation(line(2), ContentProcessor(), sources=[0])
    with pytest.raises(NetworkError, match="router 1 is no source"):
        sim.publish(1, {"price": 450})
    assert sim.publications == []


def test_a_router_may_become_a_source_and_stop_being_one() -> None:
    sim: Simulation[Any, Any, Any, Any] = Simulation(ring(4), ContentProcessor())
    sim.attach("alice", 2)
    sim.subscribe("alice", "price < 500")
    sim.at_rest()
    assert all(not node.router.told(near) for node in sim.nodes.values() for near in node.wires)
    sim.declare(0, True)
    assert publish(sim, 0, {"price": 450}).hosts == ["alice"]
    sim.declare(0, False)
    sim.at_rest()
    assert all(not node.router.told(near) for node in sim.nodes.values() for near in node.wires)
