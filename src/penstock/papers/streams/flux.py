"""Figures 7 and 8: what it costs to add and to remove one subscription.

Whole calls from Python are timed, which all schemes have; the native times of three are beside them.
Subscriptions that come and go are new in each round, since Python remembers expressions that it has compiled.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import median

import numpy as np

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.streams.growth import largest, listed, micro, times
from penstock.papers.streams.sweep import grow, point, workload_of
from penstock.papers.timing import spread
from penstock.topics import Scheme, TopicTable

__all__ = ["FLUX"]

ADD, REMOVE, ADD_NATIVELY, REMOVE_NATIVELY = (
    "adding", "removing", "adding, native", "removing, native",
)  # fmt: skip
SCHEMES: Sequence[Scheme] = ("tree", "hash", "regex", "radix")
ATTRIBUTES = 10
CHANGES = 300  # in each round


def sweep(scale: Scale) -> Sequence[Point]:
    """All sizes in one point: entering as many regular expressions takes longest."""
    return [point(scale, ATTRIBUTES, SCHEMES)]


def measure(point: Point) -> Iterator[Reading]:
    """Medians of the changes in a round, and their spread over the rounds."""
    workload, rounds = workload_of(point), int(point.settings["repeats"])
    fresh = islice(workload.endless_patterns(), workload.count, None)
    for grown in grow(point):
        more = [list(islice(fresh, CHANGES)) for _ in range(rounds)]
        for scheme, table in grown.tables.items():
            measured = {(ADD, REMOVE): [_time_calls(table, patterns) for patterns in more]}
            if scheme != "regex":
                measured[ADD_NATIVELY, REMOVE_NATIVELY] = [_time_natively(table, each) for each in more]
            for quantities, spent in measured.items():
                for quantity, values in zip(quantities, zip(*spent, strict=True), strict=True):
                    yield spread(scheme, grown.size, quantity, "µs", values, each=1e6)


def _time_natively(table: TopicTable, patterns: list[str]) -> tuple[float, float]:
    """The same, in the core."""
    added, removed = np.median(table.time_updates(patterns, patterns), axis=1).tolist()
    return added, removed


def _time_calls(table: TopicTable, patterns: Sequence[str]) -> tuple[float, float]:
    """Seconds of subscribe() and of unsubscribe(), medians; the table ends as it was."""
    added, removed, ids = list[float](), list[float](), list[int]()
    for pattern in patterns:
        start = time.perf_counter()
        ids.append(table.subscribe(pattern, pattern))
        added.append(time.perf_counter() - start)
    for id_ in ids:
        start = time.perf_counter()
        table.unsubscribe(id_)
        removed.append(time.perf_counter() - start)
    return median(added), median(removed)


def claims(readings: Readings) -> Iterator[Claim]:
    """Which scheme copes best with subscriptions that come and go."""
    for figure, quantity in (("Figure 7", ADD), ("Figure 8", REMOVE)):
        yield from _claims(readings, figure, quantity)


def _claims(readings: Readings, figure: str, quantity: str) -> Iterator[Claim]:
    x = largest(readings, quantity, "radix")
    called = {scheme: readings.get(quantity, scheme, x) for scheme in SCHEMES}
    native = {s: readings.get(f"{quantity}, native", s, x) for s in ("tree", "hash", "radix")}
    calls = "calls: " + listed(f"{name} {micro(us)}" for name, us in called.items())
    natively = "natively: " + listed(f"{name} {micro(us)}" for name, us in native.items())
    yield Claim(
        f"§4.2, {figure}: {quantity} costs least with regular expressions, then with hashing.",
        holds=called["regex"] < called["hash"] < called["tree"],
        found=calls,
        because=REGEX_COSTS[quantity],
    )
    yield Claim(
        f"§4.2, {figure}: {quantity} costs more with the tree than with the hashing scheme.",
        holds=native["tree"] > native["hash"],
        found=f"{times(native['tree'] / native['hash'])}; {natively}",
        because="nodes and edges come from a store that is at hand",
    )
    yield Claim(
        f"{figure}: with the default scheme of penstock, radix, {quantity} costs no more than with the tree.",
        holds=native["radix"] <= native["tree"],
        found=f"{times(native['tree'] / native['radix'])} as fast; {natively}",
        because="a pattern that was alone may have to make room for another",
        ours=True,
    )


REGEX_COSTS = {
    ADD: "the expression is compiled when it is added, as in the paper, and Python's compiler is slow",
    REMOVE: "the subscription is forgotten in two places, one of them in Python, behind a lock",
}


def _plot(quantity: str, title: str) -> Plot:
    return Plot(quantity, title, "subscriptions", "µs", log_x=True, log_y=True)


FLUX = Experiment(
    key="streams-fig7-8",
    paper="streams",
    figure="Figures 7 and 8",
    shows="what adding and removing one subscription costs",
    timed=True,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=(
        _plot(ADD, "Figure 7: adding a subscription, a call from Python"),
        _plot(REMOVE, "Figure 8: removing a subscription, a call from Python"),
        _plot(ADD_NATIVELY, "Adding a subscription, natively"),
        _plot(REMOVE_NATIVELY, "Removing a subscription, natively"),
    ),
)
