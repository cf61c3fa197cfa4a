"""Printed numbers beside ours: the ratio, and a verdict.

A cell agrees if the two are within the experiment's factor of each other. One that does not needs a row that
says why; a row whose cell agrees after all is stale. Times of other machines have a ratio and no verdict.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from penstock.errors import ExperimentError
from penstock.papers.experiment import Experiment, Reading, Readings, Scale
from penstock.papers.published import Cell, Disagreement, Published

__all__ = ["Compared", "Comparison", "Verdict", "compare"]


class Verdict(Enum):
    """What became of a printed number."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    OTHER_MACHINE = "other machine"
    NOT_MEASURED = "not measured"
    NOT_PRINTED = "not printed"


@dataclass(frozen=True, slots=True)
class Compared:
    """One cell; at least one of the two is there."""

    reading: Reading | None
    published: Published | None
    verdict: Verdict
    reason: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours divided by theirs."""
        if self.reading is None or self.published is None or not self.published.value:
            return None
        return self.reading.value / self.published.value

    @property
    def quantity(self) -> str:
        """What the cell is about."""
        return self._known.quantity

    @property
    def series(self) -> str:
        """Whose it is."""
        return self._known.series

    @property
    def x(self) -> str:
        """Where it is."""
        return self._known.x

    @property
    def _known(self) -> Reading | Published:
        known = self.reading or self.published
        assert known is not None
        return known

    @property
    def told(self) -> str:
        """The verdict, with the reason if there is one."""
        return f"{self.verdict.value}, because {self.reason}" if self.reason else self.verdict.value


@dataclass(frozen=True, slots=True)
class Comparison:
    """All cells of an experiment, and what is left to explain."""

    rows: Sequence[Compared]
    unexplained: Sequence[Compared]  #: out of the factor, and no row says why
    stale: Sequence[Disagreement]  #: rows that explain what is not so

    def count(self, verdict: Verdict) -> int:
        """How many cells have it."""
        return sum(row.verdict is verdict for row in self.rows)

    def problems(self, scale: Scale) -> list[str]:
        """What must not be left at the papers' own sizes; smaller ones give other numbers."""
        if scale != "full":
            return []
        missing = [
            row.published for row in self.rows if row.verdict is Verdict.NOT_MEASURED and not row.reason
        ]
        return [
            *[f"{_name(row.published)}: disagrees, and no row says why" for row in self.unexplained],
            *[f"{_name(row)}: the disagreement is stale" for row in self.stale],
            *[f"{_name(row)}: was printed, and is not measured" for row in missing],
        ]


def compare(
    experiment: Experiment,
    readings: Readings,
    published: Iterable[Published],
    disagreements: Iterable[Disagreement],
) -> Comparison:
    """Join them; printed numbers first, in their order, then what has none."""
    reasons = {row.cell: row for row in disagreements if row.experiment == experiment.key}
    rows: list[Compared] = []
    seen: set[Cell] = set()
    for number in published:
        if number.experiment == experiment.key:
            seen.add(number.cell)
            row = reasons.get(number.cell)
            rows.append(_judge(experiment, readings, number, row.reason if row else ""))
    used = {row.published.cell for row in rows if row.published and row.reason}
    rows += [
        Compared(reading, None, Verdict.NOT_PRINTED)
        for reading in readings
        if (experiment.key, reading.quantity, reading.series, reading.x) not in seen
    ]
    return Comparison(
        rows,
        [row for row in rows if row.verdict is Verdict.DISAGREES and not row.reason],
        [row for cell, row in reasons.items() if cell not in used],
    )


def _judge(experiment: Experiment, readings: Readings, number: Published, reason: str) -> Compared:
    reading = readings.find(number.quantity, number.series, number.x)
    if reading is None:
        return Compared(None, number, Verdict.NOT_MEASURED, reason)
    if reading.unit != number.unit:
        raise ExperimentError(
            f"was printed in {number.unit!r} and measured in {reading.unit!r}", _name(number)
        )
    if experiment.agrees is None:
        return Compared(reading, number, Verdict.OTHER_MACHINE)
    if _within(reading.value, number.value, experiment.agrees):
        return Compared(reading, number, Verdict.AGREES)
    return Compared(reading, number, Verdict.DISAGREES, reason)


def _within(ours: float, theirs: float, factor: float) -> bool:
    low, high = sorted((ours, theirs))
    return high <= low * factor


def _name(row: Published | Disagreement | None) -> str:
    return "" if row is None else f"{row.experiment}, {row.quantity} of {row.series} at {row.x}"
