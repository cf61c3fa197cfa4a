"""A whole network on Spark: millions of messages, hop by hop, over the routers of a transit-stub network.

A subscriber at each router asks for one of 200 destinations below a price; messages are published at several
routers in turn. The simulator brings the network to rest; then its tables are written down (`write`), and
messages go through them until the last delivery (`forward`; results are counted in `count`): by full filters,
many hops a stage and one hop a stage, and by the ids of each match structure, many hops a stage. Disjoint
categories need messages that can be listed: there, prices are five bands, and some ask for all of them. Some
messages are simulated, too: deliveries and traffic must be the same. `to reach` is meant for `--scale full`.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as f

from access.figure import Figures
from common import Cell, Report, arguments, progress
from penstock.network import Simulation, TransitStub, link_loads
from penstock.spark import Forwarded, NetworkRef, forward_network, session, write_network
from penstock.structures import (
    Categories,
    ContentProcessor,
    DisjointProcessor,
    Filters,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
)

NETWORKS = {"small": TransitStub(2, 4, 2, 4, extra_transit_stub=10), "full": TransitStub()}
MESSAGES = {"small": 20_000, "full": 1_000_000}
SIMULATED = 200
SOURCES = 8
DESTINATIONS, PRICES, BANDS = 200, 1_000, 5
SECONDS = 600.0
MANY = 32  # hops: all that there are, in one stage

AnySimulation = Simulation[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Workload:
    """A processor, what a subscriber asks for, and what a message is, in columns and for the simulator."""

    processor: Callable[[], Any]
    interest: Callable[[int, int], Any] = lambda dest, price: f"dest = {dest} AND price < {price}"
    columns: tuple[str, ...] = ("dest", "price")
    message: Callable[[Row], Any] = lambda row: {"dest": row.dest, "price": row.price}
    hops: tuple[int, ...] = (MANY,)


def _band(dest: int, price: int) -> str:
    return f"{dest}" if 2 * price < PRICES else f"{dest}/{price * BANDS // PRICES}"


def _categories() -> Categories:
    above: dict[str, list[str]] = {f"{dest}": [] for dest in range(DESTINATIONS)}
    bands = {f"{dest}/{band}": [dest] for dest in above for band in range(BANDS)}
    return Categories(above | bands)


WORKLOADS = {
    "content": Workload(ContentProcessor, hops=(MANY, 1)),
    "overlapping": Workload(lambda: OverlappingProcessor(Filters())),
    "disjoint": Workload(
        lambda: DisjointProcessor(_categories()), _band, ("labels",), lambda row: frozenset(row.labels)
    ),
    "list": Workload(lambda: ListProcessor(Filters())),
    "graph": Workload(lambda: GraphProcessor(Filters())),
}


@dataclass(slots=True)
class Clock:
    """Seconds since it was last asked."""

    last: float

    def lap(self) -> float:
        """Ask it."""
        before, self.last = self.last, time.perf_counter()
        return self.last - before


def network_at_rest(network: TransitStub, workload: Workload, seed: int) -> AnySimulation:
    """A host at each router, with an interest."""
    draw = Random(seed)
    topology = network.topology(seed)
    sources = draw.sample(topology.routers, SOURCES)
    sim: AnySimulation = Simulation(topology, workload.processor(), sources=sources, seed=seed)
    sim.at_rest()
    for router in topology.routers:
        sim.attach(f"host {router}", router)
        wanted = workload.interest(draw.randrange(DESTINATIONS), draw.randrange(PRICES))
        sim.subscribe(f"host {router}", wanted)
    sim.at_rest()
    return sim


def messages(spark: SparkSession, sources: list[int], workload: Workload, count: int, seed: int) -> DataFrame:
    """Messages with an id, the router where they are published, what is asked for, and what is not."""
    at = f.element_at(f.array(*map(f.lit, sources)), (f.col("id") % len(sources) + 1).cast("int"))
    drawn = spark.range(count).select(
        "id",
        at.alias("router"),
        (f.abs(f.xxhash64("id", f.lit(seed))) % DESTINATIONS).alias("dest"),
        (f.abs(f.xxhash64("id", f.lit(seed + 1))) % PRICES).cast("int").alias("price"),
        f.concat(f.lit("flight "), f.col("id")).alias("note"),
    )
    band = f.concat_ws("/", "dest", f.floor(f.col("price") * BANDS / PRICES))
    return drawn.withColumn("labels", f.array(band)).select("id", "router", *workload.columns, "note")


def compare(sim: AnySimulation, workload: Workload, sent: DataFrame, network: NetworkRef) -> None:
    """Hold deliveries and traffic of some messages to those of the simulator."""
    some = sent.where(f.col("id") < SIMULATED)
    forwarded = forward_network(some, network, id_columns=["id"], hops=MANY)
    publications = {row.id: sim.publish(row.router, workload.message(row)) for row in some.collect()}
    sim.at_rest()
    expected = {
        (id_, sim.hosts[host].router, host) for id_, each in publications.items() for host in each.hosts
    }
    assert {tuple(row) for row in forwarded.deliveries.collect()} == expected
    counts = [(load.start, load.end, load.messages, load.header_ids) for load in link_loads(sim)]
    columns = len(forwarded.traffic.columns)  # full filters have no ids
    loads = {each[:columns] for each in counts if each[2]}
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
        "structure": network.structure,
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


def run(
    spark: SparkSession, workload: Workload, directory: Path, scale: str, seed: int
) -> tuple[dict[str, Cell], list[dict[str, Cell]], Forwarded]:
    """Bring a network to rest, write it, and send messages through it."""
    clock = Clock(time.perf_counter())
    sim = network_at_rest(NETWORKS[scale], workload, seed)
    rest = clock.lap()
    network = write_network(sim, directory)
    written: dict[str, Cell] = {
        "structure": network.structure,
        "routers": network.routers,
        "sources": network.sources,
        "filters or ids": network.filters,
        "longest way": network.depth,
        "at rest s": rest,
        "write s": clock.lap(),
        "MB": sum(file.stat().st_size for file in network.directory.iterdir()) / 1e6,
    }
    sources = [node.id for node in sim.nodes.values() if node.router.is_source]
    sent = messages(spark, sources, workload, MESSAGES[scale], seed)
    progress(f"{network.structure}: {SIMULATED} messages, against the simulator")
    compare(sim, workload, sent, network)
    rows = []
    for hops in workload.hops:
        row, forwarded = measure(sent, network, hops)
        rows.append(row)
        progress(f"{network.structure}, {hops} hops a stage: done in {row['forward s']:.0f} s")
    return written, rows, forwarded


def main() -> None:
    """Run at the scale asked for; the table of figures comes last."""
    options = arguments(__doc__)
    report, figures = Report(__doc__ or "", options), Figures()
    spark = session(conf={"spark.sql.shuffle.partitions": "8"})
    networks: list[dict[str, Cell]] = []
    rows: list[dict[str, Cell]] = []
    busiest: list[dict[str, Cell]] = []
    with TemporaryDirectory() as directory:
        for name, workload in WORKLOADS.items():
            progress(f"{name}: a network comes to rest")
            written, measured, forwarded = run(
                spark, workload, Path(directory) / name, options.scale, options.seed
            )
            networks.append(written)
            rows += measured
            loads = forwarded.traffic.orderBy(f.desc("messages")).limit(3).collect()
            busiest += [
                {"structure": name, "start": each.start, "end": each.end, "messages": each.messages}
                for each in loads
            ]
    for row in rows:
        what = f"{row['structure']}, {row['hops a stage']} hops a stage"
        figures.at_most(SECONDS, "s", what, float(str(row["forward s"])))
    alike = [row for row in rows if WORKLOADS[str(row["structure"])].columns == ("dest", "price")]
    assert len({row["delivered"] for row in alike}) == 1, "structures must deliver the same"
    report.add("The networks", networks)
    report.add(f"{MESSAGES[options.scale]:,} messages", rows)
    report.add("The busiest links", busiest)
    report.add("Figures", figures.rows)
    report.finish()
    spark.stop()


if __name__ == "__main__":
    main()
