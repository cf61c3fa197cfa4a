"""Table 2: how long one router takes for its notifications and its subscriptions, in every format.

A point is a router and an application: within a run all formats take turns, so that ratios between them stand
on the same minutes. Times are totals of the workload, with a UDP send for each frame as the paper's had.
"""

from collections.abc import Callable, Iterator
from statistics import median

from penstock.papers.experiment import Experiment, Plot, Point, Reading, Scale
from penstock.papers.structures.cells import ALONE_RATIO, SENT, SENT_RATIO, TAKEN, TAKEN_RATIO
from penstock.papers.structures.claims2 import claims
from penstock.papers.structures.contest import LIST_WITH_MEMORY, Contest
from penstock.papers.structures.process import Loopback, drop
from penstock.papers.structures.table1 import SEED
from penstock.papers.structures.workload import APPLICATIONS, FORMATS, Workload, heaviest, typical
from penstock.papers.timing import spread

__all__ = ["TABLE2"]

LOADS: dict[str, Callable[[str, str, int, int], Workload]] = {"typical": typical, "heaviest": heaviest}
RUNS, REPEATS, SLICE = {"small": 1, "full": 20}, 1, 0.02  # runs are repeats of each other

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
