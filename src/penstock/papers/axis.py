"""Ticks that say something on logarithmic axes, however few decades they span."""

import math
from typing import Any

from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from penstock.papers.label import short_ticks

__all__ = ["log_ticks"]

STEPS = ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0))


def log_ticks(axis: Any, bounds: tuple[float, float], wanted: int = 6) -> None:
    """Round numbers between the bounds: powers of ten, of a hundred or of a thousand where they are many."""
    axis.set_major_locator(FixedLocator(_round_numbers(*bounds, wanted)))
    axis.set_major_formatter(short_ticks())
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def _round_numbers(low: float, high: float, wanted: int) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    found: list[float] = []
    for steps in STEPS:
        numbers = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        found = [number for number in numbers if low <= number <= high]
        if len(found) >= 3:
            break
    return found[:: -(-len(found) // wanted)] if found else [low, high]
