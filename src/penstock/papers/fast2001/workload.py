"""The report's filters as an endless list that tables grow along, and its messages.

Filter n is the same for every number of interfaces, and goes to interface n mod I: at every length of the
list all interfaces hold as many, within one. Only a part of the texts is in memory at a time.
"""

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from penstock.papers.experiment import Point
from penstock.workload import Scenario2001, filters, messages

__all__ = ["SEED", "part", "parts", "sent", "sizes", "stages"]

SEED = 2001
AT_ONCE = 100_000


def parts(names: int, interfaces: int, first: int, last: int) -> Iterator[pa.Table]:
    """Filters first .. last-1 over so many attribute names; no interfaces: one for each filter."""
    for start in range(first, last, AT_ONCE):
        yield part(names, interfaces, start, min(last, start + AT_ONCE))


def part(names: int, interfaces: int, first: int, last: int) -> pa.Table:
    """A stretch of the list, drawn from a stream of its own."""
    _, texts = filters(Scenario2001(F=last - first, I=1, A=names), SEED + first)
    owners = [f"i{n % interfaces if interfaces else n}" for n in range(first, last)]
    return pa.table({"interface": owners, "filter": texts})


def sent(names: int, count: int = 1000) -> list[dict[str, str | int | bool]]:
    """The messages; as many as in the report."""
    return messages(replace(Scenario2001(F=1, A=names), N=count), SEED)


def sizes(counts: tuple[int, ...]) -> str:
    """Lengths of the list at which something is measured, as a point's setting."""
    return " ".join(map(str, counts))


def stages(point: Point) -> list[tuple[int, int]]:
    """From which length to which tables grow before each measurement."""
    counts = [int(each) for each in str(point.settings["sizes"]).split()]
    return list(zip([0, *counts[:-1]], counts, strict=True))
