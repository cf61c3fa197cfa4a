"""The figures to reach with topics: the default scheme against the paper's and against paho-mqtt.

The workload of the streams paper, one thread; `to reach` is meant for `--scale full`. Times are native unless
they say otherwise: `match_batch`, `match()` and `match_ids()` are whole calls from Python. The same topics
come again and again, so `match()` has their answers; `match anew` comes after changes that make all of them
out of date. The paper counts 798,188 nodes and 898,187 edges for 100,000 patterns of depth 10, which 50
values and a wildcard in each level cannot give: there are 50 * 51 different beginnings of two levels, so that
702,601 nodes are the most. 5,000 values give them, as `penstock.papers.streams.tree_size` counts.
"""

from access.figure import Figures
from common import Cell, Report, Spread, arguments
from penstock.papers.streams.workload import WILDCARDS, Workload
from streams.matching import BY_BATCH, BY_CALL, Contest, measure_cell, measure_regex
from streams.upkeep import measure_changes, measure_memory

SIZES = {"small": (1_000, 10_000), "full": (10_000, 100_000)}
DEPTHS = (3, 5, 7, 8, 10)
DEEP = 16


def main() -> None:
    """Run at the scale asked for; the table of figures comes last."""
    options = arguments(__doc__)
    report, figures, sizes = Report(__doc__ or "", options), Figures(), SIZES[options.scale]
    most, repeats = sizes[-1], options.repeats
    contest, deep = Contest(), Contest()
    for wildcards in WILDCARDS:
        cells = [
            measure_cell(contest, Workload(size, depth, wildcards, options.seed), repeats)
            for size in sizes
            for depth in DEPTHS
        ]
        cells.append(measure_cell(deep, Workload(most, DEEP, wildcards, options.seed), repeats))
        native, python = zip(*cells, strict=True)
        report.add(f"Matching, {wildcards}: native µs per topic, medians", list(native))
        report.add(f"Matching, {wildcards}: calls from Python, µs per topic, medians", list(python))
    seven, ten = (Workload(most, depth, "some wildcards", options.seed) for depth in (7, 10))
    report.add("Regular expressions, calls from Python", [measure_regex(seven, repeats)])
    changes = measure_changes(ten, repeats)
    report.add(f"Single changes at {most:,} patterns, native µs (medians)", _changes(changes))
    memory = measure_memory(ten)
    report.add(f"Memory, {most:,} subscriptions of depth 10", memory)
    _judge(figures, contest, deep, changes, memory)
    report.add("Figures; a ratio is that of the worst cell", figures.rows)
    report.finish()


def _changes(changes: dict[str, dict[str, Spread]]) -> list[dict[str, Cell]]:
    return [{"scheme": scheme, **spent} for scheme, spent in changes.items()]


def _judge(
    figures: Figures,
    contest: Contest,
    deep: Contest,
    changes: dict[str, dict[str, Spread]],
    memory: list[dict[str, Cell]],
) -> None:
    for wildcards in WILDCARDS:
        for against, wanted in (("MQTTMatcher", 10), (BY_BATCH, 10), (BY_CALL, 10), ("tree", 1), ("hash", 1)):
            cell, ratio = contest.worst(against, wildcards)
            figures.at_least(wanted, "x", f"against {against}; {wildcards}, {cell}", ratio)
        cell, ratio = contest.worst("hash", wildcards, depth=10)
        figures.at_least(5, "x", f"against hash; {wildcards}, {cell}", ratio)
        for against in ("tree", "hash"):
            cell, ratio = deep.worst(against, wildcards)
            figures.at_least(1, "x", f"against {against}; {wildcards}, {cell}", ratio)
    for change, spent in changes["radix"].items():
        figures.at_most(2, "µs", f"{change} one pattern", spent)
    for wildcards in WILDCARDS:
        weight = {row["scheme"]: row["all bytes/pattern"] for row in memory if row["wildcards"] == wildcards}
        share = float(weight["radix"]) / float(weight["tree"])  # type: ignore[arg-type]
        figures.at_most(0.5, "x", f"bytes per pattern against tree; {wildcards}", share)


if __name__ == "__main__":
    main()
