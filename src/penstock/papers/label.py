"""Words and numbers in drawings: short numbers, and labels that keep out of each other's way."""

from collections.abc import Sequence

from matplotlib.ticker import FuncFormatter

__all__ = ["exactly", "part", "place", "precise", "short", "short_ticks"]

UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def short(value: float) -> str:
    """Three digits and a letter: 1.2k, 5M, 0.034."""
    for size, letter in UNITS:
        if abs(value) >= size * 0.9995:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def precise(value: float) -> str:
    """For tables: whole numbers from a hundred on, with commas; three digits below."""
    if value == int(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def exactly(value: float) -> str:
    """A printed number as it was printed, with commas."""
    return f"{value:,.10g}"


def place(x: str) -> str:
    """An x for tables: a number with commas, a name as it is."""
    return f"{int(x):,}" if x.isdecimal() else x


def short_ticks() -> FuncFormatter:
    """Short numbers on an axis."""
    return FuncFormatter(lambda value, _: short(value))


def part(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places at least a gap apart and within bounds, as near to where they were as that allows.

    Neighbours that are too close become a block, centred on where its members wanted to be; blocks that
    touch become one. Where there is no room for all, the gaps shrink.
    """
    if not places:
        return []
    gap = min(gap, (high - low) / max(1, len(places) - 1))
    order = sorted(range(len(places)), key=lambda each: places[each])
    blocks: list[list[float]] = []  # first place, and how many
    for each in order:
        blocks.append([min(max(places[each], low), high), 1])
        while len(blocks) > 1 and blocks[-2][0] + gap * blocks[-2][1] > blocks[-1][0]:
            first, count = blocks.pop()
            before, others = blocks[-1]
            wanted = (before * others + (first - gap * others) * count) / (others + count)
            room = high - gap * (others + count - 1)
            blocks[-1] = [min(max(wanted, low), room), others + count]
    found = [first + gap * number for first, count in blocks for number in range(int(count))]
    parted = [0.0] * len(places)
    for each, place in zip(order, found, strict=True):
        parted[each] = place
    return parted
