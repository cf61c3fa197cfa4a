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
PRINTED = "as printed"
# Filters as a multiple of the paper's, and the end of the range of their constraints.
TABLES = {PRINTED: (1, 40), "as many filters, 5 each": (1, 10), "as many constraints, 5 each": (4, 10)}
SHARE: dict[Scale, int] = {"small": 50, "full": 1}


def sweep(scale: Scale) -> list[Point]:
    """A point for each table."""
    return [
        Point(
            f"{table}, {filters * FILTERS // SHARE[scale]:,} filters",
            {"table": table, "filters": filters * FILTERS // SHARE[scale], **Effort.at(scale).settings()},
        )
        for table, (filters, _) in TABLES.items()
    ]


def workload(point: Point) -> Scenario2002:
    """The table of a point, and messages of ten attributes."""
    base = scenario(5 * int(point.settings["filters"]), NEIGHBOURS)
    return replace(base, c_h=TABLES[str(point.settings["table"])][1], a_l=10, a_h=11)


def measure_time(point: Point) -> Iterator[Reading]:
    """Microseconds per message."""
    table = str(point.settings["table"])
    return race(
        workload(point), Effort.of(point.settings), {each: (each.name, table, "time") for each in ENGINES}
    )


def measure_space(point: Point) -> Iterator[Reading]:
    """Bytes per constraint and neighbours reached."""
    name, drawn = str(point.settings["table"]), workload(point)
    tables = filled(drawn, [COUNTING, ACCESS])
    reached = agreed(tables, messages(drawn, SEED))
    yield count("neighbours", name, "neighbours reached", sum(reached) / len(reached))
    for engine, table in tables.items():
        stats = table.stats()
        yield count(engine.name, name, "bytes per constraint", stats.index_bytes_per_constraint, "bytes")
        whole = f"{engine.name}, with the catalogue"
        yield count(whole, name, "bytes per constraint", stats.bytes_per_constraint, "bytes")


def claim_time(readings: Readings) -> Iterator[Claim]:
    """What the introduction says."""
    theirs, ours = (readings.get("time", each.name, PRINTED) for each in (COUNTING, ACCESS))
    shorter = readings.get("time", COUNTING.name, list(TABLES)[2])
    yield Claim(
        "§1: a message of 10 attributes is forwarded to 20 neighbours in 3 ms",
        theirs <= 3_000,
        f"{theirs:,.1f} µs by counting, as printed; {shorter:,.1f} µs with as many constraints of 5 each",
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
    found = {each: readings.get("bytes per constraint", each.name, PRINTED) for each in (COUNTING, ACCESS)}
    yield Claim(
        "§1: the forwarding table takes only 48 bytes per constraint",
        found[COUNTING] <= 48,
        f"{found[COUNTING]:.1f} bytes for what matching uses, "
        f"{readings.get('bytes per constraint', f'{COUNTING.name}, with the catalogue', PRINTED):.1f} "
        "with the catalogue that subscriptions are read back from",
        always=True,
    )
    whole = readings.get("bytes per constraint", f"{ACCESS.name}, with the catalogue", PRINTED)
    yield Claim(
        "The access engine takes less than that, with everything",
        whole < 48,
        f"{found[ACCESS]:.1f} bytes for what matching uses, {whole:.1f} with the catalogue",
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
