"""The stages of a network without Spark: the same functions on batches here; and the simulator."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from networks import TRAFFIC, AnySimulation
from penstock.network import link_loads
from penstock.spark.network import NetworkRef
from penstock.spark.network.columns import entrance
from penstock.spark.network.hop import Stage
from penstock.spark.network.rows import BY_IDS, DELIVERY, ONWARD, OUTPUT, REFUSED, WAY
from penstock.spark.network.rows import TRAFFIC as CARRIED
from penstock.structures.traffic import Alert
from without_spark import cut

__all__ = ["Outcome", "filter_of", "forward_here", "message_of", "simulate"]

Deliveries = list[tuple[int, int, str]]
Loads = dict[tuple[int, int], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who got what, and what links carried."""

    deliveries: Deliveries  # message, router, host, in order
    traffic: Loads  # messages, and ids in their headers where the network forwards by ids


def filter_of(exits: tuple[int, int]) -> str:
    """An interest of the traffic application as a filter."""
    first, last = TRAFFIC.topic(exits)
    return f"last > {first} AND first <= {last}"


def message_of(alert: Alert) -> dict[str, int]:
    """An alert as a message."""
    return {"first": alert[0], "last": alert[1]}


def simulate(sim: AnySimulation, sent: Sequence[tuple[int, Any]]) -> Outcome:
    """What the simulator says of messages and their sources."""
    before = _loads(sim)
    publications = [sim.publish(source, message) for source, message in sent]
    sim.at_rest()
    found = [(each.number, sim.hosts[host].router, host) for each in publications for host in each.hosts]
    first = publications[0].number if publications else 0
    carried = {
        link: tuple(now - then for now, then in zip(counts, before[link], strict=True))
        for link, counts in _loads(sim).items()
    }
    return Outcome(
        sorted((number - first, router, host) for number, router, host in found),
        {link: counts for link, counts in carried.items() if any(counts)},
    )


def _loads(sim: AnySimulation) -> Loads:
    by_ids = sim.format.name != "content"
    return {
        (load.start, load.end): (load.messages, *([load.header_ids] if by_ids else []))
        for load in link_loads(sim)
    }


def forward_here(
    network: NetworkRef,
    rows: pa.RecordBatch,
    cuts: list[int],
    hops: int,
    *,
    json: str | None = None,
    header: str | None = None,
) -> tuple[Outcome, dict[int, str]]:
    """What forward_network does with rows of source, id and attributes; and the rows that were refused."""
    names = rows.schema.names[1:]
    asked = [json or header] if json or header else [name for name in names if name in network.names]
    attributes = tuple((names.index(str(name)), str(name)) for name in asked)
    way_in = entrance(network, attributes, 1, json=json, header=header)
    types = list(BY_IDS if network.by_ids else OUTPUT)
    way = [*WAY, "header"] if network.by_ids else [*WAY]
    deliveries: Deliveries = []
    refused: dict[int, str] = {}
    traffic: dict[tuple[int, int], tuple[int, ...]] = {}
    for first in range(0, network.depth + 1, hops):
        stage = Stage(network, way_in, (0,), hops, is_first=not first)
        said = [batch for part in cut(rows, cuts) for batch in stage.run(iter([part]))]
        onward = []
        for batch in said:
            for row in batch.to_pylist():
                *values, id_ = list(row.values())[: len(types) + 1]
                said_of = dict(zip(types, values, strict=True))
                link = said_of["start"], said_of["end"]
                if said_of["kind"] == DELIVERY:
                    deliveries.append((id_, said_of["start"], said_of["text"]))
                elif said_of["kind"] == CARRIED:
                    counts = [said_of[name] for name in ("count", "ids") if name in said_of]
                    before = traffic.get(link, (0,) * len(counts))
                    traffic[link] = tuple(map(sum, zip(before, counts, strict=True)))
                elif said_of["kind"] == REFUSED:
                    refused[id_] = said_of["text"]
            onward += [batch] if batch.num_rows and batch.column(0)[0].as_py() == ONWARD else []
        if not onward:
            break
        merged: Any = (
            pa.Table.from_batches(onward).combine_chunks().sort_by([("1", "ascending"), ("3", "ascending")])
        )
        kept = [*map(types.index, way), *range(len(types), merged.num_columns)]
        rows = merged.select(kept).combine_chunks().to_batches()[0]
    return Outcome(sorted(deliveries), traffic), refused
