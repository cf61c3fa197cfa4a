"""Metrics add up: they are sums over wires and publications, and differences between two moments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from networks import AnySimulation, publish
from penstock.network.metric import latencies, link_loads, percentile, table_sizes, totals
from penstock.network.simulation import Simulation
from penstock.network.topology import line
from penstock.structures import ContentProcessor


@pytest.fixture
def sim() -> AnySimulation:
    """Three routers in a line, the first a source, a subscriber at each."""
    made: AnySimulation = Simulation(line(3), ContentProcessor(), sources=[0], wire=True)
    for router in range(3):
        made.attach(f"h{router}", router)
        made.subscribe(f"h{router}", f"price < {100 * (3 - router)}")
    made.at_rest()
    return made


def test_totals_count_publications_deliveries_and_frames(sim: AnySimulation) -> None:
    before = totals(sim)
    assert (before.published, before.delivered, before.messages) == (0, 0, 0)
    assert before.told == 2
    publish(sim, 0, {"price": 50})
    publish(sim, 0, {"price": 250})
    gained = totals(sim) - before
    assert (gained.published, gained.delivered, gained.messages) == (2, 4, 2)
    assert gained.control == gained.control_bytes == 0
    assert gained.bytes > 0
    assert gained.header_ids == 2


def test_loads_are_those_of_each_direction(sim: AnySimulation) -> None:
    publish(sim, 0, {"price": 150})
    carried = {(load.start, load.end): load.messages for load in link_loads(sim)}
    assert carried == {(0, 1): 1, (1, 0): 0, (1, 2): 0, (2, 1): 0}
    assert sum(load.bytes for load in link_loads(sim)) == totals(sim).bytes


def test_tables_hold_the_entries_of_hosts_and_of_what_lies_beyond(sim: AnySimulation) -> None:
    sizes = table_sizes(sim)
    assert (sizes.total, sizes.mean, sizes.largest) == (2 + 2 + 1, 5 / 3, 2)
    sim.crash(0)
    assert table_sizes(sim).total == 2 + 1


def test_latencies_are_percentiles_of_all_deliveries(sim: AnySimulation) -> None:
    assert latencies(sim.publications) is None
    publish(sim, 0, {"price": 50})
    found = latencies(sim.publications)
    assert found is not None
    assert (found.median, found.p90, found.largest) == (1_000, 2_000, 2_000)


@given(st.lists(st.integers(), min_size=1), st.integers(1, 100))
def test_a_percentile_is_the_least_that_so_many_do_not_exceed(values: list[int], share: int) -> None:
    found = percentile(sorted(values), share)
    assert sum(value <= found for value in values) * 100 >= share * len(values)
    lower = [value for value in values if value < found]
    assert len(lower) * 100 < share * len(values)
