"""Table 1: what links, subscriptions, tables and headers carry, in every format, counted over the runs.

A point is an application in a format. Its readings are means over the runs, as the paper prints them, with
the lowest and the highest run; a count that never varies has no spread.
"""

from collections.abc import Iterator
from dataclasses import asdict
from statistics import fmean

from penstock.papers.experiment import Experiment, Plot, Point, Reading, Scale
from penstock.papers.structures.cells import LINK, NOTIFICATION, ROUTERS, SUBSCRIPTION, TABLE, WIDER
from penstock.papers.structures.claims1 import claims
from penstock.papers.structures.workload import (
    APPLICATIONS,
    FORMATS,
    INCLUSIVE,
    MESSAGES,
    SCENARIOS,
    draw_tree,
)

__all__ = ["SEED", "TABLE1"]

SEED = 2003
RUNS = {"small": 2, "full": 20}


def sweep(scale: Scale) -> list[Point]:
    """Every format of every application; and of traffic the reading that gives 210 ids."""
    pairs = [(application, format_) for application in APPLICATIONS for format_ in FORMATS]
    pairs.append((INCLUSIVE, "disjoint"))
    return [
        Point(
            f"{application}, {format_}",
            {"application": application, "format": format_, "runs": RUNS[scale], "seed": SEED},
        )
        for application, format_ in pairs
    ]


def measure(point: Point) -> Iterator[Reading]:
    """Draw the runs, send the messages, count."""
    application, format_ = str(point.settings["application"]), str(point.settings["format"])
    runs, seed = int(point.settings["runs"]), int(point.settings["seed"])
    found: dict[tuple[str, str], list[float]] = {}
    for run in range(runs):
        tree, _ = draw_tree(application, format_, seed, run)
        census = tree.census(SCENARIOS[application].messages(MESSAGES, seed + run))
        for router, load in zip(ROUTERS, (census.typical(), census.heaviest()), strict=True):
            for name, value in asdict(load).items():
                found.setdefault((router, name.replace("_", " ")), []).append(value)
    series, column = (WIDER, "traffic") if application == INCLUSIVE else (format_, application)
    for (router, quantity), values in found.items():
        low, high = min(values), max(values)
        mean = min(max(fmean(values), low), high)
        yield Reading(series, f"{router} {column}", quantity, "", mean, low, high)


def _plot(quantity: str, title: str) -> Plot:
    return Plot(
        quantity,
        title,
        "router and application",
        quantity,
        log_y=True,
        series=list(FORMATS),
        bars=True,
    )


TABLE1 = Experiment(
    key="structures-table1",
    paper="structures",
    figure="Table 1",
    shows="what links, subscriptions, tables and headers carry in four formats, and with full content",
    timed=False,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=(
        _plot(LINK, "Copies: notifications that cross a link"),
        _plot(SUBSCRIPTION, "Ids that a subscription has"),
        _plot(TABLE, "Ids that a router's table holds"),
        _plot(NOTIFICATION, "Ids in the header of a notification"),
    ),
    agrees=1.1,
)
