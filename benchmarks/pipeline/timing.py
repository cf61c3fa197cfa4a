"""Rates of several ways, taken in turns, so that what disturbs the machine disturbs all of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from common import Spread, progress, seconds
from pipeline.ways import WAYS, Job

__all__ = ["Case", "Rates", "measure"]


@dataclass(frozen=True, slots=True)
class Case:
    """A way, and what goes through it."""

    way: str
    job: Job


class Rates(dict[str, list[float]]):
    """Messages a second, by case; the same place in two lists is the same turn."""

    def ratio(self, case: str, other: str) -> Spread:
        """How many times as fast the one is as the other, turn by turn."""
        return Spread.of(one / two for one, two in zip(self[case], self[other], strict=True))

    def thousands(self, case: str) -> Spread:
        """Thousand messages a second."""
        return Spread.of(self[case]).times(1e-3)


def measure(cases: Mapping[str, Case], turns: int) -> Rates:
    """Run each case to its end, into nothing, over and over; the first turn is for warming up."""
    rates = Rates({name: [] for name in cases})
    for turn in range(turns + 1):
        for name, case in cases.items():
            progress(f"{name}, turn {turn} of {turns}")
            frame = WAYS[case.way](case.job)
            taken = seconds(lambda: frame.write.format("noop").mode("overwrite").save())  # noqa: B023
            if turn:
                rates[name].append(case.job.workload.messages / taken)
    return rates
