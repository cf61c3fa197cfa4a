"""The engines on one table of the paper's workload: the counting algorithm, selectivity, and access.

The paper's curves of zero rounds are the counting algorithm, into which its own falls without rounds.
"""

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from penstock.papers.experiment import Reading
from penstock.papers.forwarding import (
    ACCESS,
    COUNTING,
    SELECTIVITY,
    Contender,
    Effort,
    agreed,
    timed,
    together,
)
from penstock.table import ForwardingTable
from penstock.workload import Scenario2002, filters, messages, sized

__all__ = ["ENGINES", "SEED", "drawn", "filled", "race", "scenario"]

SEED = 2002
ENGINES = (COUNTING, SELECTIVITY, ACCESS)
Message = dict[str, str | int | bool]


def scenario(constraints: int, interfaces: int) -> Scenario2002:
    """About so many constraints on so many interfaces; none: one for each filter."""
    return sized(constraints, interfaces or None, SEED)


def drawn(workload: Scenario2002) -> pa.Table:
    """Interfaces and filters, ready for tables."""
    owners, texts = filters(workload, SEED)
    return pa.table({"interface": owners, "filter": texts})


def filled(workload: Scenario2002, engines: Sequence[Contender]) -> dict[Contender, ForwardingTable]:
    """A table of each engine with these filters."""
    tables = {each: each.table() for each in engines}
    together(list(tables.values()), [drawn(workload)])
    return tables


def race(
    workload: Scenario2002, effort: Effort, cells: Mapping[Contender, tuple[str, str | int, str]]
) -> Iterator[Reading]:
    """Time the engines on the same table, one after the other; a cell says where each reading belongs."""
    sent: list[Message] = messages(workload, SEED)
    tables = filled(workload, list(cells))
    agreed(tables, sent)
    for engine, cell in cells.items():
        yield timed(tables[engine], sent, effort, cell)
