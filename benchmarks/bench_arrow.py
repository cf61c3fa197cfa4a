"""Arrow batches: messages a second from typed columns, and filters a second from a column of texts.

Stresses the way in and out of the core. The same departures go through match_batch, through one match_ids for
each row, and through the native loop alone, which is what the engine itself takes. I = 20 is a router, I = F
a central server with an interface for each filter.
"""

import random
from dataclasses import dataclass

import pyarrow as pa

from bench_parse import hand_written
from common import Cell, Message, Report, arguments, match_times, progress, repeat
from penstock import ForwardingTable

FILTERS = {"small": 5_000, "full": 100_000}
ROWS = {"small": 20_000, "full": 100_000}
LOADED = {"small": 50_000, "full": 1_000_000}
INTERFACES = (20, None)

CARRIERS = [f"{first}{second}" for first in "ABKLU" for second in "AFLX3"]
AIRPORTS = [f"{first}{second}{third}" for first in "BFJLMZ" for second in "AEHIRU" for third in "CFHKPX"]
STATES = ["scheduled", "boarding", "delayed", "departed", "cancelled"]
TEXT_COLUMNS = ("carrier", "origin", "dest", "flight", "detail.state")


def departure(draw: random.Random) -> Message:
    """One message: ten attributes, each with one type."""
    carrier = draw.choice(CARRIERS)
    return {
        "carrier": carrier,
        "origin": draw.choice(AIRPORTS),
        "dest": draw.choice(AIRPORTS),
        "flight": f"{carrier}{draw.randrange(10_000):04}",
        "detail.state": draw.choice(STATES),
        "price": draw.randrange(20, 2_000),
        "seats": draw.randrange(400),
        "gate": draw.randrange(1, 90),
        "upgrade": draw.random() < 0.1,
        "delay": draw.randrange(600),
    }


def subscription(draw: random.Random) -> str:
    """One filter, of the kinds that travellers and crews would ask for."""
    return draw.choice(
        [
            f"origin = '{draw.choice(AIRPORTS)}' AND dest = '{draw.choice(AIRPORTS)}'"
            f" AND price < {draw.randrange(50, 500)}",
            f"carrier = '{draw.choice(CARRIERS)}' AND dest = '{draw.choice(AIRPORTS)}'"
            f" AND detail.state = '{draw.choice(STATES)}'",
            f"flight = '{draw.choice(CARRIERS)}{draw.randrange(10_000):04}'",
            f"origin = '{draw.choice(AIRPORTS)}' AND gate = {draw.randrange(1, 90)} AND delay > 30",
            f"flight STARTS WITH '{draw.choice(CARRIERS)}{draw.randrange(100):02}' AND upgrade = true",
        ]
    )


@dataclass(frozen=True, slots=True)
class Batch:
    """The same messages as dictionaries and as columns."""

    sent: list[Message]
    plain: pa.RecordBatch
    encoded: pa.RecordBatch

    @classmethod
    def of(cls, sent: list[Message]) -> "Batch":
        """Columns once with strings as they are, once with dictionaries of them."""
        plain = pa.RecordBatch.from_pylist(sent)
        columns = dict(zip(plain.schema.names, plain.columns, strict=True))
        coded = {name: columns[name].dictionary_encode() for name in TEXT_COLUMNS}
        return cls(sent, plain, pa.RecordBatch.from_pydict({**columns, **coded}))


def measure_matching(batch: Batch, texts: list[str], interfaces: int | None, repeats: int) -> dict[str, Cell]:
    """One row: messages a second by each way, and microseconds a message."""
    progress(f"matching: {len(texts):,} filters, I = {interfaces or 'F'}")
    table = ForwardingTable()
    table.subscribe_many([f"i{n % (interfaces or len(texts))}" for n in range(len(texts))], texts)
    table.build()
    rows = len(batch.sent)
    native, by_one = match_times(table, batch.sent, repeats)
    plain = repeat(lambda: table.match_batch(batch.plain), repeats)
    encoded = repeat(lambda: table.match_batch(batch.encoded), repeats)
    return {
        "I": str(interfaces or "F"),
        "filters": len(texts),
        "rows": rows,
        "results": len(table.match_batch(batch.plain).flatten()) / rows,
        "native µs": native.times(1e6 / rows),
        "match_ids µs": by_one.times(1e6 / rows),
        "match_batch µs": plain.times(1e6 / rows),
        "dictionaries µs": encoded.times(1e6 / rows),
        "match_ids/s": rows / by_one.median,
        "match_batch/s": rows / plain.median,
    }


def measure_intake(batch: Batch, repeats: int) -> dict[str, Cell]:
    """A table that needs all columns but matches nothing: what is left is the way in and out."""
    progress("the way in and out")
    table = ForwardingTable()
    table.subscribe("it", " AND ".join(f"{name} = 'nothing'" for name in batch.plain.schema.names))
    rows = len(batch.sent)
    plain = repeat(lambda: table.match_batch(batch.plain), repeats)
    encoded = repeat(lambda: table.match_batch(batch.encoded), repeats)
    return {
        "rows": rows,
        "match_batch µs": plain.times(1e6 / rows),
        "dictionaries µs": encoded.times(1e6 / rows),
    }


def measure_loading(count: int, repeats: int) -> dict[str, Cell]:
    """One row: a table filled from Arrow columns, and from lists."""
    progress(f"loading: {count:,} filters")
    texts = hand_written(count)
    interfaces = [f"i{n % 20}" for n in range(count)]
    rows = pa.table({"interface": interfaces, "filter": texts})
    batch = repeat(lambda: ForwardingTable().subscribe_batch(rows), repeats)
    many = repeat(lambda: ForwardingTable().subscribe_many(interfaces, texts), repeats)
    return {"filters": count, "subscribe_batch s": batch, "subscribe_many s": many}


def main() -> None:
    """Run at the scale asked for."""
    options = arguments(__doc__)
    report = Report(__doc__ or "", options)
    draw = random.Random(options.seed)
    batch = Batch.of([departure(draw) for _ in range(ROWS[options.scale])])
    texts = [subscription(draw) for _ in range(FILTERS[options.scale])]
    report.add(
        "Matching departures of 10 attributes; µs per message",
        [measure_matching(batch, texts, interfaces, options.repeats) for interfaces in INTERFACES],
    )
    report.add("The way in and out alone; µs per message", [measure_intake(batch, options.repeats)])
    report.add("Loading hand-written filters", [measure_loading(LOADED[options.scale], options.repeats)])
    report.finish()


if __name__ == "__main__":
    main()
