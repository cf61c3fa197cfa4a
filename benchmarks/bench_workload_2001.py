"""The 2001 workload: matching time and share of ignored messages by F, A and I.

Stresses the counting engine with short filters and booleans. Few names (A = 100) mean many partial matches,
many names (A = 1000) mean that most messages are dropped at once; few interfaces let evaluation stop early.
"""

from collections.abc import Iterator

import numpy as np

from common import Cell, Report, arguments, match_times, progress, seconds
from penstock import ForwardingTable
from penstock.workload import Scenario2001, filters, messages

FILTERS = {"small": (1_000, 10_000, 100_000), "full": (1_000, 10_000, 100_000, 1_000_000)}
NAMES = (100, 1000)
INTERFACES = (2, 50, 500, None)


def measure(scenario: Scenario2001, seed: int, repeats: int) -> dict[str, Cell]:
    """One row: load, match, and what came of the messages."""
    table = ForwardingTable("counting")
    interfaces, texts = filters(scenario, seed)
    sent = messages(scenario, seed)
    loading = seconds(lambda: table.subscribe_many(interfaces, texts))
    building = seconds(table.build)
    reached = np.array([len(table.match_ids(message)) for message in sent])
    native, python = match_times(table, sent, repeats)
    return {
        "A": scenario.A,
        "F": scenario.F,
        "I": "F" if scenario.I is None else str(scenario.I),
        "load s": loading,
        "build s": building,
        "native µs": native.times(1e6 / len(sent)),
        "match_ids µs": python.times(1e6 / len(sent)),
        "interfaces reached": float(reached.mean()),
        "ignored %": 100 * float((reached == 0).mean()),
    }


def scenarios(scale: str) -> Iterator[Scenario2001]:
    """All combinations, the slow ones last."""
    for names in NAMES:
        for count in FILTERS[scale]:
            for interfaces in INTERFACES:
                yield Scenario2001(F=count, A=names, I=interfaces)


def main() -> None:
    """Run at the scale asked for."""
    options = arguments(__doc__)
    report = Report(__doc__ or "", options)
    rows = []
    for scenario in scenarios(options.scale):
        progress(f"A = {scenario.A}, F = {scenario.F:,}, I = {scenario.I or 'F'}")
        rows.append(measure(scenario, options.seed, options.repeats))
    report.add(f"Counting engine, {Scenario2001(F=1).N:,} messages; µs per message", rows)
    report.finish()


if __name__ == "__main__":
    main()
