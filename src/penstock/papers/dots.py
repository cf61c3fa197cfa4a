"""Readings under names: a panel for each column, a row for each series, a dot with its number.

Bars would need a zero, which a logarithmic axis does not have; dots do not. What a paper printed is a hollow
diamond in the same row. Where most panels would be empty, there is one, with a row for each reading.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from penstock.papers.axis import log_ticks
from penstock.papers.experiment import Plot, Reading, Readings
from penstock.papers.label import place, short, short_ticks
from penstock.papers.published import Published
from penstock.report.drawing import FAINT, INK, PAPER, STYLE, WIDTH, to_svg

__all__ = ["draw_dots"]

ACROSS, ROW = 4, 0.32  # panels beside each other, inches for a row
LABEL = 0.24  # of a panel's width: a number beside its dot


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a panel: its name, its colour, and the two numbers, of which one may be missing."""

    name: str
    colour: str
    ours: Reading | None
    theirs: float | None

    @property
    def values(self) -> list[float]:
        """All numbers that must be seen."""
        ours = [] if self.ours is None else [self.ours.low, self.ours.high]
        return ours if self.theirs is None else [*ours, self.theirs]


@dataclass(frozen=True, slots=True)
class Span:
    """The axis that all panels share."""

    low: float
    high: float
    log: bool

    @classmethod
    def of(cls, values: Sequence[float], *, log: bool) -> "Span":
        """All values, with room for the numbers on the right."""
        low, high = min(values), max(values)
        if log and low > 0:
            room = max(1.6, (high / low) ** 0.4)
            return cls(low / max(1.3, room**0.55), high * room, True)
        low = min(0.0, low)
        wide = (high - low) or 1.0
        return cls(low - 0.04 * wide, high + 0.45 * wide, False)

    def apart(self, one: float, other: float) -> float:
        """How far to the right the other lies, as a part of the width."""
        if self.log:
            return math.log(other / one) / math.log(self.high / self.low)
        return (other - one) / (self.high - self.low)


def draw_dots(plot: Plot, readings: Readings, series: Mapping[str, str], printed: Sequence[Published]) -> str:
    """The plot as SVG, of series in their colours."""
    panels = _panels(plot, readings, series, printed)
    span = Span.of(
        [value for rows in panels.values() for row in rows for value in row.values], log=plot.log_y
    )
    tall = max(map(len, panels.values()))
    across = min(ACROSS, len(panels))
    down = -(-len(panels) // across)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, down * (ROW * tall + 0.5) + 0.5), layout="constrained")
        figure.patch.set_alpha(0)
        grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
        for axes, (title, rows) in zip(grid.flat, panels.items(), strict=False):
            _draw_panel(axes, title, rows, span)
        for axes in grid.flat[len(panels) :]:
            axes.set_visible(False)
        _scale(grid, next(iter(panels.values())), span)
        note = " · diamonds: printed in the paper" if printed else ""
        figure.supxlabel(plot.y_label + note, fontsize=10, color=FAINT)
    return to_svg(figure, plot.title)


def _panels(
    plot: Plot, readings: Readings, series: Mapping[str, str], printed: Sequence[Published]
) -> dict[str, list[Row]]:
    """Rows by panel; columns in the order of the paper's, then others as they were measured."""
    theirs = {(row.series, row.x): row.value for row in printed}
    measured = [x for name in series for x in readings.xs(plot.quantity, name)]
    columns = list(dict.fromkeys([*[row.x for row in printed if row.x in measured], *measured]))
    rows = {
        (name, x): Row(name, colour, readings.find(plot.quantity, name, x), theirs.get((name, x)))
        for name, colour in series.items()
        for x in columns
    }
    filled = {key: row for key, row in rows.items() if row.ours is not None}
    if len(filled) * 2 >= len(rows):
        return {place(x): [rows[name, x] for name in series] for x in columns}
    return {
        "": [
            Row(f"{name}, {place(x)}", row.colour, row.ours, row.theirs) for (name, x), row in filled.items()
        ]
    }


def _draw_panel(axes: Any, title: str, rows: Sequence[Row], span: Span) -> None:
    axes.patch.set_alpha(0)
    axes.set_title(title, fontsize=10, color=INK, loc="left", fontweight=600)
    for height, row in enumerate(rows):
        if row.theirs is not None:
            axes.plot(
                [row.theirs], [height], linestyle="", marker="D", markersize=9, markerfacecolor=PAPER,
                markeredgecolor=row.colour, markeredgewidth=1.6, zorder=3, clip_on=False,
            )  # fmt: skip
        if row.ours is None:
            continue
        low, high = row.ours.low, row.ours.high
        axes.plot([low, high], [height, height], color=row.colour, linewidth=2.4, alpha=0.45, zorder=4)
        axes.plot(
            [row.ours.value], [height], linestyle="", marker="o", markersize=5, color=row.colour, zorder=5,
            clip_on=False,
        )  # fmt: skip
        at, right = _beside(row.ours, row.theirs, span)
        axes.annotate(
            short(row.ours.value), (at, height), (10 if right else -8, 0), textcoords="offset points",
            va="center", ha="left" if right else "right", fontsize=9, color=INK, annotation_clip=False,
            zorder=6,
        )  # fmt: skip
    axes.grid(axis="y", visible=True)
    axes.tick_params(which="minor", length=0)


def _beside(ours: Reading, theirs: float | None, span: Span) -> tuple[float, bool]:
    """Where our number stands, and whether that is to the right: never where the diamond would claim it.

    A diamond that hides the dot may have it on its own right; one near it pushes it to the other side, if
    there is room.
    """
    if theirs is None or theirs <= ours.value or span.apart(ours.high, theirs) > LABEL:
        return ours.high, True
    if span.apart(ours.value, theirs) > 0.06 and span.apart(span.low, ours.low) > 0.12:
        return ours.low, False
    return max(ours.high, theirs), True


def _scale(grid: Any, rows: Sequence[Row], span: Span) -> None:
    first = grid[0, 0]
    if span.log:
        first.set_xscale("log")
    first.set_xlim(span.low, span.high)
    if span.log:
        log_ticks(first.xaxis, (span.low, span.high), 5)
    else:
        first.xaxis.set_major_formatter(short_ticks())
    first.set_yticks(range(len(rows)), [row.name for row in rows])
    first.set_ylim(len(rows) - 0.4, -0.6)
    for axes in grid[:, 0]:
        for label in axes.get_yticklabels():
            label.set_color(INK)
