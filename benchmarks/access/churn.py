"""What millions of random updates leave behind: the memory of the table against that of a fresh one."""

import numpy as np

from access.figure import Run
from access.live import Live
from common import Cell, progress, seconds
from penstock.workload import Scenario2002, messages

__all__ = ["measure_churn"]

MEMORY = 1.5
COMPARED = 5


def measure_churn(run: Run, live: Live, updates: int) -> dict[str, Cell]:
    """Exchange random filters for spare ones, then weigh; the number of filters stays."""
    progress(f"{updates:,} random updates of {len(live.table):,} filters")
    draw = np.random.default_rng(run.seed)
    slots = draw.integers(len(live.held), size=updates // 2).tolist()
    others = draw.integers(len(live.spare), size=updates // 2).tolist()
    before = live.table.stats().total_bytes
    spent = seconds(lambda: live.exchange(zip(slots, others, strict=True)))
    building = seconds(live.table.build)
    fresh = live.fresh()
    for message in messages(Scenario2002(I=1, M=COMPARED), run.seed):
        if sorted(live.table.match(message)) != sorted(fresh.match(message)):
            raise AssertionError("the updated table disagrees with a fresh one")
    after, anew = live.table.stats().total_bytes, fresh.stats().total_bytes
    what = f"memory after {updates:,} updates of {len(fresh):,} filters, against a fresh build"
    run.figures.at_most(MEMORY, "x", what, after / anew)
    return {
        "updates": updates,
        "filters": len(fresh),
        "µs an update": 1e6 * spent / updates,
        "then, build s": building,
        "MB before": before / 1e6,
        "MB after": after / 1e6,
        "MB fresh": anew / 1e6,
        "after / fresh": after / anew,
    }
