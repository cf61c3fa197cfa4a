"""How a point takes its time: passes that fill a slice, repeated; and readings made of what they gave.

A pass over all messages can be shorter than a time slice of the machine, so a measurement is as many passes
as fill one. Collection of garbage is kept out of it.
"""

import gc
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any, TypeVar

from penstock.papers.experiment import Reading
from penstock.table import ForwardingTable

__all__ = ["FILL", "Pass", "calls", "count", "fill", "natively", "samples", "seconds", "spread"]

FILL = 0.1  # seconds of one measurement
Item = TypeVar("Item")
# Seconds of one pass, as the mean of so many.
Pass = Callable[[int], float]


def seconds(action: Callable[[], object]) -> float:
    """How long one call takes."""
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        action()
        return time.perf_counter() - start
    finally:
        gc.enable()


def samples(action: Callable[[], object], times: int) -> list[float]:
    """Seconds for a call, over and over."""
    return [seconds(action) for _ in range(times)]


def natively(table: ForwardingTable, sent: Sequence[Any]) -> Pass:
    """Passes of the native loop; what reading its clock takes is part of it."""
    messages = list(sent)
    return lambda passes: float(table.time_matches(messages, passes).sum()) / passes


def calls(function: Callable[[Item], object], items: list[Item]) -> Pass:
    """Passes that call a function for each; results held would measure the memory that they need."""

    def run(passes: int) -> float:
        return seconds(lambda: deque(map(function, items * passes), maxlen=0)) / passes

    return run


def fill(measure: Pass, times: int, slice_: float = FILL) -> list[float]:
    """Seconds of one pass, so many times; the first one, which warms up, only says how many fill a slice."""
    passes = max(1, round(slice_ / measure(1)))
    return [measure(passes) for _ in range(times)]


def spread(
    series: str, x: str | int, quantity: str, unit: str, values: Iterable[float], *, each: float = 1.0
) -> Reading:
    """The median of repeats with the lowest and the highest, each value times `each`: 1e6 for µs."""
    found = sorted(value * each for value in values)
    return Reading(series, str(x), quantity, unit, median(found), found[0], found[-1])


def count(series: str, x: str | int, quantity: str, value: float, unit: str = "") -> Reading:
    """What was counted, and is the same each time."""
    return Reading(series, str(x), quantity, unit, value, value, value)
