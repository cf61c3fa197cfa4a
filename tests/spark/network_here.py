"""The stages of a network without Spark: the same functions on batches here; and the simulator."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from networks import TRAFFIC, AnySimulation
from penstock.network import link_loads
from penstock.spark.network import NetworkRef
from penstock.spark.network.enter import Entrance
from penstock.spark.network.hop import Stage
from penstock.spark.network.rows import DELIVERY, ONWARD, REFUSED, WAY
from penstock.spark.network.rows import TRAFFIC as CARRIED
from penstock.structures.traffic import Alert
from without_spark import cut

__all__ = ["Outcome", "filter_of", "forward_here", "message_of", "simulate"]

Deliveries = list[tuple[int, int, str]]
Loads = dict[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who got what, and what links carried."""

    deliveries: Deliveries  # message, router, host, in order
    traffic: Loads


def filter_of(exits: tuple[int, int]) -> str:
    """An interest of the traffic application as a filter."""
    first, last = TRAFFIC.topic(exits)
    return f"last > {first} AND first <= {last}"


def message_of(alert: Alert) -> dict[str, int]:
    """An alert as a message."""
    return {"first": alert[0], "last": alert[1]}


def simulate(sim: AnySimulation, sent: Sequence[tuple[int, Any]]) -> Outcome:
    """What the simulator says of messages and their sources."""
    before = {(load.start, load.end): load.messages for load in link_loads(sim)}
    publications = [sim.publish(source, message) for source, message in sent]
    sim.at_rest()
    found = [(each.number, sim.hosts[host].router, host) for each in publications for host in each.hosts]
    first = publications[0].number if publications else 0
    carried = {
        (load.start, load.end): load.messages - before[load.start, load.end] for load in link_loads(sim)
    }
    return Outcome(
        sorted((number - first, router, host) for number, router, host in found),
        {link: count for link, count in carried.items() if count},
    )


def forward_here(
    network: NetworkRef, rows: pa.RecordBatch, cuts: list[int], hops: int, json: str | None = None
) -> tuple[Outcome, dict[int, str]]:
    """What forward_network does with rows of source, id and attributes; and the rows that were refused."""
    names = rows.schema.names[1:]
    asked = [json] if json else [name for name in names if name in network.names]
    entrance = Entrance(tuple((names.index(name), name) for name in asked), json)
    deliveries: Deliveries = []
    refused: dict[int, str] = {}
    traffic: Counter[tuple[int, int]] = Counter()
    for first in range(0, network.depth + 1, hops):
        stage = Stage(network, entrance, (0,), hops, is_first=not first)
        said = [batch for part in cut(rows, cuts) for batch in stage.run(iter([part]))]
        onward = []
        for batch in said:
            for row in batch.to_pylist():
                kind, *_, start, end, count, text, id_ = list(row.values())[:9]
                if kind == DELIVERY:
                    deliveries.append((id_, start, text))
                elif kind == CARRIED:
                    traffic[start, end] += count
                elif kind == REFUSED:
                    refused[id_] = text
            onward += [batch] if batch.num_rows and batch.column(0)[0].as_py() == ONWARD else []
        if not onward:
            break
        merged: Any = (
            pa.Table.from_batches(onward).combine_chunks().sort_by([("1", "ascending"), ("3", "ascending")])
        )
        rows = merged.select([1, 2, 3, *range(8, merged.num_columns)]).combine_chunks().to_batches()[0]
        assert len(WAY) == 3
    return Outcome(sorted(deliveries), dict(traffic)), refused
