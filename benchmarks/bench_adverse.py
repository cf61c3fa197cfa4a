"""Adverse shapes: where the default engine should do worst, against counting, which is never to be faster.

Native times, one thread, both engines in turn; each shape with an interface for every filter, and with 20.
`learned` says whether the engine was shown other messages before. The last line is the worst ratio of all.
"""

from collections.abc import Iterator

from columns import to_columns
from common import Cell, Message, Report, Spread, arguments, progress
from penstock import ForwardingTable
from penstock.table import Engine
from shapes import ONE_CONSTRAINT, SHAPES, Shape, Workload
from versus import Versus

FILTERS = {"small": 10_000, "full": 200_000}
ONE_CONSTRAINT_FILTERS = {"small": 50_000, "full": 10_000_000}
MESSAGES = 50
INTERFACES = (None, 20)


def measure(
    engine: Engine, shape: Shape, workload: Workload, interfaces: int | None, repeats: int
) -> tuple[Spread, dict[str, Cell]]:
    """The ratio, and the row that it belongs to."""
    count = len(workload.texts)
    progress(f"{shape.name}: {count:,} filters, I = {interfaces or 'F'}")
    owners = [f"i{n % (interfaces or count)}" for n in range(count)]
    tables = Versus.load(engine, owners, workload.texts)
    learned = workload.learned is not None and learn(tables.subject, workload.learned)
    results = tables.results(workload.sent)
    times = tables.times(workload.sent, repeats)
    return times.ratio, {
        "shape": shape.name,
        "I": str(interfaces or "F"),
        "filters": count,
        "results": results,
        "counting µs": times.counting.times(1e6),
        f"{engine} µs": times.subject.times(1e6),
        "ratio": times.ratio,
        "bytes, counting": tables.counting.stats().bytes_per_constraint,
        f"bytes, {engine}": tables.subject.stats().bytes_per_constraint,
        "learned": "yes" if learned else "no",
        "hard because": shape.hard,
    }


def learn(table: ForwardingTable, messages: list[Message]) -> bool:
    """Show messages to an engine that keeps statistics; whether it does."""
    observe = getattr(table, "observe", None)
    if observe is None:
        return False
    observe(to_columns(messages))
    return True


def workloads(scale: str, seed: int) -> Iterator[tuple[Shape, Workload]]:
    """All shapes, the largest last."""
    for shape in SHAPES:
        yield shape, shape.draw(FILTERS[scale], MESSAGES, seed)
    yield ONE_CONSTRAINT, ONE_CONSTRAINT.draw(ONE_CONSTRAINT_FILTERS[scale], MESSAGES, seed)


def main() -> None:
    """Run at the scale asked for."""
    options = arguments(__doc__, engine=True)
    report = Report(__doc__ or "", options)
    measured = [
        measure(options.engine, shape, workload, interfaces, options.repeats)
        for shape, workload in workloads(options.scale, options.seed)
        for interfaces in INTERFACES
    ]
    report.add("Native µs per message; bytes per constraint", [row for _, row in measured])
    ratio, row = min(measured, key=lambda each: each[0].median)
    verdict = "not slower than counting" if ratio.median >= 1 else "SLOWER THAN COUNTING"
    worst: dict[str, Cell] = {"shape": row["shape"], "I": row["I"], "ratio": ratio, "verdict": verdict}
    report.add(f"The worst ratio of {options.engine}", [worst])
    report.finish()


if __name__ == "__main__":
    main()
