"""Plots as SVG that goes into the page itself and takes its colours from it.

matplotlib draws with colours that stand for others; each becomes a variable of the page's style sheet, so
that one drawing serves light, dark and paper. Text stays text.
"""

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

__all__ = ["plot_days", "plot_fan_out", "plot_steps"]

# Never seen: each is replaced by the variable.
INK, FAINT, LINE, WATER, DEEP = "#010101", "#020202", "#030303", "#040404", "#050505"
VARIABLES = {INK: "--ink", FAINT: "--faint", LINE: "--line", WATER: "--water", DEEP: "--deep"}

WIDTH = 10.4  # inches of 72 points, near the pixels of the page, so that text has its size
STYLE: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "penstock", "font.family": "sans-serif", "font.size": 10,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": LINE, "axes.labelcolor": FAINT,
    "xtick.color": FAINT, "ytick.color": FAINT, "xtick.labelcolor": FAINT, "ytick.labelcolor": FAINT,
    "text.color": INK, "axes.grid": True, "axes.axisbelow": True, "grid.color": LINE, "grid.linewidth": 0.6,
    "xtick.major.size": 0, "ytick.major.size": 0,
}  # fmt: skip


def plot_fan_out(messages: Mapping[int, int]) -> str:
    """How many messages went to how many interfaces; the first bar is those that went to none."""
    most = max(messages, default=0)
    counts = [messages.get(number, 0) for number in range(most + 1)]
    figure, axes = _axes(WIDTH, 3.3)
    with mpl.rc_context(STYLE):
        colours = [DEEP if number == 0 else WATER for number in range(most + 1)]
        axes.bar(range(most + 1), counts, width=0.86, color=colours)
        if max(counts, default=0) > 1000:  # a few go to many
            axes.set_yscale("log")
            axes.yaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("interfaces that want the message")
        axes.set_ylabel("messages")
        axes.grid(axis="x", visible=False)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlim(-0.8, most + 0.8)
        axes.yaxis.set_major_formatter(_plain())
    return _svg(figure, "how many messages went to how many interfaces")


def plot_days(deliveries: Mapping[str, int]) -> str:
    """Deliveries day by day."""
    days, counts = list(deliveries), list(deliveries.values())
    figure, axes = _axes(WIDTH, 2.9)
    with mpl.rc_context(STYLE):
        places = range(len(days))
        axes.fill_between(places, counts, color=WATER, alpha=0.25, linewidth=0)
        axes.plot(places, counts, color=WATER, linewidth=1.2)
        firsts = [place for place in places if days[place].endswith("-01")]
        axes.set_xticks(firsts, [days[place][:7] for place in firsts], rotation=0)
        for label in axes.get_xticklabels()[1::2]:
            label.set_visible(False)
        axes.grid(axis="x", visible=False)
        axes.set_ylim(0)
        axes.set_xlim(0, max(len(days) - 1, 1))
        axes.set_ylabel("deliveries")
        axes.yaxis.set_major_formatter(_plain())
        for place in _peaks(counts, 4):
            axes.annotate(
                days[place],
                (place, counts[place]),
                (0, 4),
                textcoords="offset points",
                ha="center",
                fontsize=9,
                color=INK,
            )
    return _svg(figure, "deliveries by day")


def plot_steps(labels: Sequence[str], seconds: Sequence[float]) -> str:
    """Where the time went."""
    figure, axes = _axes(WIDTH, 0.4 * len(labels) + 0.6)
    with mpl.rc_context(STYLE):
        places = list(range(len(labels)))[::-1]
        axes.barh(places, seconds, height=0.62, color=WATER)
        axes.set_yticks(places, labels)
        for label in axes.get_yticklabels():
            label.set_color(INK)
        for place, value in zip(places, seconds, strict=True):
            axes.annotate(
                f"{value:.1f} s", (value, place), (5, 0), textcoords="offset points", va="center", color=FAINT
            )
        axes.grid(axis="y", visible=False)
        axes.set_xlim(0, max(seconds, default=1) * 1.14)
        axes.set_xlabel("seconds")
    return _svg(figure, "seconds by stage")


def _axes(width: float, height: float) -> tuple[Figure, Any]:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.patch.set_alpha(0)
        axes = figure.subplots()
        axes.patch.set_alpha(0)
    return figure, axes


def _peaks(values: Sequence[int], count: int) -> list[int]:
    """The highest days, far enough apart that their labels do not touch."""
    found: list[int] = []
    for place in sorted(range(len(values)), key=lambda each: -values[each]):
        if all(abs(place - other) > 30 for other in found):
            found.append(place)
        if len(found) == count:
            break
    return found


def _plain() -> FuncFormatter:
    return FuncFormatter(lambda value, _: f"{value:,.0f}")


def _svg(figure: Figure, title: str) -> str:
    """The drawing without its XML head, its size or its colours."""
    out = io.StringIO()
    with mpl.rc_context(STYLE):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()[out.getvalue().index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    head, rest = text.split(">", 1)
    text = re.sub(r' (?:width|height)="[^"]*"', "", head) + ">" + rest
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    text = re.sub(r"font: ([\d.]+)px '[^;\"]*", r"font-size: \1px", text)
    return text.replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)
