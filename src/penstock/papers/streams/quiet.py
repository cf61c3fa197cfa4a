"""Times of many short passes, and the one that a quiet machine would take.

A pass over some hundred topics takes less than a time slice of the system, so most passes are disturbed by
nobody, even on a busy machine; the tenth percentile is one of those.
"""

import gc
import time
from collections import deque
from collections.abc import Callable

import numpy as np
import pyarrow as pa

from penstock.topics import TopicTable

__all__ = ["Passes", "batches", "calls", "natively", "quiet"]

SLICE = 0.1  # seconds that passes fill
MOST = 1_000

# Seconds of each of so many passes.
Passes = Callable[[int], list[float]]


def natively(table: TopicTable, sent: list[str]) -> Passes:
    """The native loop over all topics."""
    return lambda count: [float(spent) for spent in table.time_matches(sent, count)[0]]


def calls(
    function: Callable[[str], object], sent: list[str], before: Callable[[], object] = lambda: None
) -> Passes:
    """A call from Python for each topic; results held would measure the memory that they need.

    What comes `before` each pass is not timed.
    """
    return lambda count: _timed(lambda: deque(map(function, sent), maxlen=0), count, before)


def batches(table: TopicTable, sent: pa.StringArray) -> Passes:
    """match_batch, with its results as Arrow lists."""
    return lambda count: _timed(lambda: table.match_batch(sent), count)


def quiet(passes: Passes, slice_: float = SLICE) -> float:
    """Seconds of a pass that nobody disturbs."""
    first = passes(1)[0]
    return float(np.percentile(passes(min(MOST, max(1, round(slice_ / first)))), 10))


def _timed(
    action: Callable[[], object], count: int, before: Callable[[], object] = lambda: None
) -> list[float]:
    gc.collect()
    gc.disable()
    try:
        spent = []
        for _ in range(count):
            before()
            start = time.perf_counter()
            action()
            spent.append(time.perf_counter() - start)
        return spent
    finally:
        gc.enable()
