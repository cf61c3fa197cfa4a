"""Invariant 9: full content and the four match structures deliver the same messages to the same hosts."""

from hypothesis import given
from hypothesis import strategies as st

from networks import PROCESSORS, AnySimulation, alerts, graphs, interests, publish, some
from penstock.network.simulation import Simulation
from penstock.network.topology import Topology


@given(st.data(), graphs())
def test_all_formats_deliver_the_same(data: st.DataObject, topology: Topology) -> None:
    sources = data.draw(some(topology.routers, 1))
    sims: list[AnySimulation] = [
        Simulation(topology, make(), sources=sources) for make in PROCESSORS.values()
    ]
    for sim in sims:
        for router in topology.routers:
            sim.attach(f"h{router}", router)
    held: list[tuple[str, tuple[int, int]]] = []
    for _ in range(data.draw(st.integers(1, 3))):
        for host, interest in data.draw(
            st.lists(st.tuples(st.sampled_from(sorted(sims[0].hosts)), interests))
        ):
            held.append((host, interest))
            for sim in sims:
                sim.subscribe(host, interest)
        for gone in data.draw(some(held)) if held else ():
            held.remove(gone)
            for sim in sims:
                sim.unsubscribe(*gone)
        is_cut = data.draw(st.booleans())
        if is_cut and topology.links:
            link = data.draw(st.sampled_from(topology.links))
            for sim in sims:
                sim.cut(link.one, link.other)
        for source in sources:
            alert = data.draw(alerts)
            delivered = [sorted(publish(sim, source, alert).hosts) for sim in sims]
            assert delivered == [delivered[0]] * len(sims)
