"""A network at work: time to simulate it, and what covering saves against flooding.

A transit-stub network, a subscriber at each router, notifications from one source at random; first the
match structures with the applications of their paper, then full content in filters. Everything is simulated
frame by frame: routers that greet each other and flood the graph (`start`), subscriptions that travel to
the sources (`subscribe`), notifications until the last delivery (`publish`). Covering is set against
flooding, where every distinct filter is told to whoever is on the way to a source; `to reach` is meant for
`--scale full`.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from access.figure import Figures
from common import Cell, Report, arguments, progress
from penstock.model import Filter
from penstock.network import Simulation, Topology, TransitStub, latencies, table_sizes, totals
from penstock.structures import (
    ContentProcessor,
    DisjointProcessor,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
)
from penstock.structures.baseball import Baseball
from penstock.structures.content import Content
from penstock.structures.traffic import Traffic

NETWORKS = {"small": TransitStub(2, 4, 2, 4, extra_transit_stub=10), "full": TransitStub()}
MESSAGES = {"small": 100, "full": 1_000}
SECONDS = 60.0
STRUCTURES: dict[str, Callable[[Any], Any]] = {
    "overlapping": OverlappingProcessor,
    "disjoint": DisjointProcessor,
    "list": ListProcessor,
    "graph": GraphProcessor,
}


@dataclass(frozen=True, slots=True)
class Workload:
    """An application: interests and messages of match structures, and the same as filters."""

    name: str
    application: Any
    to_filter: Callable[[Any], str]
    to_message: Callable[[Any], dict[str, Any]]


def _game_filter(interest: tuple[int, ...]) -> str:
    match interest:
        case ():
            return "EXISTS home"
        case (team,):
            return f"home = {team} OR away = {team}"
    return f"home = {interest[0]} AND away = {interest[1]}"


WORKLOADS = [
    Workload("baseball", Baseball(), _game_filter, lambda game: {"home": game[0], "away": game[1]}),
    Workload(
        "traffic",
        Traffic(),
        lambda exits: f"last > {exits[0]} AND first <= {exits[1]}",
        lambda alert: {"first": alert[0], "last": alert[1]},
    ),
]


class Flooding(Content):
    """Full content in which no filter covers another."""

    def covers(self, one: Filter, other: Filter) -> bool:
        """Only itself."""
        return one == other


class FloodingProcessor(ContentProcessor):
    """Filters that are told to everybody."""

    @property
    def format(self) -> Flooding:
        """Content without covering."""
        return Flooding()


def run(
    topology: Topology,
    processor: Any,
    sources: Sequence[int],
    *,
    interests: Sequence[Any],
    messages: Sequence[Any] = (),
    seed: int,
) -> tuple[Simulation[Any, Any, Any, Any], dict[str, float]]:
    """Simulate, and say how long each part took."""
    spent: dict[str, float] = {}
    started = time.perf_counter()

    def lap(part: str) -> None:
        spent[part] = time.perf_counter() - started - sum(spent.values())

    sim: Simulation[Any, Any, Any, Any] = Simulation(topology, processor, sources=sources, seed=seed)
    sim.at_rest()
    lap("start")
    for router, interest in zip(topology.routers, interests, strict=True):
        sim.attach(f"host {router}", router)
        sim.subscribe(f"host {router}", interest)
    sim.at_rest()
    lap("subscribe")
    for message in messages:
        sim.publish(sources[0], message)
        sim.at_rest()
    lap("publish")
    return sim, spent


def _row(sim: Simulation[Any, Any, Any, Any], spent: dict[str, float]) -> dict[str, Cell]:
    sums, late = totals(sim), latencies(sim.publications)
    sizes = table_sizes(sim)
    return {
        **{f"{part} s": seconds for part, seconds in spent.items()},
        "total s": sum(spent.values()),
        "messages on links": sums.messages,
        "ids a header": sums.header_ids / max(sums.messages, 1),
        "delivered": sums.delivered,
        "ids a table": sizes.mean,
        "largest": sizes.largest,
        "p99 ms": None if late is None else late.p99 / 1000,
    }


def main() -> None:
    """Run at the scale asked for; the table of figures comes last."""
    options = arguments(__doc__)
    report, figures = Report(__doc__ or "", options), Figures()
    network = NETWORKS[options.scale]
    topology = network.topology(options.seed)
    source = Random(options.seed).choice(topology.routers)
    transit = range(network.domains * network.transit)
    savings: list[dict[str, Cell]] = []
    for workload in WORKLOADS:
        interests = workload.application.interests(len(topology.routers), options.seed)
        messages = workload.application.messages(MESSAGES[options.scale], options.seed)
        rows = _compare(workload, topology, source, interests=interests, messages=messages, seed=options.seed)
        for row in rows:
            figures.at_most(SECONDS, "s", f"{workload.name}, {row['format']}", float(str(row["total s"])))
        sizes = f"{len(interests):,} routers and subscribers, {len(messages):,} notifications"
        report.add(f"{workload.name}: {sizes}", rows)
        filters = [workload.to_filter(interest) for interest in interests]
        for sources in ([source], transit):
            progress(f"{workload.name}: covering and flooding, {len(sources)} sources")
            savings.append(_saving(workload.name, topology, sources, filters, options.seed))
    report.add("Covering against flooding: entries told, entries in all tables", savings)
    report.add("Figures", figures.rows)
    report.finish()


def _compare(
    workload: Workload,
    topology: Topology,
    source: int,
    *,
    interests: list[Any],
    messages: list[Any],
    seed: int,
) -> list[dict[str, Cell]]:
    """The same workload in each format."""
    rows: list[dict[str, Cell]] = []
    for name in (*STRUCTURES, "content"):
        progress(f"{workload.name}: {name}")
        if name == "content":
            processor: Any = ContentProcessor()
            interests = [workload.to_filter(interest) for interest in interests]
            messages = [workload.to_message(message) for message in messages]
        else:
            processor = STRUCTURES[name](workload.application)
        sim, spent = run(topology, processor, [source], interests=interests, messages=messages, seed=seed)
        rows.append({"format": name, **_row(sim, spent)})
    assert len({row["delivered"] for row in rows}) == 1, "formats must deliver the same"
    return rows


def _saving(
    name: str, topology: Topology, sources: Sequence[int], filters: list[str], seed: int
) -> dict[str, Cell]:
    covering, _ = run(topology, ContentProcessor(), sources, interests=filters, seed=seed)
    flooding, _ = run(topology, FloodingProcessor(), sources, interests=filters, seed=seed)
    told = [totals(sim).told for sim in (covering, flooding)]
    held = [table_sizes(sim).total for sim in (covering, flooding)]
    return {
        "workload": name,
        "sources": len(sources),
        "told, covering": told[0],
        "flooding": told[1],
        "factor": told[1] / max(told[0], 1),
        "held, covering": held[0],
        "held, flooding": held[1],
        "factor held": held[1] / max(held[0], 1),
    }


if __name__ == "__main__":
    main()
