"""Section 5.4: a central server against a network of routers with 20 interfaces, a million filters each way.

The paper multiplies the time of one router by 12 hops. Here the network is there: every message is forwarded
hop by hop to all who want it, to the same destinations as the central server names, and the times of the
routers on its way are added up. The paper's sum is beside it, since the first router holds all filters.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from penstock.errors import ExperimentError
from penstock.language import parse
from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale, Setting
from penstock.papers.fast2002.contest import SEED
from penstock.papers.fast2002.journey import Journey, Spent
from penstock.papers.fast2002.tree import plant
from penstock.papers.forwarding import ACCESS, COUNTING, Effort, timed
from penstock.papers.timing import count
from penstock.table import ForwardingTable
from penstock.workload import Scenario2002, filters, messages

__all__ = ["SECTION_5_4"]

ENGINES = {each.name: each for each in (COUNTING, ACCESS)}
CENTRAL, ADDED, MEASURED = "central server", "hops, added up", "hops, measured"
# Links down by level; six levels in each half are the paper's 12 hops.
CHILDREN: dict[Scale, tuple[int, ...]] = {"small": (1, 1, 2, 2, 2), "full": (10, 7, 7, 7, 7)}
MESSAGES: dict[Scale, int] = {"small": 50, "full": 100}


def sweep(scale: Scale) -> list[Point]:
    """A point for each engine."""
    children = CHILDREN[scale]
    destinations = plant(children).destinations
    settings: dict[str, Setting] = {"children": " ".join(map(str, children)), "M": MESSAGES[scale]}
    return [
        Point(
            f"{engine}, {destinations:,} destinations",
            {"engine": engine, **settings, **Effort.at(scale).settings()},
        )
        for engine in ENGINES
    ]


def measure(point: Point) -> Iterator[Reading]:
    """The central server first, then the network; both must reach the same destinations."""
    engine = ENGINES[str(point.settings["engine"])]
    tree = plant([int(each) for each in str(point.settings["children"]).split()])
    workload = Scenario2002(I=tree.destinations, M=int(point.settings["M"]))
    predicates = [parse(text) for text in filters(workload, SEED)[1]]
    sent = messages(workload, SEED)
    table = engine.table()
    table.subscribe_many([f"d{n}" for n in range(tree.destinations)], predicates)
    table.build()
    wanted = [_destinations(table, message) for message in sent]
    yield timed(table, sent, Effort.of(point.settings), (engine.name, CENTRAL, "time"))
    del table
    journey = Journey(tree, engine, predicates, sent)
    if journey.delivered != wanted:
        raise ExperimentError("the network delivers to other destinations than the central server")
    far = [np.column_stack(ways) for ways in journey.farthest if ways]
    if not far:
        raise ExperimentError("no message goes the longest way; send more of them")
    hops = [_mean(spent) for spent in journey.hops]
    yield _reading(engine.name, ADDED, tree.hops * hops[0])
    yield _reading(engine.name, MEASURED, _mean([_mean([ways])[:, None] for ways in far]))
    for hop, spent in enumerate(hops):
        yield _reading(engine.name, str(hop + 1), spent, "time of a hop")
    counts = {
        "destinations": tree.destinations,
        "routers": tree.routers,
        "hops": tree.hops,
        "interfaces of the first router": len(tree.ways(tree.entrance[0])),
        "deliveries": sum(map(len, journey.delivered)),
        "deliveries on the longest way": sum(ways.shape[1] for ways in far),
        "matches": sum(spent.shape[1] for hop in journey.hops for spent in hop),
    }
    for x, value in counts.items():
        yield count(engine.name, x, "network", value)


def _destinations(table: ForwardingTable, message: dict[str, str | int | bool]) -> set[int]:
    return {int(name.removeprefix("d")) for name in table.match(message)}


def _mean(spent: Sequence[Spent]) -> Spent:
    return np.asarray(np.concatenate(spent, axis=1).mean(axis=1))


def _reading(series: str, x: str, spent: Spent, quantity: str = "time") -> Reading:
    low, median, high = (spent * 1e6).tolist()
    return Reading(series, x, quantity, "µs", median, low, high)


def claims(readings: Readings) -> Iterator[Claim]:
    """What section 5.4 says, and the same of our engine."""
    for engine in ENGINES:
        central, added, measured = (readings.get("time", engine, x) for x in (CENTRAL, ADDED, MEASURED))
        destinations = readings.get("network", engine, "destinations")
        ours = engine == ACCESS.name
        yield Claim(
            "With the access engine, too, a network of routers delivers sooner than a central server"
            if ours
            else "§5.4: a network of routers with 20 interfaces delivers sooner than a central server: 40 ms "
            "after 12 hops, against 350 ms",
            measured < central,
            f"{measured:,.1f} µs to the farthest destinations, {added:,.1f} µs as the paper adds it up, "
            f"{central:,.1f} µs for the central server, {destinations:,.0f} destinations",
            "a table with 20 interfaces is no longer a hundred times as fast as one with a million: between "
            "them lies less than the number of hops",
            ours=ours,
        )
        counts = [readings.get("network", engine, x) for x in ("hops", "interfaces of the first router")]
        yield Claim(
            "Routers of the access engine deliver to whom the central server does"
            if ours
            else "§5.4: routers with 20 interfaces span the network in at most 12 hops",
            counts == [12, 20],
            f"{counts[0]:.0f} hops, {counts[1]:.0f} interfaces, "
            f"{readings.get('network', engine, 'routers'):,.0f} routers; every message reached the same "
            f"destinations as from the central server, "
            f"{readings.get('network', engine, 'deliveries'):,.0f} in all",
            ours=ours,
            always=True,
        )


SECTION_5_4 = Experiment(
    key="2002-network",
    paper="fast-2002",
    figure="§5.4",
    shows="a central server against 12 hops through a tree of routers with 20 interfaces",
    timed=True,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=(
        Plot(
            "time", "From the source to the farthest destination", "", "µs per message", bars=True, log_y=True
        ),
        Plot("time of a hop", "Time of each hop", "hop", "µs per message", log_y=True),
    ),
)
