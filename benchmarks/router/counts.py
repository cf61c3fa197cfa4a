"""The first table of the paper: what tables and links carry, counted anew beside what was printed."""

from collections.abc import Iterator
from dataclasses import asdict
from statistics import fmean

from common import Cell, progress
from penstock.papers.published import read_published
from penstock.papers.structures.cells import ROUTERS
from penstock.papers.structures.table1 import TABLE1
from penstock.papers.structures.workload import APPLICATIONS, FORMATS, MESSAGES, draw_tree

__all__ = ["count_loads"]


def count_loads(seed: int, sources: int) -> dict[str, list[dict[str, Cell]]]:
    """Tables by router, of means over so many sources, each on a network of its own."""
    counted = _count(seed, sources)
    printed = {
        (row.quantity, row.series, row.x): row.value
        for row in read_published()
        if row.experiment == TABLE1.key
    }
    rows = dict.fromkeys((quantity, format_) for quantity, format_, _ in printed)
    return {router: list(_rows(router, list(rows), counted, printed)) for router in ROUTERS}


def _rows(
    router: str,
    rows: list[tuple[str, str]],
    counted: dict[tuple[str, str, str], list[float]],
    printed: dict[tuple[str, str, str], float],
) -> Iterator[dict[str, Cell]]:
    for quantity, format_ in rows:
        cells: dict[str, Cell] = {"count": quantity, "format": format_}
        for application in APPLICATIONS:
            column = f"{router} {application}"
            cells[application] = round(fmean(counted[quantity, format_, column]), 1)
            cells[f"{application}, paper"] = printed[quantity, format_, column]
        yield cells


def _count(seed: int, sources: int) -> dict[tuple[str, str, str], list[float]]:
    found: dict[tuple[str, str, str], list[float]] = {}
    for number in range(seed, seed + sources):
        for name, application in APPLICATIONS.items():
            progress(f"counts, {name}, seed {number}")
            for format_ in FORMATS:
                tree, _ = draw_tree(name, format_, number)
                census = tree.census(application.messages(MESSAGES, number))
                for router, load in zip(ROUTERS, (census.typical(), census.heaviest()), strict=True):
                    for count, value in asdict(load).items():
                        key = (count.replace("_", " "), format_, f"{router} {name}")
                        found.setdefault(key, []).append(value)
    return found
