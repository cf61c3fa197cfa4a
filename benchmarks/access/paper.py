"""The 2002 workload: an engine against counting, from a dict, and bytes per constraint.

Dicts have exactly ten attributes, drawn as the paper draws them. They go through `match_ids` one by one; the
loop that calls it is part of the time, and so are the array of results and its end.
"""

from dataclasses import replace

from access.figure import Run
from common import Cell, Message, Spread, calls, fill, progress
from penstock import ForwardingTable
from penstock.workload import filters, messages, sized
from versus import Versus

__all__ = ["measure_paper"]

# How many times counting must take as long; microseconds from a dict; bytes per constraint.
RATIO = {None: 50, 20: 20, 200: 50}
FROM_DICT = {None: 2.5, 20: 0.9}
BYTES = {None: 20}
# A quiet moment is sought in many short slices.
SLICE, SLICES = 0.02, 5


def measure_paper(run: Run, constraints: int, interfaces: int | None) -> dict[str, Cell]:
    """One table of the paper; adds its figures, and returns all that was measured."""
    label = "F" if interfaces is None else str(interfaces)
    progress(f"{constraints:,} constraints, I = {label}")
    scenario = sized(constraints, interfaces, run.seed)
    tables = Versus.load(run.engine, *filters(scenario, run.seed))
    sent = messages(scenario, run.seed)
    results = tables.results(sent)
    times = tables.times(sent, run.repeats)
    run.figures.at_least(RATIO[interfaces], "x", f"{run.engine} against counting, I = {label}", times.ratio)
    ten = messages(replace(scenario, M=1_000, a_l=10, a_h=11), run.seed)
    from_dict = _from_dict(tables.subject, ten, run.repeats)
    if interfaces in FROM_DICT:
        what = f"from a dict of 10 attributes, I = {label}, quiet machine"
        run.figures.at_most(FROM_DICT[interfaces], "µs", what, from_dict, by="min")
    stats = tables.subject.stats()
    if interfaces in BYTES:
        what = f"bytes per constraint, all structures, I = {label}"
        run.figures.at_most(BYTES[interfaces], "bytes", what, stats.bytes_per_constraint)
    return {
        "I": label,
        "filters": stats.filters,
        "constraints": stats.constraints,
        "counting µs": times.counting.times(1e6),
        f"{run.engine} µs": times.subject.times(1e6),
        "ratio": times.ratio,
        "results": results,
        "from a dict µs": from_dict,
        "results, dict": tables.results(ten),
        "bytes, counting": tables.counting.stats().bytes_per_constraint,
        f"bytes, {run.engine}": stats.bytes_per_constraint,
    }


def _from_dict(table: ForwardingTable, sent: list[Message], repeats: int) -> Spread:
    return Spread.of(fill(calls(table.match_ids, sent), SLICES * repeats, SLICE)).times(1e6 / len(sent))
