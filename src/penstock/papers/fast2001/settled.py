"""Figure 12, by what is counted: with fixed sets of interfaces the work levels off, since most are settled.

The times of this figure are drawn with those of figure 9; here is the reason for their shape, in numbers that
no machine changes: how often the counting algorithm meets a filter, and how many candidates access judges.
"""

from collections.abc import Iterator

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale, Setting
from penstock.papers.fast2001.workload import parts, sent, sizes, stages
from penstock.papers.forwarding import ACCESS, COUNTING, agreed, growth, together, work
from penstock.papers.timing import count

__all__ = ["FIGURE_12"]

FIXED = (2, 50, 100, 200, 500)
NAMES = (1000, 100)
SIZES: dict[Scale, tuple[int, ...]] = {
    "small": (1_000, 8_000),
    "full": (1_000, 10_000, 100_000),
}
MESSAGES: dict[Scale, int] = {"small": 200, "full": 1000}
COUNTED = {COUNTING: "postings", ACCESS: "candidates"}


def sweep(scale: Scale) -> list[Point]:
    """A point for each number of names and of interfaces, and I = F beside them."""
    shared: dict[str, Setting] = {"messages": MESSAGES[scale], "sizes": sizes(SIZES[scale])}
    return [Point(f"A={a}, I={i or 'F'}", {"A": a, "I": i, **shared}) for a in NAMES for i in (*FIXED, 0)]


def measure(point: Point) -> Iterator[Reading]:
    """Let the tables grow, and count at each size."""
    names, interfaces = int(point.settings["A"]), int(point.settings["I"])
    messages = sent(names, int(point.settings["messages"]))
    tables = {each: each.table() for each in COUNTED}
    for before, size in stages(point):
        together(list(tables.values()), parts(names, interfaces, before, size))
        agreed(tables, messages)
        for engine, what in COUNTED.items():
            met = work(tables[engine], messages, what)
            yield count(engine.on(interfaces), size, f"filters met, A={names}", met)


def claims(readings: Readings) -> Iterator[Claim]:
    """What the short cut saves."""
    for names in NAMES:
        quantity = f"filters met, A={names}"
        powers = {i: growth(readings.curve(quantity, COUNTING.on(i))) for i in (*FIXED, 0)}
        grows = (
            f"grows with the power {powers[2]:.2f} of the filters for I=2, {powers[50]:.2f} for I=50, "
            f"{powers[500]:.2f} for I=500, {powers[0]:.2f} for I=F"
        )
        yield Claim(
            f"§4.2: with two interfaces the work is sublinear in the number of filters (A={names})",
            powers[2] < 0.75 and all(powers[i] <= powers[0] for i in FIXED),
            grows,
            "with so many names most messages match too little to settle even two interfaces",
            always=names == 100,
        )
        yield Claim(
            f"§4.2: with every fixed number of interfaces the work is sublinear (A={names})",
            all(powers[i] < 0.9 for i in FIXED),
            grows,
            "fifty and more are not all matched early enough, at these sizes, to spare many filters",
        )
        shares = [
            ours / theirs
            for i in (*FIXED, 0)
            for (_, ours), (_, theirs) in zip(
                readings.curve(quantity, ACCESS.on(i)), readings.curve(quantity, COUNTING.on(i)), strict=True
            )
        ]
        yield Claim(
            f"The access engine meets fewer filters than counting, in every table (A={names})",
            max(shares) < 1,
            f"{min(shares):.1%} to {max(shares):.1%} as many",
            ours=True,
            always=True,
        )


FIGURE_12 = Experiment(
    key="2001-fig12",
    paper="fast-2001",
    figure="Figure 12",
    shows="fixed sets of interfaces: how often a message meets a filter, and why times level off",
    timed=False,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=tuple(
        Plot(
            f"filters met, A={names}",
            f"Filters that a message meets, A={names}",
            "filters",
            "filters met per message",
            log_x=True,
            log_y=True,
            series=[*[COUNTING.on(each) for each in (*FIXED, 0)], *[ACCESS.on(each) for each in (2, 500, 0)]],
        )
        for names in NAMES
    ),
)
