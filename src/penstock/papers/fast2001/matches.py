"""Figures 10 and 11: how many interfaces messages go to, and how many go nowhere.

Both are counts, the same for every engine, which is checked. The report does not say how many interfaces its
figure 10 has; here there are 50, the fewest of its routers.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.fast2001.workload import parts, sent, sizes, stages
from penstock.papers.forwarding import ACCESS, COUNTING, agreed, together
from penstock.papers.timing import count

__all__ = ["FIGURE_10", "FIGURE_11"]

NAMES = (1000, 100, 50)
INTERFACES = 50
# Upper ends in per cent of all interfaces, as they are drawn.
REACHED = {"none": 0, "up to 10%": 10, "up to 50%": 50, "below 100%": 99, "all": 100}
DISTRIBUTIONS = (1_000, 10_000, 100_000)  # at both scales
RANGES: dict[Scale, tuple[int, ...]] = {
    "small": (1_000, 2_000, 5_000, 10_000),
    "full": (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000),
}


def reached(point: Point, interfaces: int) -> Iterator[tuple[int, list[int]]]:
    """For each size, how many interfaces each message goes to."""
    names = int(point.settings["A"])
    messages = sent(names)
    tables = {each: each.table() for each in (ACCESS, COUNTING)}
    for before, size in stages(point):
        together(list(tables.values()), parts(names, interfaces, before, size))
        yield size, agreed(tables, messages)


def points(counts: tuple[int, ...]) -> list[Point]:
    """A point for each number of names."""
    return [
        Point(f"A={names}, up to {counts[-1]:,} filters", {"A": names, "sizes": sizes(counts)})
        for names in NAMES
    ]


def measure_distribution(point: Point) -> Iterator[Reading]:
    """Per cent of messages by how much of the router they reach."""
    labels, ends = list(REACHED), list(REACHED.values())
    for size, counts in reached(point, INTERFACES):
        found = Counter(labels[bisect_left(ends, 100 * each / INTERFACES)] for each in counts)
        for label in labels:
            share = 100 * found[label] / len(counts)
            yield count(f"A={point.settings['A']}", label, f"messages, F={size:,}", share, "%")


def measure_ignored(point: Point) -> Iterator[Reading]:
    """Per cent of messages that no filter matches; interfaces do not matter for that."""
    for size, counts in reached(point, 2):
        share = 100 * counts.count(0) / len(counts)
        yield count(f"A={point.settings['A']}", size, "ignored", share, "%")


def claim_distribution(readings: Readings) -> Iterator[Claim]:
    """What the text says about figure 10."""
    first = f"messages, F={DISTRIBUTIONS[0]:,}"
    few = sum(readings.get(first, "A=1000", label) for label in ("none", "up to 10%"))
    yield Claim(
        "§4.2: with A=1000 only a few messages reach one or a few more interfaces",
        few > 90,
        f"{few:.1f}% of messages reach at most a tenth of {INTERFACES} interfaces, 1,000 filters",
        always=True,
    )
    last = readings.quantities()[-1]
    beyond = {names: readings.get(last, f"A={names}", "none") for names in (100, 50)}
    yield Claim(
        "§4.2: with fewer names (A=100, A=50) and many filters messages tend to go to several interfaces",
        max(beyond.values()) < 1,
        f"{beyond[100]:.1f}% and {beyond[50]:.1f}% go nowhere ({last.removeprefix('messages, ')})",
        always=True,
    )
    every = {names: readings.get(last, f"A={names}", "all") for names in (100, 50)}
    yield Claim(
        "§4.2: with 100,000 filters a high percentage of messages goes to all interfaces",
        max(every.values()) > 25,
        f"{every[100]:.1f}% with A=100, {every[50]:.1f}% with A=50 go to all {INTERFACES} "
        f"({last.removeprefix('messages, ')})",
        "a message of three attributes meets few of the filters, and one interface that wants it not is "
        "enough; the report does not say for how many interfaces it counted",
    )


def claim_ignored(readings: Readings) -> Iterator[Claim]:
    """What the text says about figure 11."""
    curve = readings.curve("ignored", "A=1000")
    told = ", ".join(f"{value:.1f}% at {size:,.0f}" for size, value in curve)
    yield Claim(
        "§4.2: with A=1000 about 90% of messages are ignored",
        all(value > 85 for _, value in curve),
        f"{told} filters",
        "true of the first thousand filters only: each thousand more is another chance to match, and with "
        "100,000 there are some twenty filters of a single constraint for every name",
    )
    ends = {names: [value for _, value in readings.curve("ignored", f"A={names}")] for names in (100, 50)}
    yield Claim(
        "§4.2: with A=100 and A=50 most messages are forwarded, and soon all of them",
        all(line[0] < 50 and readings.get("ignored", f"A={a}", 10_000) < 1 for a, line in ends.items()),
        f"ignored at 1,000 filters: {ends[100][0]:.1f}% (A=100), {ends[50][0]:.1f}% (A=50); at 10,000: "
        f"{readings.get('ignored', 'A=100', 10_000):.1f}% and {readings.get('ignored', 'A=50', 10_000):.1f}%",
        always=True,
    )
    yield Claim(
        "§4.2: the number of names regulates how many messages match",
        all(a > b > c for (a, b, c) in [[readings.get("ignored", f"A={n}", 1_000) for n in NAMES]]),
        "fewer names, fewer ignored messages",
        always=True,
    )


FIGURE_10 = Experiment(
    key="2001-fig10",
    paper="fast-2001",
    figure="Figure 10",
    shows="how many of 50 interfaces messages go to, by number of names",
    timed=False,
    sweep=lambda _: points(DISTRIBUTIONS),
    measure=measure_distribution,
    claims=claim_distribution,
    plots=tuple(
        Plot(f"messages, F={size:,}", f"{size:,} filters", "interfaces reached", "% of messages", bars=True)
        for size in DISTRIBUTIONS
    ),
)

FIGURE_11 = Experiment(
    key="2001-fig11",
    paper="fast-2001",
    figure="Figure 11",
    shows="messages that no filter matches, by number of filters and of names",
    timed=False,
    sweep=lambda scale: points(RANGES[scale]),
    measure=measure_ignored,
    claims=claim_ignored,
    plots=(Plot("ignored", "Figure 11: ignored messages", "filters", "% of messages", log_x=True),),
    agrees=1.1,
)
