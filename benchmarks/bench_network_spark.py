"""A whole network on Spark: millions of messages, hop by hop, over the routers of a transit-stub network.

A subscriber at each router asks for one of 200 destinations below a price; messages are published at several
routers in turn. The simulator brings the network to rest; then its tables are written down (`write`), and
messages go through them, many hops a stage and one hop a stage, until the last delivery (`forward`; results
are counted in `count`). Some messages are simulated, too: deliveries and traffic must be the same.
`to reach` is meant for `--scale full`.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from access.figure import Figures
from common import Cell, Report, arguments, progress
from penstock.network import Simulation, TransitStub, link_loads
from penstock.spark import Forwarded, NetworkRef, forward_network, session, write_network
from penstock.structures import ContentProcessor

NETWORKS = {"small": TransitStub(2, 4, 2, 4, extra_transit_stub=10), "full": TransitStub()}
MESSAGES = {"small": 20_000, "full": 1_000_000}
SIMULATED = 200
SOURCES = 8
DESTINATIONS, PRICES = 200, 1_000
SECONDS = 600.0
HOPS = (32, 1)  # all hops that there are in one stage; and a stage for each

AnySimulation = Simulation[Any, Any, Any, Any]


@dataclass(slots=True)
class Clock:
    """Seconds since it was last asked."""

    last: float

    def lap(self) -> float:
        """Ask it."""
        before, self.last = self.last, time.perf_counter()
        return self.last - before


def network_at_rest(network: TransitStub, seed: int) -> AnySimulation:
    """A host at each router, with a filter."""
    draw = Random(seed)
    topology = network.topology(seed)
    sources = draw.sample(topology.routers, SOURCES)
    sim: AnySimulation = Simulation(topology, ContentProcessor(), sources=sources, seed=seed)
    sim.at_rest()
    for router in topology.routers:
        sim.attach(f"host {router}", router)
        wanted = f"dest = {draw.randrange(DESTINATIONS)} AND price < {draw.randrange(PRICES)}"
        sim.subscribe(f"host {router}", wanted)
    sim.at_rest()
    return sim


def messages(spark: SparkSession, sources: list[int], count: int, seed: int) -> DataFrame:
    """Messages with an id, the router where they are published, what filters ask for, and what none does."""
    at = f.element_at(f.array(*map(f.lit, sources)), (f.col("id") % len(sources) + 1).cast("int"))
    return spark.range(count).select(
        "id",
        at.alias("router"),
        (f.abs(f.xxhash64("id", f.lit(seed))) % DESTINATIONS).alias("dest"),
        (f.abs(f.xxhash64("id", f.lit(seed + 1))) % PRICES).cast("int").alias("price"),
        f.concat(f.lit("flight "), f.col("id")).alias("note"),
    )


def compare(sim: AnySimulation, sent: DataFrame, network: NetworkRef) -> None:
    """Hold deliveries and traffic of some messages to those of the simulator."""
    some = sent.where(f.col("id") < SIMULATED)
    forwarded = forward_network(some, network, id_columns=["id"], hops=HOPS[0])
    publications = {
        row.id: sim.publish(row.router, {"dest": row.dest, "price": row.price}) for row in some.collect()
    }
    sim.at_rest()
    expected = {
        (id_, sim.hosts[host].router, host) for id_, each in publications.items() for host in each.hosts
    }
    assert {tuple(row) for row in forwarded.deliveries.collect()} == expected
    loads = {(load.start, load.end, load.messages) for load in link_loads(sim) if load.messages}
    assert {tuple(row) for row in forwarded.traffic.collect()} == loads


def measure(sent: DataFrame, network: NetworkRef, hops: int) -> tuple[dict[str, Cell], Forwarded]:
    """Send all messages through the network."""
    clock = Clock(time.perf_counter())
    forwarded = forward_network(sent, network, id_columns=["id"], hops=hops)
    spent = clock.lap()
    loads = forwarded.traffic.agg(f.sum("messages"), f.max("messages"), f.count("*")).first()
    delivered = forwarded.deliveries.count()
    assert loads is not None
    row: dict[str, Cell] = {
        "hops a stage": hops,
        "stages": forwarded.stages,
        "forward s": spent,
        "count s": clock.lap(),
        "delivered": delivered,
        "messages on links": loads[0],
        "links in use": loads[2],
        "busiest link": loads[1],
        "hops/s": loads[0] / spent,
    }
    return row, forwarded


def main() -> None:
    """Run at the scale asked for; the table of figures comes last."""
    options = arguments(__doc__)
    report, figures = Report(__doc__ or "", options), Figures()
    count = MESSAGES[options.scale]
    spark = session(conf={"spark.sql.shuffle.partitions": "8"})
    with TemporaryDirectory() as directory:
        clock = Clock(time.perf_counter())
        progress("a network comes to rest")
        sim = network_at_rest(NETWORKS[options.scale], options.seed)
        rest = clock.lap()
        network = write_network(sim, Path(directory) / "network")
        report.add(
            "The network",
            [
                {
                    "routers": network.routers,
                    "sources": network.sources,
                    "filters": network.filters,
                    "longest way": network.depth,
                    "at rest s": rest,
                    "write s": clock.lap(),
                }
            ],
        )
        sources = [node.id for node in sim.nodes.values() if node.router.is_source]
        sent = messages(spark, sources, count, options.seed)
        progress(f"{SIMULATED} messages, against the simulator")
        compare(sim, sent, network)
        rows, busiest = [], []
        for hops in HOPS:
            progress(f"{count:,} messages, {hops} hops a stage")
            row, forwarded = measure(sent, network, hops)
            rows.append(row)
            progress(f"done in {row['forward s']:.0f} s")
            figures.at_most(SECONDS, "s", f"{hops} hops a stage", float(str(row["forward s"])))
            busiest = [
                each.asDict() for each in forwarded.traffic.orderBy(f.desc("messages")).limit(8).collect()
            ]
        assert len({(row["delivered"], row["messages on links"]) for row in rows}) == 1
    report.add(f"{count:,} messages", rows)
    report.add("The busiest links", busiest)
    report.add("Figures", figures.rows)
    report.finish()
    spark.stop()


if __name__ == "__main__":
    main()
