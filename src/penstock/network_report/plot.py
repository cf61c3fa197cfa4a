"""The plots of a simulation: how it went over time, and how load, tables and delays are distributed."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.ticker import MaxNLocator

from penstock.network import Result
from penstock.network.play import Disturbance
from penstock.network.scenario import Crash, Cut
from penstock.network_report.timeline import Timeline
from penstock.report.drawing import BAD, DEEP, INK, STYLE, WATER, WIDTH, new_figure, plain, to_svg

__all__ = ["is_failure", "plot_latencies", "plot_ranks", "plot_settling", "plot_time"]


def is_failure(disturbance: Disturbance) -> bool:
    """Whether something failed; else something came back."""
    return any(isinstance(event, Crash | Cut) for event in disturbance.events)


def plot_time(line: Timeline, disturbances: Sequence[Disturbance]) -> str:
    """Deliveries, misses, control frames, tables and delays, one below the other."""
    figure, axes = new_figure(WIDTH, 8.6, rows=5)
    panels: list[tuple[str, Sequence[float], str]] = [
        ("deliveries", line.delivered, WATER),
        ("missed", line.missed, BAD),
        ("control frames", line.control, DEEP),
    ]
    with mpl.rc_context(STYLE):
        for panel, (label, values, colour) in zip(axes, panels, strict=False):
            panel.stairs(values, line.edges, fill=True, color=colour, alpha=0.35)
            panel.stairs(values, line.edges, color=colour, linewidth=1.2)
            panel.set_ylabel(label)
        tables, late = axes[3:]
        for sizes, label, colour in ((line.table_largest, "largest", DEEP), (line.table_mean, "mean", WATER)):
            tables.stairs(sizes, line.edges, baseline=None, color=colour, linewidth=1.4, label=label)
        tables.set_ylabel("table entries")
        _plot_delays(late, line)
        for panel in axes:
            _finish(panel, disturbances)
        for panel in (tables, late):
            panel.legend(loc="lower right", frameon=False, ncols=2, fontsize=9, bbox_to_anchor=(1, 0.94))
        late.set_xlim(0, line.edges[-1])
        late.set_xlabel("seconds")
        figure.align_ylabels()
    return to_svg(figure, "deliveries, misses, control frames, tables and delays over time")


def _plot_delays(axes: Any, line: Timeline) -> None:
    nothing = float("nan")
    for name, label, colour in (("p99", "99 of 100", DEEP), ("median", "median", WATER)):
        values = [nothing if each is None else getattr(each, name) / 1000 for each in line.latencies]
        axes.stairs(values, line.edges, baseline=None, color=colour, linewidth=1.4, label=label)
    axes.set_ylabel("delay, ms")


def _finish(axes: Any, disturbances: Sequence[Disturbance]) -> None:
    """From 0 up, numbers with commas, and a line where something failed or came back."""
    axes.set_ylim(0, max(axes.get_ylim()[1], 1) * 1.05)
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_formatter(plain())
    axes.grid(axis="x", visible=False)
    for each in disturbances:
        colour, dashes = (BAD, "-") if is_failure(each) else (INK, ":")
        axes.axvline(each.at / 1e6, color=colour, linewidth=1, linestyle=dashes, alpha=0.7)


def plot_settling(disturbances: Sequence[Disturbance], end: float) -> str:
    """How long routers went on talking after each failure and recovery."""
    figure, axes = new_figure(WIDTH, 2.7)
    with mpl.rc_context(STYLE):
        for failed, colour, label in ((True, BAD, "failure"), (False, WATER, "recovery")):
            chosen = [each for each in disturbances if is_failure(each) == failed]
            if not chosen:
                continue
            times = [each.at / 1e6 for each in chosen]
            settled = [each.settled / 1000 for each in chosen]
            axes.vlines(times, 0, settled, color=colour, linewidth=2)
            axes.scatter(times, settled, color=colour, s=36, label=label, zorder=3)
        axes.set_xlim(0, end)
        axes.set_ylim(0, max(each.settled for each in disturbances) / 1000 * 1.15 or 1)
        axes.set_xlabel("seconds")
        axes.set_ylabel("ms until settled")
        axes.grid(axis="x", visible=False)
        axes.yaxis.set_major_formatter(plain())
        axes.legend(loc="upper right", frameon=False, ncols=2, fontsize=9, bbox_to_anchor=(1, 1.2))
    return to_svg(figure, "how long routers took to settle after each failure and recovery")


def plot_ranks(values: Sequence[int], what: str, unit: str) -> str:
    """Values from the greatest to the least, so that one sees how evenly they are spread."""
    ranked = sorted(values, reverse=True)
    figure, axes = new_figure(WIDTH, 2.5)
    with mpl.rc_context(STYLE):
        edges = [number + 0.5 for number in range(len(ranked) + 1)]
        axes.stairs(ranked, edges, fill=True, color=WATER, alpha=0.35)
        axes.stairs(ranked, edges, color=WATER, linewidth=1.2)
        axes.set_xlim(0.5, max(len(ranked), 1) + 0.5)
        axes.set_ylim(0, max(ranked, default=0) * 1.08 or 1)
        axes.set_xlabel(f"{what}, from the greatest to the least")
        axes.set_ylabel(unit)
        axes.grid(axis="x", visible=False)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(plain())
    return to_svg(figure, f"{unit} by {what}, ranked")


def plot_latencies(result: Result) -> str:
    """How many deliveries took how long."""
    found = [late / 1000 for each in result.publications for late in each.latencies]
    figure, axes = new_figure(WIDTH, 2.7)
    with mpl.rc_context(STYLE):
        axes.hist(found, bins=60, range=(0, max(found, default=1)), color=WATER)
        if result.latencies is not None:
            for name, label in (("median", "half"), ("p90", "90 of 100"), ("p99", "99 of 100")):
                at = getattr(result.latencies, name) / 1000
                axes.axvline(at, color=INK, linewidth=1, linestyle=":")
                axes.annotate(
                    label, (at, 1), (3, -2), xycoords=("data", "axes fraction"),
                    textcoords="offset points", va="top", fontsize=9,
                )  # fmt: skip
        axes.set_xlim(0)
        axes.set_ylim(0, axes.get_ylim()[1] * 1.1)  # room for the words
        axes.set_xlabel("milliseconds from publication to delivery")
        axes.set_ylabel("deliveries")
        axes.grid(axis="x", visible=False)
        axes.yaxis.set_major_formatter(plain())
    return to_svg(figure, "deliveries by delay")
