"""The plots of the main job's report."""

from collections.abc import Mapping, Sequence

import matplotlib as mpl
from matplotlib.ticker import MaxNLocator, NullLocator

from penstock.report.drawing import DEEP, FAINT, INK, STYLE, WATER, WIDTH, new_figure, plain, to_svg

__all__ = ["plot_days", "plot_fan_out", "plot_steps"]


def plot_fan_out(messages: Mapping[int, int]) -> str:
    """How many messages went to how many interfaces; the first bar is those that went to none."""
    most = max(messages, default=0)
    counts = [messages.get(number, 0) for number in range(most + 1)]
    figure, axes = new_figure(WIDTH, 3.3)
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
        axes.yaxis.set_major_formatter(plain())
    return to_svg(figure, "how many messages went to how many interfaces")


def plot_days(deliveries: Mapping[str, int]) -> str:
    """Deliveries day by day."""
    days, counts = list(deliveries), list(deliveries.values())
    figure, axes = new_figure(WIDTH, 2.9)
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
        axes.yaxis.set_major_formatter(plain())
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
    return to_svg(figure, "deliveries by day")


def plot_steps(labels: Sequence[str], seconds: Sequence[float]) -> str:
    """Where the time went."""
    figure, axes = new_figure(WIDTH, 0.4 * len(labels) + 0.6)
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
    return to_svg(figure, "seconds by stage")


def _peaks(values: Sequence[int], count: int) -> list[int]:
    """The highest days, far enough apart that their labels do not touch."""
    found: list[int] = []
    for place in sorted(range(len(values)), key=lambda each: -values[each]):
        if all(abs(place - other) > 30 for other in found):
            found.append(place)
        if len(found) == count:
            break
    return found
