"""The 2002 workload: every engine by number of constraints and of interfaces.

Stresses the constraint index and the counting of filters. I = F is a central server with one filter for each
interface, the worst case; I = 20 and I = 200 are routers, whose interfaces are settled after a few filters.
"""

import typing
from dataclasses import dataclass
from functools import partial

from common import Cell, Message, Report, Spread, arguments, match_times, progress, seconds
from penstock import ForwardingTable
from penstock.table import Engine
from penstock.workload import filters, messages, sized

CONSTRAINTS = {"small": (50_000,), "full": (50_000, 500_000, 5_000_000)}
INTERFACES = (None, 20, 200)
ENGINES: tuple[Engine, ...] = typing.get_args(Engine)
# Loading the largest table takes far longer than its spread is worth.
LOADED_ONCE = 1_000_000


@dataclass(frozen=True, slots=True)
class Workload:
    """One cell of the experiment, generated."""

    label: dict[str, Cell]
    constraints: int
    generation: float
    interfaces: list[str]
    texts: list[str]
    sent: list[Message]


def generate(constraints: int, interfaces: int | None, seed: int) -> Workload:
    """Draw the filters and messages, and time that."""
    drawn: list[tuple[list[str], list[str]]] = []
    scenario = sized(constraints, interfaces, seed)
    generation = seconds(lambda: drawn.append(filters(scenario, seed)))
    owners, texts = drawn.pop()
    total = sum(text.count(" AND ") + 1 for text in texts)
    label: dict[str, Cell] = {"I": str(interfaces or "F"), "constraints": total}
    return Workload(label, total, generation, owners, texts, messages(scenario, seed))


def load(workload: Workload, engine: Engine, repeats: int) -> tuple[ForwardingTable, dict[str, Cell]]:
    """Fill a table, several times over; the last one is kept."""
    loading, building = [], []
    for _ in range(1 if workload.constraints > LOADED_ONCE else repeats):
        table = ForwardingTable(engine)
        loading.append(seconds(partial(table.subscribe_many, workload.interfaces, workload.texts)))
        building.append(seconds(table.build))
    return table, {
        "filters": len(workload.texts),
        "generation s": workload.generation,
        "load s": Spread.of(loading),
        "build s": Spread.of(building),
    }


def match(table: ForwardingTable, sent: list[Message], repeats: int) -> dict[str, Cell]:
    """Times with and without the way through Python; what was walked is counted outside the timed region."""
    traces = [table.trace(message) for message in sent]
    postings = sum(trace["postings"] for trace in traces)
    native, python = match_times(table, sent, repeats)
    return {
        "native µs": native.times(1e6 / len(sent)),
        "match_ids µs": python.times(1e6 / len(sent)),
        "postings": postings / len(sent),
        "ns/posting": native.times(1e9 / max(1, postings)),
        "constraints met": sum(trace["constraints"] for trace in traces) / len(sent),
        "excluded": sum(trace["excluded"] for trace in traces) / len(sent),
        "results": sum(trace["matched"] for trace in traces) / len(sent),
    }


def memory(table: ForwardingTable) -> dict[str, Cell]:
    """Bytes per stored constraint (equal filters are stored once): all, what matching uses, and by part."""
    stats = table.stats()
    cells: dict[str, Cell] = {
        "(constraints stored)": stats.constraints,
        "all structures": stats.bytes_per_constraint,
        "index only": stats.index_bytes_per_constraint,
    }
    return cells | {part: size / max(1, stats.constraints) for part, size in stats.bytes.items()}


def by_part(memories: list[dict[str, Cell]]) -> list[dict[str, Cell]]:
    """A row for each part and a column for each table, since there are more parts than fit on a line."""
    columns = {f"{row['engine']} I={row['I']}": row for row in memories}
    parts = [part for part in memories[0] if part not in ("engine", "I", "constraints")]
    return [{"part": part, **{name: row[part] for name, row in columns.items()}} for part in parts]


def measure(workload: Workload, engine: Engine, repeats: int) -> tuple[dict[str, Cell], ...]:
    """One row for each of the three tables; the forwarding table is gone when this returns."""
    label: dict[str, Cell] = {"engine": engine, **workload.label}
    table, loading = load(workload, engine, repeats)
    matching = match(table, workload.sent, repeats)
    return label | loading, label | matching, label | memory(table)


def main() -> None:
    """Run at the scale asked for."""
    options = arguments(__doc__)
    report = Report(__doc__ or "", options)
    for constraints in CONSTRAINTS[options.scale]:
        rows = []
        for interfaces in INTERFACES:
            progress(f"{constraints:,} constraints, I = {interfaces or 'F'}: generating")
            workload = generate(constraints, interfaces, options.seed)
            for engine in ENGINES:
                progress(f"{constraints:,} constraints, I = {interfaces or 'F'}: {engine}")
                rows.append(measure(workload, engine, options.repeats))
        loads, matches, memories = (list(table) for table in zip(*rows, strict=True))
        report.add(f"{constraints:,} constraints: loading", loads)
        report.add(f"{constraints:,} constraints: matching, per message", matches)
        report.add(f"{constraints:,} constraints: bytes per stored constraint", by_part(memories))
    report.finish()


if __name__ == "__main__":
    main()
