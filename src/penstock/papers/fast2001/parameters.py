"""Table 1 and section 4.1: the parameters of the scenarios, and what the generator makes of them."""

from collections.abc import Iterator

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings
from penstock.papers.fast2001.workload import SEED
from penstock.papers.forwarding import Census
from penstock.workload import Scenario2001

__all__ = ["TABLE_1"]

FILTERS = 20_000  # at both scales: they take no time


def measure(point: Point) -> Iterator[Reading]:
    """Draw the scenario as it stands by default."""
    return Census.of(Scenario2001(F=int(point.settings["F"])), SEED).readings()


def claims(readings: Readings) -> Iterator[Claim]:
    """The ranges are exact; shares are drawn."""
    ranges = [
        [readings.get("parameter", series, x) for x in ("least", "most")]
        for series in ("attributes per message", "constraints per filter")
    ]
    yield Claim(
        "§4.1: 1000 messages of 3 to 10 attributes, filters of 1 to 5 constraints",
        [readings.get("parameter", "messages", "number"), *ranges] == [1000, [3, 10], [1, 5]],
        f"{ranges[0][0]:.0f} to {ranges[0][1]:.0f} attributes, {ranges[1][0]:.0f} to {ranges[1][1]:.0f} "
        "constraints",
        always=True,
    )
    yield Claim(
        "§4.1: 60% of all constraints test equality, whatever their type",
        readings.get("share", "operators on bool", "=") < 66,
        f"{readings.get('share', 'operators on int', '='):.1f}% on integers, "
        f"{readings.get('share', 'operators on string', '='):.1f}% on strings, "
        f"{readings.get('share', 'operators on bool', '='):.1f}% on booleans",
        "booleans have no order here: a constraint on one tests equality, whatever operator was drawn",
    )


TABLE_1 = Experiment(
    key="2001-table1",
    paper="fast-2001",
    figure="Table 1",
    shows="the scenario's parameters as printed, and as drawn",
    timed=False,
    sweep=lambda _: [Point(f"{FILTERS:,} filters", {"F": FILTERS})],
    measure=measure,
    claims=claims,
    plots=(Plot("share", "Types and operators, as drawn", "", "%", bars=True),),
    agrees=1.03,
)
