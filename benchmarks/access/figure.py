"""Figures to reach: what was asked for, what was measured, and whether that will do.

A figure is judged by its median. Only where it is asked for on a quiet machine does the best measurement
count.
"""

from dataclasses import dataclass, field
from typing import Literal

from common import Cell, Spread
from penstock.table import Engine

__all__ = ["Figures", "Run"]


@dataclass(frozen=True, slots=True)
class Figures:
    """The table of figures, row by row."""

    rows: list[dict[str, Cell]] = field(default_factory=list)

    def at_least(self, figure: float, unit: str, what: str, measured: float | Spread) -> None:
        """More is better."""
        self._add(f"≥ {figure:g} {unit}", what, measured, "median", _of(measured, "median") >= figure)

    def at_most(
        self,
        figure: float,
        unit: str,
        what: str,
        measured: float | Spread,
        by: Literal["median", "min"] = "median",
    ) -> None:
        """Less is better."""
        self._add(f"≤ {figure:g} {unit}", what, measured, by, _of(measured, by) <= figure)

    def _add(self, wanted: str, what: str, measured: float | Spread, by: str, reached: bool) -> None:
        self.rows.append(
            {
                "what": what,
                "to reach": wanted,
                "measured": measured,
                "judged by": by if isinstance(measured, Spread) else "",
                "reached": "yes" if reached else "NO",
            }
        )


@dataclass(frozen=True, slots=True)
class Run:
    """What all parts of the benchmark share."""

    engine: Engine
    seed: int
    repeats: int
    figures: Figures = field(default_factory=Figures)


def _of(measured: float | Spread, by: Literal["median", "min"]) -> float:
    if isinstance(measured, Spread):
        return measured.median if by == "median" else measured.min
    return measured
