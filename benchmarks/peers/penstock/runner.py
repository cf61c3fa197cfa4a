"""penstock with the engine that is named first on the command line: one interface for each subscription.

Timed three times: `dict` is `match_ids` and `json` is `match_json` as a Python program calls them, `native`
leaves out the way through Python.
"""

import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, cast

from peers.measure import Event, Job, calls, first_pass, lines, resident, timed, write
from peers.penstock.translate import to_filter
from penstock import ForwardingTable
from penstock.table import Engine


def load(engine: str, interfaces: list[str], texts: list[str]) -> ForwardingTable:
    """A table that is ready to match."""
    table = ForwardingTable(cast("Engine", engine))
    table.subscribe_many(interfaces, texts)
    table.build()
    return table


def main(engine: str, job: Job) -> None:
    """Load, check, measure."""
    texts = [str(to_filter(subscription)) for subscription in lines(job.subscriptions)]
    interfaces = [str(number) for number in range(len(texts))]
    events: list[Event] = lines(job.events)
    load(engine, interfaces[:1], texts[:1])  # numpy comes with the first array
    before = resident()
    start = time.perf_counter()
    table = load(engine, interfaces, texts)
    build = time.perf_counter() - start
    size = resident() - before
    found = first_pass(lambda event: map(int, table.match(event)), events, job.check)
    documents = job.events.read_bytes().splitlines()
    for event, document in zip(events, documents, strict=True):
        if set(table.match_json(document)) != set(table.match_ids(event)):
            raise AssertionError(f"match_json disagrees with match_ids about {event}")

    def natively(some: Sequence[Event], passes: int) -> float:
        return float(table.time_matches(some, passes).sum())

    ways: dict[str, Any] = {
        "dict": timed(calls(table.match_ids), events, job),
        "json": timed(calls(table.match_json), documents, job),
        "native": timed(natively, events, job),
    }
    write(job.result, version=version("penstock"), build=build, bytes=size, ways=ways, matches=found)


if __name__ == "__main__":
    main(sys.argv[1], Job.of(sys.argv[2:]))
