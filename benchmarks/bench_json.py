"""JSON messages: one by one and as a column, where reading is most of the work.

Stresses the reader: simdjson, the joining of nested names, the search for repeated ones. `match_json` stands
beside `json.loads` and `match_ids`; the column goes through `match_batch`, once with all texts as they are,
and once with every tenth cut short, which must not stop the rest.
"""

import json
import random
from collections import deque
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from common import Cell, Report, Spread, arguments, progress, repeat, seconds
from penstock import ForwardingTable
from penstock.workload import Scenario2002, filters, messages

FILTERS = 1_000
EVENTS = {"small": 2_000, "full": 50_000}


def departures(count: int, seed: int) -> list[dict[str, Any]]:
    """Events as services send them: some nesting, numbers of both kinds, a null."""
    draw = random.Random(seed)
    return [
        {
            "carrier": draw.choice(["UA", "LH", "LX"]),
            "flight": f"UA{n}",
            "price": draw.randrange(100, 90_000) / 100,
            "route": {"origin": draw.choice(["DEN", "ZRH"]), "dest": "MXP", "stops": n % 3},
            "seats": draw.randrange(200),
            "upgrade": None,
            "note": 'a "quoted" word and an é',
            "when": "2002-05-04T12:30:00Z",
        }
        for n in range(count)
    ]


def event_sets(count: int, seed: int) -> dict[str, list[str]]:
    """The texts to be read, by what they are."""
    drawn = messages(Scenario2002(I=FILTERS), seed)
    wide = [{f"attribute {n}": n for n in range(200)} for _ in range(count // 20)]
    sets: dict[str, list[Any]] = {
        "2002 workload": [drawn[n % len(drawn)] for n in range(count)],
        "departures": departures(count, seed),
        "200 attributes": wide,
    }
    return {name: [json.dumps(event) for event in events] for name, events in sets.items()}


def timed(action: Callable[[bytes], object], events: list[bytes], repeats: int) -> Spread:
    """Seconds for all events; no result is held."""
    return Spread.of(seconds(lambda: deque(map(action, events), maxlen=0)) for _ in range(repeats))


def measure(table: ForwardingTable, name: str, texts: list[str], repeats: int) -> dict[str, Cell]:
    """One row: all ways, and the reading alone."""
    progress(f"{name}: {len(texts):,} events")
    events = [text.encode() for text in texts]
    found = [table.match_json(event).tolist() for event in events]
    assert found == [table.match_ids(json.loads(event)).tolist() for event in events], "the two ways differ"
    column = pa.table({"text": texts})
    answers: list[Any] = table.match_batch(column, json="text").column("interfaces").to_pylist()
    assert answers == found, "the column differs"
    damaged = pa.table({"text": [text if n % 10 else text[:-1] for n, text in enumerate(texts)]})
    batch = repeat(lambda: table.match_batch(column, json="text"), repeats)
    with_bad = repeat(lambda: table.match_batch(damaged, json="text"), repeats)
    native = timed(table.match_json, events, repeats)
    python = timed(lambda event: table.match_ids(json.loads(event)), events, repeats)
    reading = timed(json.loads, events, repeats)
    each = 1e6 / len(events)
    return {
        "events": name,
        "bytes each": sum(map(len, events)) / len(events),
        "results": sum(map(len, found)) / len(events),
        "match_json µs": native.times(each),
        "match_batch µs": batch.times(each),
        "a tenth bad µs": with_bad.times(each),
        "json.loads + match_ids µs": python.times(each),
        "json.loads µs": reading.times(each),
        "match_json events/s": len(events) / native.median,
        "match_batch events/s": len(events) / batch.median,
        "ratio": python.median / native.median,
    }


def main() -> None:
    """Run at the scale asked for."""
    options = arguments(__doc__)
    report = Report(__doc__ or "", options)
    table = ForwardingTable()
    table.subscribe_many(*filters(Scenario2002(I=FILTERS), options.seed))
    table.build()
    sets = event_sets(EVENTS[options.scale], options.seed)
    rows = [measure(table, name, texts, options.repeats) for name, texts in sets.items()]
    report.add(f"JSON messages against {FILTERS:,} filters; µs per event", rows)
    report.finish()


if __name__ == "__main__":
    main()
