"""What the benchmark of networks on Spark stands on: messages that matter, and a comparison that can fail."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from bench_network_spark import SOURCES, WORKLOADS, compare, measure, messages, network_at_rest
from penstock.network import TransitStub
from penstock.spark import write_network


@pytest.mark.parametrize("name", WORKLOADS)
def test_messages_reach_hosts_and_the_comparison_notices_what_differs(
    spark: SparkSession, tmp_path: Path, name: str
) -> None:
    workload = WORKLOADS[name]
    sim = network_at_rest(TransitStub(1, 4, 2, 5), workload, 1)
    network = write_network(sim, tmp_path)
    sources = [node.id for node in sim.nodes.values() if node.router.is_source]
    assert len(sources) == network.sources == SOURCES
    sent = messages(spark, sources, workload, 400, 1)
    row, forwarded = measure(sent, network, 32)
    assert (row["structure"], row["stages"]) == (name, 1)
    assert row["delivered"] == forwarded.deliveries.count() > 0
    compare(sim, workload, sent, network)
    with pytest.raises(AssertionError):
        compare(sim, workload, sent, network)  # links have carried each message twice by now
