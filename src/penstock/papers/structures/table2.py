"""Table 2: how long one router takes for its notifications and its subscriptions, in every format.

A point is a router and an application: within a run all formats take turns, so that ratios between them stand
on the same minutes. Times are totals of the workload, with a UDP send for each frame as the paper's had.
"""

from collections.abc import Callable, Iterator
from statistics import median

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.structures.contest import LIST_WITH_MEMORY, Contest
from penstock.papers.structures.process import Loopback, drop
from penstock.papers.structures.table1 import SEED
from penstock.papers.structures.workload import APPLICATIONS, FORMATS, Workload, heaviest, typical
from penstock.papers.timing import spread

__all__ = ["SENT", "TABLE2", "TAKEN"]

LOADS: dict[str, Callable[[str, str, int, int], Workload]] = {"typical": typical, "heaviest": heaviest}
RUNS, REPEATS, SLICE = {"small": 1, "full": 20}, 1, 0.02  # runs are repeats of each other
SENT, TAKEN = "time for notifications", "time for subscriptions"
SENT_RATIO, TAKEN_RATIO = "notifications: times the graph", "subscriptions: times the graph"
ALONE_RATIO = "notifications without sends: times the graph"
BUSIEST = "heaviest traffic"

Samples = dict[tuple[str, str], list[float]]  # by quantity and format


def sweep(scale: Scale) -> list[Point]:
    """The four columns of the table."""
    return [
        Point(
            f"{router} router, {application}",
            {
                "router": router,
                "application": application,
                "runs": RUNS[scale],
                "repeats": REPEATS,
                "seed": SEED,
            },
        )
        for router in LOADS
        for application in APPLICATIONS
    ]


def measure(point: Point) -> Iterator[Reading]:
    """Medians within a run; then the median of the runs, with the lowest and the highest."""
    router, application = str(point.settings["router"]), str(point.settings["application"])
    runs, repeats, seed = (int(point.settings[name]) for name in ("runs", "repeats", "seed"))
    found: Samples = {}
    for run in range(runs):
        contest = Contest.draw(LOADS[router], application, seed, run)
        for key, values in _times(contest, repeats).items():
            found.setdefault(key, []).extend([median(values)] if runs > 1 else values)
    for (quantity, format_), values in found.items():
        unit = "ms" if quantity in (SENT, TAKEN) else "x"
        yield spread(format_, f"{router} {application}", quantity, unit, values)


def _times(contest: Contest, repeats: int) -> Samples:
    """All times of one run, and how they stand to the graph's, turn by turn."""
    with Loopback() as loopback:
        sent = contest.forwarding(repeats, loopback.send, SLICE)
    alone = contest.without("overlapping").forwarding(repeats, drop, SLICE)
    taken = {format_: contest.subscribing(format_, repeats) for format_ in FORMATS}
    found: Samples = {}
    for quantity, ratio, times in (
        (SENT, SENT_RATIO, sent),
        ("", ALONE_RATIO, alone),
        (TAKEN, TAKEN_RATIO, taken),
    ):
        for format_, values in times.items():
            if quantity:
                found[quantity, format_] = values
            if format_ != "graph":
                turns = zip(values, times["graph"], strict=True)
                found[ratio, format_] = [ours / graph for ours, graph in turns]
    return found


def claims(found: Readings) -> Iterator[Claim]:
    """What §4.2.2 and §5 say of the table."""
    yield _copies(found)
    yield _lists(found)
    yield from _disjoint(found)
    yield _placing(found)
    yield _ten_times(found)
    yield _rate(found)
    yield from _ours(found)


def _copies(found: Readings) -> Claim:
    times = found.get(SENT_RATIO, "overlapping", BUSIEST)
    return Claim(
        "§4.2.2: With overlapping ids, busy routers take very long for notifications.",
        times > 3,
        f"the busiest router of traffic takes {times:.0f} times as long as with graphs",
        always=True,
    )


def _lists(found: Readings) -> Claim:
    traffic, baseball = (
        found.get(SENT_RATIO, "list", f"heaviest {name}") for name in ("traffic", "baseball")
    )
    return Claim(
        "§4.2.2: With lists, too.",
        traffic > 2,
        f"{traffic:.1f} times as long as with graphs for traffic, {baseball:.1f} times for baseball",
    )


