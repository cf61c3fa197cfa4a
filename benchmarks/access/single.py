"""How long single updates of a large table take, call by call.

Calls are timed from Python, so the interpreter and its clock are in every figure; an idle call into the
extension shows how much that is. The papers' engines buffer changes: what they put off is in the first match
after the round. Percentiles are taken in each round, since the machine's own pauses are in the tail of some.
"""

import gc
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from access.figure import Run
from access.live import Live
from common import Cell, Spread, progress, seconds
from penstock.workload import Scenario2002, messages

__all__ = ["measure_single"]

MEDIAN, RARE = 5, 1000


@dataclass(frozen=True, slots=True)
class Calls:
    """Microseconds of each call, round by round, and of the first match after each round."""

    name: str
    rounds: list[NDArray[np.float64]] = field(default_factory=list)
    matches: list[float] = field(default_factory=list)

    def percentile(self, percent: float) -> Spread:
        """Over the rounds."""
        return Spread.of(float(np.percentile(spent, percent)) for spent in self.rounds)

    def row(self, idle: float) -> dict[str, Cell]:
        """All of it."""
        return {
            "call": self.name,
            "calls": len(self.rounds[0]),
            "median µs": self.percentile(50),
            "99% µs": self.percentile(99),
            "99.9% µs": self.percentile(99.9),
            "max µs": self.percentile(100),
            "idle call µs": idle,
            "idle share %": 100 * idle / self.percentile(50).median,
            "then, first match µs": Spread.of(self.matches),
        }


def measure_single(run: Run, live: Live, count: int) -> list[dict[str, Cell]]:
    """Rounds of so many subscriptions to new interfaces, and then their end in random order."""
    table, size = live.table, len(live.table)
    progress(f"{count:,} single updates of {size:,} filters")
    random, message = Random(run.seed), messages(Scenario2002(I=1, M=1), run.seed)[0]
    new = [(f"n{n}", live.predicates[number]) for n, number in enumerate(live.spare[:count])]
    _, idle = _timed(table.__contains__, [(id_,) for id_ in live.ids[:count]])
    subscribe, unsubscribe = Calls("subscribe"), Calls("unsubscribe")
    for _ in range(run.repeats):
        ids, spent = _timed(table.subscribe, new)
        subscribe.rounds.append(spent)
        subscribe.matches.append(1e6 * seconds(lambda: table.match_ids(message)))
        random.shuffle(ids)
        unsubscribe.rounds.append(_timed(table.unsubscribe, [(id_,) for id_ in ids])[1])
        unsubscribe.matches.append(1e6 * seconds(lambda: table.match_ids(message)))
    for calls in (subscribe, unsubscribe):
        what = f"{calls.name} at {size:,} filters, from Python"
        run.figures.at_most(MEDIAN, "µs", f"{what}, median", calls.percentile(50))
        run.figures.at_most(RARE, "µs", f"{what}, 99.9%", calls.percentile(99.9))
    return [calls.row(float(np.median(idle))) for calls in (subscribe, unsubscribe)]


def _timed(
    action: Callable[..., object], arguments: Iterable[tuple[object, ...]]
) -> tuple[list[object], NDArray[np.float64]]:
    """What each call returns, and its microseconds."""
    clock, returned, spent = time.perf_counter_ns, [], []
    gc.collect()
    gc.disable()
    try:
        for each in arguments:
            start = clock()
            result = action(*each)
            spent.append(clock() - start)
            returned.append(result)
    finally:
        gc.enable()
    return returned, np.array(spent) / 1e3
