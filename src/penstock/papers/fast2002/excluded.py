"""Section 3: of 200,000 predicates the first ten of a thousand entries of the table exclude 131,000.

How many depends on the message; what is compared with the paper is the mean over all messages.
"""

from collections.abc import Iterator

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings
from penstock.papers.fast2002.contest import SEED, filled
from penstock.papers.forwarding import SELECTIVITY
from penstock.papers.timing import count
from penstock.workload import Scenario2002, messages

__all__ = ["SECTION_3"]

PREDICATES = 200_000  # at both scales: it is one table


def measure(point: Point) -> Iterator[Reading]:
    """Excluded predicates: of the mean message, and of those that lose most and least."""
    workload = Scenario2002(I=int(point.settings["I"]))
    table = filled(workload, [SELECTIVITY])[SELECTIVITY]
    excluded = sorted(table.trace(message)["excluded"] for message in messages(workload, SEED))
    found = {"fewest": excluded[0], "mean": sum(excluded) / len(excluded), "most": excluded[-1]}
    for x, value in found.items():
        yield count("first 10 entries", x, "predicates excluded", value)


def claims(readings: Readings) -> Iterator[Claim]:
    """A count, which no machine changes."""
    found = {
        x: readings.get("predicates excluded", "first 10 entries", x) for x in ("fewest", "mean", "most")
    }
    yield Claim(
        "§3: the first 10 of 1000 entries exclude 131,000 of 200,000 predicates",
        131_000 / 1.1 <= found["mean"] <= 131_000 * 1.1,
        f"{found['mean']:,.0f} on average, from {found['fewest']:,.0f} to {found['most']:,.0f} by message",
        always=True,
    )


SECTION_3 = Experiment(
    key="2002-excluded",
    paper="fast-2002",
    figure="§3",
    shows="predicates that the first ten entries of the selectivity table exclude",
    timed=False,
    sweep=lambda _: [Point(f"{PREDICATES:,} predicates, 10 entries", {"I": PREDICATES})],
    measure=measure,
    claims=claims,
    plots=(
        Plot("predicates excluded", "Predicates excluded, of 200,000", "by message", "predicates", bars=True),
    ),
    agrees=1.1,
)
