"""Invariant 6: while others come and go, who stays misses nothing, however an update is divided."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from networks import AnySimulation, alerts, graphs, interests, populate, populations, processors, some
from penstock.network import telling
from penstock.network.simulation import Simulation
from penstock.network.topology import Topology, line
from penstock.structures import ContentProcessor


@pytest.fixture(params=["whole", "divided"], autouse=True, scope="module")
def _frames(request: pytest.FixtureRequest) -> Any:
    """Frames as large as they are, or so small that each holds a single change."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "divided":
            patch.setattr(telling, "BUDGET", 1)
        yield


@given(st.data(), graphs(), processors)
def test_who_stays_misses_nothing_while_others_come_and_go(
    data: st.DataObject, topology: Topology, processor: Any
) -> None:
    sources = data.draw(some(topology.routers, 1))
    sim = Simulation(topology, processor, sources=sources)
    held = data.draw(populations(topology))
    populate(sim, held)
    for router in topology.routers:
        sim.attach(f"guest{router}", router)
        for interest in data.draw(st.lists(interests, max_size=3)):
            sim.subscribe(f"guest{router}", interest)
    sim.at_rest()
    published = []
    for _ in range(data.draw(st.integers(1, 4))):
        guest = f"guest{data.draw(st.sampled_from(topology.routers))}"
        if data.draw(st.booleans()) and sim.hosts[guest].interests:
            sim.unsubscribe(guest, data.draw(st.sampled_from(sorted(sim.hosts[guest].interests))))
        else:
            sim.subscribe(guest, data.draw(interests))
        for _ in range(data.draw(st.integers(1, 5))):
            sim.run(sim.now + data.draw(st.integers(0, 3)))
            published.append(sim.publish(data.draw(st.sampled_from(sources)), data.draw(alerts)))
    sim.at_rest()
    for publication in published:
        stayed = [host for host in held if any(processor.wants(i, publication.message) for i in held[host])]
        assert set(stayed) <= set(publication.hosts)
        assert len(publication.hosts) == len(set(publication.hosts))


def test_what_a_broad_filter_covered_comes_in_its_place() -> None:
    sim: AnySimulation = Simulation(line(4), ContentProcessor(), sources=[0])
    for router in (2, 3):
        sim.attach(f"h{router}", router)
    sim.subscribe("h3", "price < 100 AND dest = 'MXP'")
    sim.subscribe("h2", "price < 500")
    sim.at_rest()
    sim.unsubscribe("h2", "price < 500")
    published = []
    for _ in range(40):
        sim.run(sim.now + 250)
        published.append(sim.publish(0, {"price": 50, "dest": "MXP"}))
    sim.at_rest()
    assert [each.hosts for each in published] == [["h3"]] * 40
    assert [list(map(str, sim.nodes[router].router.told(router - 1))) for router in (2, 1)] == [
        ["dest = 'MXP' AND price < 100"]
    ] * 2
