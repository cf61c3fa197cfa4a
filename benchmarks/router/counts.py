"""The first table of the paper: what tables and links carry, counted anew beside what was printed."""

import csv
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

from common import Cell, progress
from router.workload import APPLICATIONS, MESSAGES, PROCESSORS, draw_tree

__all__ = ["count_loads"]

ROUTERS = ("typical", "heaviest")


def count_loads(seed: int, sources: int) -> dict[str, list[dict[str, Cell]]]:
    """Tables by router, of means over so many sources, each on a network of its own."""
    counted = _count(seed, sources)
    with (Path(__file__).parent / "published_counts.csv").open(newline="", encoding="utf-8") as file:
        printed = list(csv.DictReader(file))
    tables: dict[str, list[dict[str, Cell]]] = {router: [] for router in ROUTERS}
    for router, rows in tables.items():
        for row in printed:
            cells: dict[str, Cell] = {"count": row["count"].replace("_", " "), "format": row["format"]}
            for application in APPLICATIONS:
                column = f"{router} {application}"
                cells[application] = round(fmean(counted[column, row["format"], row["count"]]), 1)
                cells[f"{application}, paper"] = float(row[column])
            rows.append(cells)
    return tables


def _count(seed: int, sources: int) -> dict[tuple[str, str, str], list[float]]:
    found: dict[tuple[str, str, str], list[float]] = {}
    for number in range(seed, seed + sources):
        for name, application in APPLICATIONS.items():
            progress(f"counts, {name}, seed {number}")
            for format_ in PROCESSORS:
                tree, _ = draw_tree(name, format_, number)
                census = tree.census(application.messages(MESSAGES, number))
                for router, load in zip(ROUTERS, (census.typical(), census.heaviest()), strict=True):
                    for count, value in asdict(load).items():
                        found.setdefault((f"{router} {name}", format_, count), []).append(value)
    return found