def _disjoint(found: Readings) -> Iterator[Claim]:
    sent = found.get(SENT_RATIO, "disjoint", BUSIEST)
    taken = found.get(TAKEN, "disjoint", BUSIEST) / found.get(TAKEN, "list", BUSIEST)
    yield Claim(
        "§4.2.2: Disjoint ids need little time for notifications.",
        sent < 1.5,
        f"{sent:.2f} times the graph's at the busiest router of traffic",
    )
    yield Claim(
        "§4.2.2: But they need much for subscriptions.",
        taken > 3,
        f"{taken:.0f} times the list's at the busiest router of traffic",
        always=True,
    )


def _placing(found: Readings) -> Claim:
    lists, graph, disjoint = (found.get(TAKEN, name, BUSIEST) for name in ("list", "graph", "disjoint"))
    return Claim(
        "§4.2.2: Graphs need extra time for subscriptions, but not nearly as much as disjoint ids.",
        lists < graph < disjoint / 2,
        f"1,200 subscriptions to traffic: {lists:.1f} ms with lists, {graph:.1f} with graphs, {disjoint:.0f}"
        " with disjoint ids",
    )


def _ten_times(found: Readings) -> Claim:
    sending, alone = (found.at(ratio, "list", BUSIEST) for ratio in (SENT_RATIO, ALONE_RATIO))
    remembers = found.get(ALONE_RATIO, LIST_WITH_MEMORY, BUSIEST)
    return Claim(
        "§5: A busy router of graphs processes traffic more than ten times as fast as one of lists (12.5 in"
        " Table 2).",
        sending.value > 10,
        f"{sending.value:.1f} times, {alone.value:.1f} without sends (from {alone.low:.1f} to"
        f" {alone.high:.1f} over the runs)",
        because="a send costs both the same, and here it weighs more than a look-up; a list that keeps"
        f" answers by header, as graphs do, is only {remembers:.1f} times as slow",
    )


def _rate(found: Readings) -> Claim:
    lists, graph = (1e6 / found.get(SENT, name, BUSIEST) for name in ("list", "graph"))
    return Claim(
        "§4.2.2: The busiest router forwards 370 traffic alerts a second with lists, 4,608 with graphs.",
        lists > 370 and graph > 4608,
        f"{lists:,.0f} and {graph:,.0f} a second: {lists / 370:.0f} and {graph / 4608:.0f} times as many, in"
        " Python on a newer machine",
    )


def _ours(found: Readings) -> Iterator[Claim]:
    content, lists = (found.get(SENT, name, BUSIEST) for name in ("content", "list"))
    graph, disjoint = (found.get(SENT, name, BUSIEST) for name in ("graph", "disjoint"))
    yield Claim(
        "§2.2 holds that routers which match content are slow. With the access engine full content stays"
        " within reach of ids, and ahead of lists, where it matters.",
        content < lists,
        f"the busiest router of traffic: {content:.0f} ms with content, {graph:.0f} with graphs,"
        f" {disjoint:.0f} with disjoint ids, {lists:.0f} with lists",
        ours=True,
    )
    taken, placed = (found.get(TAKEN, name, BUSIEST) for name in ("content", "graph"))
    yield Claim(
        "The access engine takes in subscriptions faster than a graph places its ids.",
        taken < placed,
        f"{taken:.1f} ms against {placed:.1f} for 1,200 subscriptions to traffic, parsed from text",
        ours=True,
    )


def _plot(quantity: str, title: str, y_label: str, series: tuple[str, ...]) -> Plot:
    return Plot(quantity, title, "router and application", y_label, log_y=True, series=series, bars=True)


TABLE2 = Experiment(
    key="structures-table2",
    paper="structures",
    figure="Table 2",
    shows="how long a router takes for notifications and subscriptions, in the same formats",
    timed=True,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=(
        _plot(SENT, "Notifications: the whole workload", "ms", (*FORMATS, LIST_WITH_MEMORY)),
        _plot(TAKEN, "Subscriptions: the whole workload", "ms", tuple(FORMATS)),
        _plot(
            SENT_RATIO,
            "Notifications, against content graphs",
            "times as long",
            ("overlapping", "disjoint", "list", "content"),
        ),
        _plot(
            TAKEN_RATIO,
            "Subscriptions, against content graphs",
            "times as long",
            ("overlapping", "disjoint", "list", "content"),
        ),
    ),
)
