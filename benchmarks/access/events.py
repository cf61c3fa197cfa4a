"""`match_json` where an event has about ten matches, whatever the number of filters.

Twenty attributes: four labels and sixteen numbers. A filter asks for one label, and a bound or an interval on
one or two numbers. An event carries all labels and six of the numbers, or all twenty attributes; labels have
as many values as give ten matches in either case. The third table is that of the peers' workload `ten`: a
key, a bound, and events with a dozen attributes that no filter asks for.
"""

import json
from collections.abc import Mapping, Sequence
from random import Random

from access.figure import Run
from common import Cell, Spread, calls, fill, progress
from peers.penstock.translate import to_filter
from peers.workload import WORKLOADS
from penstock import ForwardingTable
from versus import load

__all__ = ["measure_events"]

LABELS = ("account", "region", "service", "source")
NUMBERS = tuple(f"{what}{n}" for what in ("amount", "count", "delay", "size") for n in range(4))
LARGEST = 100_000
EVENTS = 1_000
RATE = 1.0
Message = Mapping[str, str | int | float]
# By the numbers that an event carries: so many filters for each value of a label that ten like the event.
FILTERS_A_VALUE = {6: 80, 16: 23}


def subscription(random: Random, values: int) -> str:
    """One filter, where a label has so many values."""
    asked = [f"{random.choice(LABELS)} = '{_value(random, values)}'"]
    for name in random.sample(NUMBERS, random.choice((1, 2))):
        low, high = sorted(random.sample(range(LARGEST), 2))
        asked.append(
            random.choice((f"{name} < {high}", f"{name} >= {low}", f"{name} BETWEEN {low} AND {high}"))
        )
    return " AND ".join(asked)


def event(random: Random, values: int, numbers: int) -> dict[str, str | int]:
    """All labels and some numbers."""
    chosen = random.sample(NUMBERS, numbers)
    return {
        **{name: _value(random, values) for name in LABELS},
        **{name: random.randrange(LARGEST) for name in chosen},
    }


def _value(random: Random, values: int) -> str:
    return f"v{random.randrange(values)}"


def measure_events(run: Run, count: int) -> list[dict[str, Cell]]:
    """Events of ten and of twenty attributes, and those of the peers."""
    progress(f"match_json: {count:,} filters")
    rows = []
    for numbers, filters in FILTERS_A_VALUE.items():
        random, values = Random(run.seed), max(1, count // filters)
        texts = [subscription(random, values) for _ in range(count)]
        sent = [event(random, values, numbers) for _ in range(EVENTS)]
        rows.append(_measure(run, "labels", _loaded(run, texts), sent))
    ten = next(workload for workload in WORKLOADS if workload.name == "ten")
    random = Random(run.seed)
    texts = [str(to_filter(ten.subscription(random, count))) for _ in range(count)]
    rows.append(_measure(run, "ten", _loaded(run, texts), [ten.event(random, count) for _ in range(EVENTS)]))
    return rows


def _loaded(run: Run, texts: list[str]) -> ForwardingTable:
    return load(run.engine, [f"i{n}" for n in range(len(texts))], texts)


def _measure(run: Run, name: str, table: ForwardingTable, sent: Sequence[Message]) -> dict[str, Cell]:
    texts = [json.dumps(each, separators=(",", ":")).encode() for each in sent]
    found = [table.match_json(text) for text in texts]
    if [sorted(each) for each in found] != [sorted(table.match_ids(message)) for message in sent]:
        raise AssertionError("match_json disagrees with match_ids")
    results = sum(map(len, found)) / EVENTS
    spent = fill(calls(table.match_json, texts), run.repeats)
    rate = Spread.of(EVENTS / each / 1e6 for each in spent)
    attributes = len(sent[0])
    what = (
        f"match_json, {name}, {attributes} attributes, {len(table):,} filters, {results:.1f} matches an event"
    )
    run.figures.at_least(RATE, "M events/s", what, rate)
    return {
        "events": name,
        "attributes": attributes,
        "bytes": sum(map(len, texts)) / EVENTS,
        "results": results,
        "µs": Spread.of(spent).times(1e6 / EVENTS),
        "M events/s": rate,
    }
