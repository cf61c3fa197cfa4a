"""Figure 7: time per message by the number of constraints; (a) a central server, (b) routers.

A central server has one filter for each interface. Of the routers the text names I = 20 only; a router with
200 interfaces is measured beside it.
"""

from collections.abc import Iterator

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.fast2002.contest import ENGINES, race, scenario
from penstock.papers.forwarding import ACCESS, COUNTING, SELECTIVITY, Effort, growth, largest

__all__ = ["FIGURE_7A", "FIGURE_7B"]

SIZES: dict[Scale, tuple[int, ...]] = {
    "small": (500, 5_000, 25_000),
    "full": (500, 5_000, 50_000, 500_000, 1_000_000, 5_000_000),
}
ROUTERS = (20, 200)


def points(scale: Scale, interfaces: int) -> list[Point]:
    """A point for each size of a table that has at least five filters for each interface."""
    return [
        Point(
            f"I={interfaces or 'F'}, {size:,} constraints",
            {"I": interfaces, "constraints": size, **Effort.at(scale).settings()},
        )
        for size in SIZES[scale]
        if size >= 25 * interfaces
    ]


def measure(point: Point) -> Iterator[Reading]:
    """All engines on one table."""
    interfaces, size = int(point.settings["I"]), int(point.settings["constraints"])
    cells = {each: (each.on(interfaces), size, "time") for each in ENGINES}
    return race(scenario(size, interfaces), Effort.of(point.settings), cells)


def claim_central(readings: Readings) -> Iterator[Claim]:
    """What section 5.2 says about figure 7a."""
    size, simple = largest(readings, "time", COUNTING.on(0))
    yield Claim(
        "§5.2: a central server of five million constraints takes about 330 ms, which is reasonable",
        simple <= 330_000,
        f"{simple:,.0f} µs with {size:,.0f} constraints",
    )
    shares = {
        size: with_rounds / without
        for (size, without), (_, with_rounds) in zip(
            readings.curve("time", COUNTING.on(0)), readings.curve("time", SELECTIVITY.on(0)), strict=True
        )
    }
    best = min(shares, key=shares.__getitem__)
    yield Claim(
        "§5.2: in this case the selectivity table takes up to 40% off the time",
        shares[size] < 0.9,
        f"with 10 rounds a match takes {shares[size]:.0%} of the time without at {size:,.0f} constraints, "
        f"{shares[best]:.0%} at best (at {best:,.0f})",
        "excluding an interface saves the counting of its filters, and that now costs less than asking for "
        "each filter whether its interface is excluded",
    )
    yield _ours(readings, 0)


def claim_routers(readings: Readings) -> Iterator[Claim]:
    """What section 5.2 says about figure 7b."""
    powers = {each: growth(readings.curve("time", COUNTING.on(each))) for each in ROUTERS}
    yield Claim(
        "§5.2: with a fixed number of interfaces time grows sublinearly",
        max(powers.values()) < 0.9,
        ", ".join(f"with the power {power:.2f} of the constraints (I={i})" for i, power in powers.items()),
        "the tables are too small to fill their interfaces",
    )
    ratios = [
        with_rounds / without
        for each in ROUTERS
        for (_, without), (_, with_rounds) in zip(
            readings.curve("time", COUNTING.on(each)),
            readings.curve("time", SELECTIVITY.on(each)),
            strict=True,
        )
    ]
    yield Claim(
        "§5.2: zero and ten rounds cannot be told apart: the table adds no cost that one measures",
        max(ratios) < 1.1,
        f"with 10 rounds a match takes {min(ratios):.2f} to {max(ratios):.2f} times as long",
        "a round looks a name up in the message, which shows where a match takes a microsecond or two",
    )
    for each in ROUTERS:
        yield _ours(readings, each)


def _ours(readings: Readings, interfaces: int) -> Claim:
    size, theirs = largest(readings, "time", COUNTING.on(interfaces))
    ours = largest(readings, "time", ACCESS.on(interfaces))[1]
    return Claim(
        f"The access engine is faster than counting (I={interfaces or 'F'})",
        ours < theirs,
        f"{ours:,.1f} µs against {theirs:,.1f} µs, {theirs / ours:.1f} times as fast, "
        f"{size:,.0f} constraints",
        "a table so small is walked in no time",
        ours=True,
    )


def _plot(figure: str) -> Plot:
    return Plot(
        "time", f"{figure}: time per message", "constraints", "µs per message", log_x=True, log_y=True
    )


FIGURE_7A = Experiment(
    key="2002-fig7a",
    paper="fast-2002",
    figure="Figure 7a",
    shows="a central server: time per message by constraints, with 0 and 10 rounds",
    timed=True,
    sweep=lambda scale: points(scale, 0),
    measure=measure,
    claims=claim_central,
    plots=(_plot("Figure 7a"),),
)

FIGURE_7B = Experiment(
    key="2002-fig7b",
    paper="fast-2002",
    figure="Figure 7b",
    shows="routers: time per message by constraints, with 0 and 10 rounds",
    timed=True,
    sweep=lambda scale: [point for each in ROUTERS for point in points(scale, each)],
    measure=measure,
    claims=claim_routers,
    plots=(_plot("Figure 7b"),),
)
