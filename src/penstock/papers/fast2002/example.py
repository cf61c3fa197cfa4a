"""Section 1: the example of a router with 20 neighbours; its time, its reach, and bytes per constraint.

The sentence speaks of 250,000 filters formed from 5 million constraints, which are 20 each, while the
scenarios of section 5.1 have 5. All three tables that it may mean are measured, with messages of exactly ten
attributes; the one as printed is compared with the paper.
"""

from collections.abc import Iterator
from dataclasses import replace

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.fast2002.contest import ENGINES, SEED, filled, race, scenario
from penstock.papers.forwarding import ACCESS, COUNTING, Effort, agreed
from penstock.papers.timing import count
from penstock.workload import Scenario2002, messages

__all__ = ["SECTION_1", "SPACE"]

NEIGHBOURS = 20
FILTERS = 250_000
# Filters and their constraints on average: as printed, as many filters, as many constraints.
TABLES = ((FILTERS, 20), (FILTERS, 5), (4 * FILTERS, 5))
WHOLE = ", with the catalogue"
SHARE: dict[Scale, int] = {"small": 50, "full": 1}


def sweep(scale: Scale) -> list[Point]:
    """A point for each table."""
    return [
        Point(
            f"{filters // SHARE[scale]:,} filters of {each} constraints",
            {"filters": filters // SHARE[scale], "constraints": each, **Effort.at(scale).settings()},
        )
        for filters, each in TABLES
    ]


def table(point: Point) -> str:
    """How many filters of how many constraints."""
    return f"{point.settings['filters']:,} of {point.settings['constraints']}"


def workload(point: Point) -> Scenario2002:
    """The table of a point, and messages of ten attributes."""
    base = scenario(5 * int(point.settings["filters"]), NEIGHBOURS)
    return replace(base, c_h=2 * int(point.settings["constraints"]), a_l=10, a_h=11)


def measure_time(point: Point) -> Iterator[Reading]:
    """Microseconds per message."""
    cells = {each: (each.name, table(point), "time") for each in ENGINES}
    return race(workload(point), Effort.of(point.settings), cells)


def measure_space(point: Point) -> Iterator[Reading]:
    """Bytes per constraint and neighbours reached."""
    name, drawn = table(point), workload(point)
    tables = filled(drawn, [COUNTING, ACCESS])
    reached = agreed(tables, messages(drawn, SEED))
    yield count("neighbours", name, "neighbours reached", sum(reached) / len(reached))
    for engine, filled_ in tables.items():
        stats = filled_.stats()
        yield count(engine.name, name, "bytes per constraint", stats.index_bytes_per_constraint, "bytes")
        yield count(
            f"{engine.name}{WHOLE}", name, "bytes per constraint", stats.bytes_per_constraint, "bytes"
        )


def claim_time(readings: Readings) -> Iterator[Claim]:
    """What the introduction says."""
    printed, _, shorter = readings.xs("time", COUNTING.name)
    theirs, ours = (readings.get("time", each.name, printed) for each in (COUNTING, ACCESS))
    yield Claim(
        "§1: a message of 10 attributes is forwarded to 20 neighbours in 3 ms",
        theirs <= 3_000,
        f"{theirs:,.1f} µs by counting ({printed}), "
        f"{readings.get('time', COUNTING.name, shorter):,.1f} µs ({shorter})",
    )
    yield Claim(
        "The access engine is faster on the same table",
        ours < theirs,
        f"{ours:,.1f} µs, {theirs / ours:.1f} times as fast",
        "a table so small is walked in no time",
        ours=True,
    )


def claim_space(readings: Readings) -> Iterator[Claim]:
    """Counts, which no machine changes."""
    printed = readings.xs("bytes per constraint", COUNTING.name)[0]
    found, whole = (
        {
            each: readings.get("bytes per constraint", f"{each.name}{suffix}", printed)
            for each in (COUNTING, ACCESS)
        }
        for suffix in ("", WHOLE)
    )
    yield Claim(
        "§1: the forwarding table takes only 48 bytes per constraint",
        found[COUNTING] <= 48,
        f"{found[COUNTING]:.1f} bytes for what matching uses, {whole[COUNTING]:.1f} with the catalogue that "
        f"subscriptions are read back from ({printed})",
        always=True,
    )
    yield Claim(
        "The access engine takes less than that, with everything",
        whole[ACCESS] < 48,
        f"{found[ACCESS]:.1f} bytes for what matching uses, {whole[ACCESS]:.1f} with the catalogue",
        ours=True,
        always=True,
    )


SECTION_1 = Experiment(
    key="2002-example",
    paper="fast-2002",
    figure="§1",
    shows="the router of the introduction: time per message of ten attributes to 20 neighbours",
    timed=True,
    sweep=sweep,
    measure=measure_time,
    claims=claim_time,
    plots=(Plot("time", "A router with 20 neighbours", "table", "µs per message", bars=True, log_y=True),),
)

SPACE = Experiment(
    key="2002-space",
    paper="fast-2002",
    figure="§1, space",
    shows="the same router: bytes per constraint, and neighbours reached",
    timed=False,
    sweep=sweep,
    measure=measure_space,
    claims=claim_space,
    plots=(Plot("bytes per constraint", "Bytes per constraint", "table", "bytes", bars=True),),
    agrees=1.1,
)
