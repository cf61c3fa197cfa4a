"""Drawings as SVG that goes into the page itself and takes its colours from it.

matplotlib draws with colours that stand for others; each becomes a variable of the page's style sheet, so
that one drawing serves light, dark and paper. Text stays text.
"""

import io
import re
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

__all__ = [
    "BAD", "DEEP", "FAINT", "INK", "LINE", "PAPER", "SERIES", "STYLE", "VARIABLES", "WATER", "WIDTH",
    "new_figure", "plain", "to_svg",
]  # fmt: skip

# Never seen: each is replaced by the variable.
INK, FAINT, LINE, WATER, DEEP = "#010101", "#020202", "#030303", "#040404", "#050505"
BAD, PAPER = "#060606", "#070707"
SERIES = tuple(f"#1{number}1{number}1{number}" for number in range(8))  # lines that must be told apart
VARIABLES = {
    INK: "--ink", FAINT: "--faint", LINE: "--line", WATER: "--water", DEEP: "--deep", BAD: "--bad",
    PAPER: "--paper", **{colour: f"--series{number}" for number, colour in enumerate(SERIES)},
}  # fmt: skip

WIDTH = 10.4  # inches of 72 points, near the pixels of the page, so that text has its size
STYLE: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "penstock", "font.family": "sans-serif", "font.size": 10,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": LINE, "axes.labelcolor": FAINT,
    "xtick.color": FAINT, "ytick.color": FAINT, "xtick.labelcolor": FAINT, "ytick.labelcolor": FAINT,
    "text.color": INK, "axes.grid": True, "axes.axisbelow": True, "grid.color": LINE, "grid.linewidth": 0.6,
    "xtick.major.size": 0, "ytick.major.size": 0,
}  # fmt: skip


def new_figure(width: float, height: float, rows: int = 1) -> tuple[Figure, Any]:
    """A figure and its axes, or an array of them, one below the other on the same times."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.patch.set_alpha(0)
        axes = figure.subplots(rows, sharex=True)
        for each in figure.axes:
            each.patch.set_alpha(0)
    return figure, axes


def plain() -> FuncFormatter:
    """Numbers on an axis with commas, as in the text."""
    return FuncFormatter(lambda value, _: f"{value:,.0f}")


def to_svg(figure: Figure, title: str) -> str:
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
