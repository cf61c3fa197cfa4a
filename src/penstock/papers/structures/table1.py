"""Table 1: what links, subscriptions, tables and headers carry, in every format, counted over the runs.

A point is an application in a format. Its readings are means over the runs, as the paper prints them, with
the lowest and the highest run; a count that never varies has no spread.
"""

from collections.abc import Iterator
from dataclasses import asdict
from statistics import fmean

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.structures.workload import (
    APPLICATIONS,
    FORMATS,
    INCLUSIVE,
    MESSAGES,
    SCENARIOS,
    draw_tree,
)

__all__ = ["COLUMNS", "ROUTERS", "SEED", "TABLE1"]

SEED = 2003
RUNS = {"small": 2, "full": 20}
ROUTERS = ("typical", "heaviest")
COLUMNS = tuple(f"{router} {application}" for router in ROUTERS for application in APPLICATIONS)
LINK, SUBSCRIPTION, TABLE, NOTIFICATION = (
    "notifications per link",
    "ids per subscription",
    "ids per table",
    "ids per notification",
)
WIDER = "disjoint, first stretch included"


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


def claims(found: Readings) -> Iterator[Claim]:
    """What §4.1.2 says of the table."""
    yield _copies(found)
    yield _subscriptions(found)
    yield _tables(found)
    yield _headers(found)
    yield _graphs(found)
    yield _universe(found)
    yield _content(found)


def _copies(found: Readings) -> Claim:
    counts = {
        (format_, column): found.get(LINK, format_, column)
        for format_ in ("overlapping", "disjoint", "list", "graph")
        for column in COLUMNS
    }
    same = all(
        counts["disjoint", column] == counts["list", column] == counts["graph", column] for column in COLUMNS
    )
    more = all(counts["overlapping", column] > counts["disjoint", column] for column in COLUMNS)
    busiest = {name: counts[name, "heaviest traffic"] for name in ("overlapping", "disjoint")}
    return Claim(
        "§4.1.2: Disjoint ids, lists and graphs send each notification once over a link; ids of overlapping"
        " categories send copies.",
        same and more,
        f"the three are equal in all columns; with overlapping ids the busiest link of traffic carries"
        f" {busiest['overlapping']:,.0f} instead of {busiest['disjoint']:,.0f}",
        always=True,
    )


def _subscriptions(found: Readings) -> Claim:
    ids = [found.get(SUBSCRIPTION, "disjoint", f"typical {name}") for name in APPLICATIONS]
    others = {
        found.get(SUBSCRIPTION, name, column)
        for name in ("overlapping", "list", "graph")
        for column in COLUMNS
    }
    return Claim(
        "§4.1.2: A subscription to disjoint categories has 50 to 100 times as many ids as in other formats.",
        others == {1.0} and ids[0] >= 45 and ids[1] >= 100,
        f"{ids[0]:.1f} ids (baseball) and {ids[1]:.1f} (traffic) against 1",
        always=True,
    )


def _tables(found: Readings) -> Claim:
    against = {
        name: found.get(TABLE, "disjoint", f"typical {name}") / found.get(TABLE, "list", f"typical {name}")
        for name in APPLICATIONS
    }
    return Claim(
        "§4.1.2: Disjoint ids fill the table of the typical router with far more ids than the other formats.",
        min(against.values()) > 10,
        ", ".join(f"{times:.0f} times as many ({name})" for name, times in against.items()),
        always=True,
    )


def _headers(found: Readings) -> Claim:
    ids = found.at(NOTIFICATION, "list", "heaviest traffic")
    return Claim(
        "§4.1.2: Lists grow very long where categories overlap much: about 87 ids in a traffic header at the"
        " busiest router.",
        ids.value > 50,
        f"{ids.value:.0f} ids, from {ids.low:.0f} to {ids.high:.0f} over the runs",
        always=True,
    )


def _graphs(found: Readings) -> Claim:
    shorter = found.get(NOTIFICATION, "list", "heaviest traffic") / found.get(
        NOTIFICATION, "graph", "heaviest traffic"
    )
    small = all(found.get(TABLE, "graph", column) == found.get(TABLE, "list", column) for column in COLUMNS)
    return Claim(
        "§4.1.2: Content graphs avoid all three: no copies, one id in a subscription, short headers.",
        small and shorter > 8,
        f"tables as small as those of lists, and traffic headers at the busiest router {shorter:.0f} times"
        " shorter",
        always=True,
    )


def _universe(found: Readings) -> Claim:
    games = found.get(TABLE, "disjoint", "heaviest baseball")
    alerts, wider = (found.get(TABLE, name, "heaviest traffic") for name in ("disjoint", WIDER))
    each = found.get(SUBSCRIPTION, WIDER, "typical traffic")
    return Claim(
        "Table 1: The source's router holds all 465 games and all 210 alerts as disjoint ids.",
        games == 465 and wider == 210,
        f"{games:.0f} and {alerts:.0f}; {wider:.0f} if an interest has the stretch that leads to its first"
        f" exit, but then there are {each:.0f} ids in a subscription, not 118",
        always=True,
    )


def _content(found: Readings) -> Claim:
    columns = [found.get(LINK, "content", column) == found.get(LINK, "graph", column) for column in COLUMNS]
    filters = [found.get(SUBSCRIPTION, "content", f"typical {name}") for name in APPLICATIONS]
    attributes = {found.get(NOTIFICATION, "content", column) for column in COLUMNS}
    return Claim(
        "Full content, which the paper left out as too expensive to simulate, has none of the pitfalls.",
        all(columns) and attributes == {2.0} and max(filters) < 2,
        f"as many messages on every link as with graphs, {filters[0]:.1f} filters in a subscription to"
        f" baseball and {filters[1]:.0f} to traffic, two attributes in a header",
        ours=True,
        always=True,
    )


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
