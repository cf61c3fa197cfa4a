"""Figure 8: the same number of constraints, in disjunctions of one filter or of thousands."""

from collections.abc import Iterator
from itertools import pairwise

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.fast2002.contest import ENGINES, race, scenario
from penstock.papers.forwarding import ACCESS, COUNTING, SELECTIVITY, Effort

__all__ = ["FIGURE_8"]

CONSTRAINTS: dict[Scale, int] = {"small": 20_000, "full": 1_000_000}
EACH = 5  # constraints of a filter, on average
RATIOS: dict[Scale, tuple[int, ...]] = {
    "small": (1, 10, 100, 1_000),
    "full": (1, 3, 10, 30, 100, 1_000, 10_000),
}


def sweep(scale: Scale) -> list[Point]:
    """A point for each ratio of filters to interfaces."""
    size = CONSTRAINTS[scale]
    return [
        Point(
            f"{ratio:,} filters per interface, {size:,} constraints",
            {"ratio": ratio, "constraints": size, **Effort.at(scale).settings()},
        )
        for ratio in RATIOS[scale]
    ]


def measure(point: Point) -> Iterator[Reading]:
    """All engines on one table."""
    ratio, size = int(point.settings["ratio"]), int(point.settings["constraints"])
    interfaces = 0 if ratio == 1 else size // EACH // ratio
    cells = {each: (each.name, ratio, "time") for each in ENGINES}
    return race(scenario(size, interfaces), Effort.of(point.settings), cells)


def claims(readings: Readings) -> Iterator[Claim]:
    """What section 5.2 says."""
    counting = readings.curve("time", COUNTING.name)
    (_, single), (ratio, most) = counting[0], counting[-1]
    yield Claim(
        "§5.2: the algorithm is at its best with very large disjunctions",
        most == min(time for _, time in counting),
        f"{most:,.1f} µs with {ratio:,.0f} filters per interface, {single:,.1f} µs with one",
        "disjunctions settle an interface only once they are large enough to match most messages",
    )
    middle, slowest = max(counting, key=lambda point: point[1])
    yield Claim(
        "§5.2: time falls as the ratio of filters to interfaces rises",
        all(later <= earlier * 1.1 for (_, earlier), (_, later) in pairwise(counting)),
        f"slowest with {middle:,.0f} filters per interface: {slowest:,.1f} µs",
        "with one filter for each interface no owner has to be asked for, and few filters on an interface "
        "settle it too seldom to win that back",
    )
    with_rounds = readings.get("time", SELECTIVITY.name, 1)
    yield Claim(
        "§5.2: at the left end, one filter per interface, the selectivity table pays",
        with_rounds < single,
        f"{with_rounds:,.1f} µs with 10 rounds, {single:,.1f} µs without",
        "what the exclusion of an interface saves is less than what asking for it costs",
    )
    ratios = [
        slow / fast
        for (_, slow), (_, fast) in zip(counting, readings.curve("time", ACCESS.name), strict=True)
    ]
    yield Claim(
        "The access engine is faster than counting whatever the ratio",
        min(ratios) > 1,
        f"{min(ratios):.1f} to {max(ratios):.1f} times as fast",
        "a table so small is walked in no time",
        ours=True,
    )


FIGURE_8 = Experiment(
    key="2002-fig8",
    paper="fast-2002",
    figure="Figure 8",
    shows="time per message by filters per interface, for the same number of constraints",
    timed=True,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=(
        Plot(
            "time",
            "Figure 8: time per message",
            "filters per interface",
            "µs per message",
            log_x=True,
            log_y=True,
        ),
    ),
)
