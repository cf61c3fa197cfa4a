"""A plot of readings: lines with their names at their ends, the lowest and highest as a band.

What a paper printed is a hollow diamond in the colour of its line. Series that are compared by name rather
than along an axis are drawn by `dots`.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.lines import Line2D

from penstock.papers.axis import log_ticks
from penstock.papers.dots import draw_dots
from penstock.papers.experiment import Plot, Reading, Readings
from penstock.papers.label import part, short, short_ticks
from penstock.papers.published import Published
from penstock.report.drawing import FAINT, INK, PAPER, SERIES, STYLE, WIDTH, new_figure, to_svg

__all__ = ["choose_palette", "draw"]

HEIGHT = 4.6
GAP = 0.052  # of the height: a line of text
PRINTED = "printed in the paper"
LEADER = {"arrowstyle": "-", "linewidth": 1.1, "shrinkA": 2, "shrinkB": 3, "relpos": (0, 0.5)}


def draw(plot: Plot, readings: Readings, printed: Iterable[Published], palette: Sequence[str] = ()) -> str:
    """The plot as SVG; empty if nothing was measured.

    Series have their colours by their place in the palette, so that they keep them from plot to plot.
    """
    series = _chosen(plot, readings)
    palette = palette or series
    if not series:
        return ""
    numbers = [row for row in printed if row.quantity == plot.quantity and row.series in series]
    if plot.bars:
        return draw_dots(plot, readings, {name: _colour(palette.index(name)) for name in series}, numbers)
    return _draw_lines(plot, readings, {name: palette.index(name) for name in series}, numbers)


def choose_palette(plots: Iterable[Plot], readings: Readings) -> list[str]:
    """All series of an experiment's plots, in the order in which they first appear."""
    return list(dict.fromkeys(name for plot in plots for name in _chosen(plot, readings)))


def _colour(number: int) -> str:
    return SERIES[number % len(SERIES)]


def _chosen(plot: Plot, readings: Readings) -> list[str]:
    """Those that the plot asks for and that were measured."""
    measured = readings.series(plot.quantity)
    return [each for each in plot.series if each in measured] if plot.series else measured


def _draw_lines(plot: Plot, readings: Readings, series: dict[str, int], printed: list[Published]) -> str:
    measured = {name: readings.xs(plot.quantity, name) for name in series}
    places = _places(measured.values())
    figure, axes = new_figure(WIDTH, HEIGHT)
    with mpl.rc_context(STYLE):
        ends = []
        for name, xs in measured.items():
            colour, dashes = _colour(series[name]), "-" if series[name] < len(SERIES) else "--"
            line = [readings.at(plot.quantity, name, x) for x in sorted(xs, key=places.__getitem__)]
            _draw_line(axes, [places[each.x] for each in line], line, colour, dashes)
            ends.append((name, places[line[-1].x], line[-1].value, colour))
            _mark(axes, [row for row in printed if row.series == name], places, colour)
        values = [each.low for each in readings if each.quantity == plot.quantity and each.series in series]
        _scale(axes, plot, places, values)
        _label_ends(axes, ends)
        _explain(axes, bool(printed))
    return to_svg(figure, plot.title)


def _places(lines: Iterable[Sequence[str]]) -> dict[str, float]:
    """Where each x lies: by its number, or one after the other if they are names."""
    xs = list(dict.fromkeys(x for line in lines for x in line))
    try:
        return {x: float(x) for x in xs}
    except ValueError:
        return {x: float(number) for number, x in enumerate(xs)}


def _draw_line(axes: Any, xs: list[float], line: Sequence[Reading], colour: str, dashes: str) -> None:
    axes.fill_between(
        xs, [each.low for each in line], [each.high for each in line], color=colour, alpha=0.16, linewidth=0
    )
    axes.plot(
        xs, [each.value for each in line], color=colour, linestyle=dashes, linewidth=1.8, marker="o",
        markersize=3.6, solid_capstyle="round",
    )  # fmt: skip


def _mark(axes: Any, rows: list[Published], places: dict[str, float], colour: str) -> None:
    """A diamond for each printed number; one at an x that was not measured has its place if x is a number."""
    for row in rows:
        at = places.get(row.x, _number(row.x))
        if at is not None:
            axes.plot(
                [at], [row.value], linestyle="", marker="D", markersize=8, markerfacecolor=PAPER,
                markeredgecolor=colour, markeredgewidth=1.8, zorder=4,
            )  # fmt: skip


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _scale(axes: Any, plot: Plot, places: dict[str, float], values: Sequence[float]) -> None:
    """Axes with ticks at what was measured, where these are few; from 0 or below it if not logarithmic."""
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plot.y_label)
    axes.grid(axis="x", visible=False)
    axes.margins(x=0.02)
    named = any(_number(x) is None for x in places)
    if named:
        axes.set_xticks(list(places.values()), list(places))
    elif plot.log_x and min(places.values()) > 0:
        axes.set_xscale("log")
        log_ticks(axes.xaxis, axes.get_xlim(), 9)
    else:
        axes.xaxis.set_major_formatter(short_ticks())
    if plot.log_y and min(values) > 0:
        axes.set_yscale("log")
        log_ticks(axes.yaxis, axes.get_ylim())
    else:
        axes.set_ylim(bottom=min(0.0, *values) * 1.05)
        axes.yaxis.set_major_formatter(short_ticks())


def _label_ends(axes: Any, ends: list[tuple[str, float, float, str]]) -> None:
    """Names beside the ends of lines, as high as these or as near as the others let them."""
    to_axes = axes.transData + axes.transAxes.inverted()
    at = [to_axes.transform((x, value)) for _, x, value, _ in ends]
    for (name, x, value, colour), height in zip(ends, part([each[1] for each in at], GAP, 0, 1), strict=True):
        axes.annotate(
            f"{name}\u2002{short(value)}", (x, value), (1.035, height), textcoords="axes fraction",
            va="center", ha="left", color=INK, fontsize=10, annotation_clip=False,
            arrowprops={**LEADER, "color": colour},
        )  # fmt: skip


def _explain(axes: Any, printed: bool) -> None:
    """What the diamonds are."""
    if printed:
        diamond = Line2D(
            [], [], linestyle="", marker="D", markersize=7, markerfacecolor=PAPER, markeredgecolor=FAINT,
            markeredgewidth=1.6, label=PRINTED,
        )  # fmt: skip
        axes.legend(
            handles=[diamond], loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=9,
            labelcolor=FAINT, borderpad=0, handletextpad=0.2,
        )  # fmt: skip
