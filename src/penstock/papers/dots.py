"""Readings under names: a panel for each column, a row for each series, a dot with its number.

Bars would need a zero, which a logarithmic axis does not have; dots do not. What a paper printed is a hollow
diamond in the same row.
"""

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from penstock.papers.experiment import Plot, Reading, Readings
from penstock.papers.label import short, short_ticks
from penstock.papers.published import Published
from penstock.report.drawing import FAINT, INK, PAPER, SERIES, STYLE, WIDTH, to_svg

__all__ = ["draw_dots"]

ACROSS, ROW = 4, 0.32  # panels beside each other, inches for a row


def draw_dots(plot: Plot, readings: Readings, series: Sequence[str], printed: Sequence[Published]) -> str:
    """The plot as SVG."""
    measured = [x for name in series for x in readings.xs(plot.quantity, name)]
    columns = sorted(dict.fromkeys(measured), key=_order(printed))
    across = min(ACROSS, len(columns))
    down = -(-len(columns) // across)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, down * (ROW * len(series) + 0.55) + 0.5), layout="constrained")
        figure.patch.set_alpha(0)
        grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
        panels = list(grid.flat)
        for panel, column in zip(panels, columns, strict=False):
            theirs = {row.series: row.value for row in printed if row.x == column}
            rows = [(readings.find(plot.quantity, name, column), theirs.get(name)) for name in series]
            _draw_panel(panel, column, rows)
        for panel in panels[len(columns) :]:
            panel.set_visible(False)
        _scale(panels[0], plot, readings, series, printed)
        note = " · diamonds: printed in the paper" if printed else ""
        figure.supxlabel(plot.y_label + note, fontsize=10, color=FAINT)
    return to_svg(figure, plot.title)


def _order(printed: Sequence[Published]) -> Callable[[str], int]:
    """Columns in the order of the paper's, then others as they were measured."""
    theirs = list(dict.fromkeys(row.x for row in printed))
    return lambda x: theirs.index(x) if x in theirs else len(theirs)


def _draw_panel(axes: Any, column: str, rows: Sequence[tuple[Reading | None, float | None]]) -> None:
    axes.patch.set_alpha(0)
    axes.set_title(column, fontsize=10, color=INK, loc="left", fontweight=600)
    for row, (reading, theirs) in enumerate(rows):
        colour = SERIES[row % len(SERIES)]
        if theirs is not None:
            axes.plot(
                [theirs], [row], linestyle="", marker="D", markersize=9, markerfacecolor=PAPER,
                markeredgecolor=colour, markeredgewidth=1.6, zorder=3,
            )  # fmt: skip
        if reading is None:
            continue
        axes.plot([reading.low, reading.high], [row, row], color=colour, linewidth=2.4, alpha=0.45, zorder=4)
        axes.plot([reading.value], [row], linestyle="", marker="o", markersize=5, color=colour, zorder=5)
        axes.annotate(
            short(reading.value), (max(reading.high, theirs or reading.high), row), (10, 0),
            textcoords="offset points", va="center", fontsize=9, color=INK, annotation_clip=False,
        )  # fmt: skip
    axes.grid(axis="y", visible=True)
    axes.tick_params(which="minor", length=0)


def _scale(
    axes: Any, plot: Plot, readings: Readings, series: Sequence[str], printed: Sequence[Published]
) -> None:
    """One axis for all panels, with room for the numbers on the right."""
    values = [each for each in readings if each.quantity == plot.quantity and each.series in series]
    found = [number for each in values for number in (each.low, each.high)] + [row.value for row in printed]
    low, high = min(found), max(found)
    if plot.log_y and low > 0:
        axes.set_xscale("log")
        room = (high / low) ** 0.34 if high > low else 3.0
        axes.set_xlim(low / max(1.2, room**0.25), high * max(1.6, room))
        axes.xaxis.set_major_locator(LogLocator(numticks=5))
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_xlim(min(0, low), high * 1.4 or 1)
    axes.xaxis.set_major_formatter(short_ticks())
    axes.set_yticks(range(len(series)), list(series))
    axes.set_ylim(len(series) - 0.4, -0.6)
    for label in axes.get_yticklabels():
        label.set_color(INK)
