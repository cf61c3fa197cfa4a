"""The engines that are compared, and their tables: filled with the same filters at the same time.

Filling is not what is measured, so every table gets a thread of its own for it; whoever times them does so
afterwards, one by one.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pyarrow as pa

from penstock.table import Engine, ForwardingTable

__all__ = ["ACCESS", "COUNTING", "SELECTIVITY", "Contender", "together"]


@dataclass(frozen=True, slots=True)
class Contender:
    """An engine by the name that it has in the plots."""

    name: str
    engine: Engine
    rounds: int = 0

    def table(self) -> ForwardingTable:
        """An empty table."""
        return ForwardingTable(self.engine, rounds=self.rounds)

    def on(self, interfaces: int | str) -> str:
        """The name of its curve for so many interfaces; 0 stands for F, one filter each."""
        return f"{self.name}, I={interfaces or 'F'}"


COUNTING = Contender("counting", "counting")
SELECTIVITY = Contender("selectivity", "selectivity", 10)  # as many rounds as the paper takes
ACCESS = Contender("access", "access")


def together(tables: Sequence[ForwardingTable], parts: Iterable[pa.Table]) -> None:
    """Add the same filters to all tables, part by part, and make them ready to match."""
    with ThreadPoolExecutor(len(tables)) as pool:
        for part in parts:
            list(pool.map(lambda table, rows=part: table.subscribe_batch(rows), tables))
        list(pool.map(ForwardingTable.build, tables))
