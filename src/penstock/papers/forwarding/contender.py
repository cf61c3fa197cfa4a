"""The engines that are compared, and their tables: filled with the same filters at the same time.

Filling is not what is measured, so every table gets a thread of its own for it; whoever times them does so
afterwards, one by one.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
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

AHEAD = 2  # parts that wait for the slowest table; more would only take memory


def together(tables: Sequence[ForwardingTable], parts: Iterable[pa.Table]) -> None:
    """Add the same filters to all tables, part by part, and make them ready to match."""
    with ExitStack() as stack:
        pools = [stack.enter_context(ThreadPoolExecutor(1)) for _ in tables]
        waiting: deque[Future[object]] = deque()
        for part in parts:
            waiting += [
                pool.submit(table.subscribe_batch, part) for pool, table in zip(pools, tables, strict=True)
            ]
            while len(waiting) > AHEAD * len(tables):
                waiting.popleft().result()
        waiting += [pool.submit(table.build) for pool, table in zip(pools, tables, strict=True)]
        for each in waiting:
            each.result()
