"""What patterns cost to keep: the time of single changes, the memory, and the size of the paper's tree."""

from dataclasses import replace
from itertools import islice

import numpy as np

from common import Cell, Spread, progress
from penstock.papers.streams.workload import WILDCARDS, Workload, table_of
from penstock.topics import Scheme

__all__ = ["measure_changes", "measure_memory"]

CHANGES = 2_000
SCHEMES: tuple[Scheme, ...] = ("radix", "tree", "hash")


def measure_changes(workload: Workload, repeats: int) -> dict[str, dict[str, Spread]]:
    """Native microseconds of adding and removing one pattern, medians over rounds, by scheme."""
    progress(f"single changes, {workload}")
    held = workload.patterns()
    more = list(islice(workload.endless_patterns(), workload.count, workload.count + CHANGES))
    names = [f"new {number}" for number in range(CHANGES)]
    result: dict[str, dict[str, Spread]] = {}
    for scheme in SCHEMES:
        table = table_of(scheme, held)
        rounds = [np.median(table.time_updates(more, names), axis=1) * 1e6 for _ in range(repeats)]
        result[scheme] = {
            "add": Spread.of(float(spent[0]) for spent in rounds),
            "remove": Spread.of(float(spent[1]) for spent in rounds),
        }
    return result


def measure_memory(workload: Workload) -> list[dict[str, Cell]]:
    """Bytes and, of the tree, nodes and edges, for both readings of the workload."""
    rows: list[dict[str, Cell]] = []
    for wildcards in WILDCARDS:
        progress(f"memory, {workload}, {wildcards}")
        held = replace(workload, wildcards=wildcards).patterns()
        for scheme in SCHEMES:
            stats = table_of(scheme, held).stats()
            rows.append(
                {
                    "wildcards": wildcards,
                    "scheme": scheme,
                    "patterns": stats.patterns,
                    "index bytes/pattern": stats.index_bytes / stats.patterns,
                    "all bytes/pattern": stats.bytes_per_pattern,
                    "nodes": stats.index.get("nodes"),
                    "edges": stats.index.get("edges"),
                }
            )
    return rows
