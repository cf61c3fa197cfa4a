"""Table 1 and section 5.1: the parameters of the scenarios, and what the generator makes of them."""

from collections.abc import Iterator
from dataclasses import replace

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings
from penstock.papers.fast2002.contest import SEED
from penstock.papers.forwarding import Census
from penstock.papers.timing import count
from penstock.workload import Scenario2002, messages

__all__ = ["TABLE_1"]

PREDICATES = 20_000  # at both scales: they take no time
MANY = 10_000  # messages of which a mean is not left to chance


def measure(point: Point) -> Iterator[Reading]:
    """Draw the scenario as it stands by default; what a mean is expected to be, from many messages."""
    scenario = Scenario2002(I=int(point.settings["I"]))
    yield from Census.of(scenario, SEED).readings()
    lengths = [len(message) for message in messages(replace(scenario, M=MANY), SEED)]
    yield count("attributes per message", f"mean of {MANY:,}", "parameter", sum(lengths) / MANY)


def claims(readings: Readings) -> Iterator[Claim]:
    """The table's half-open ranges against the averages of the text."""
    mean = readings.get("parameter", "constraints per filter", "mean")
    yield Claim(
        "§5.1: filters have 5 constraints on average",
        4.9 < mean < 5.1,
        f"{mean:.2f}",
        always=True,
    )
    mean = readings.get("parameter", "attributes per message", f"mean of {MANY:,}")
    yield Claim(
        "§5.1: messages have 10 attributes on average",
        9.9 < mean < 10.1,
        f"{mean:.2f}",
        "the printed range from 1 to 19 is half-open in the paper's table, and so its mean is 9.5",
    )


TABLE_1 = Experiment(
    key="2002-table1",
    paper="fast-2002",
    figure="Table 1",
    shows="the scenario's parameters as printed, and as drawn",
    timed=False,
    sweep=lambda _: [Point(f"{PREDICATES:,} predicates", {"I": PREDICATES})],
    measure=measure,
    claims=claims,
    plots=(Plot("share", "Types and operators, as drawn", "", "%", bars=True),),
    agrees=1.03,
)
