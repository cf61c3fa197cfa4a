"""What every benchmark shares: options, the description of the run, repeats, and plain aligned tables.

Invariant: a figure never appears without what is needed to get it again; the JSON holds what is printed.
"""

import argparse
import json
import sys
import typing
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from penstock import ForwardingTable
from penstock.papers.machine import describe_commit, describe_machine
from penstock.papers.timing import FILL, Pass, calls, fill, natively, samples, seconds
from penstock.table import Engine

__all__ = [
    "FILL",
    "Cell",
    "Message",
    "Pass",
    "Report",
    "Spread",
    "arguments",
    "calls",
    "fill",
    "match_times",
    "natively",
    "progress",
    "repeat",
    "samples",
    "seconds",
]

Message = dict[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class Spread:
    """Smallest, median and 90th percentile of repeated measurements."""

    min: float
    median: float
    p90: float

    @classmethod
    def of(cls, samples: Iterable[float]) -> "Spread":
        """Sum up the samples."""
        low, median, high = np.percentile(list(samples), [0, 50, 90])
        return cls(float(low), float(median), float(high))

    def times(self, factor: float) -> "Spread":
        """The same measurements in another unit."""
        return Spread(self.min * factor, self.median * factor, self.p90 * factor)


Cell = str | int | float | Spread | None


def repeat(action: Callable[[], object], times: int) -> Spread:
    """Seconds for a call, over several."""
    return Spread.of(samples(action, times))


def match_times(table: ForwardingTable, sent: list[Message], times: int) -> tuple[Spread, Spread]:
    """Seconds for all messages: in the native loop alone, and as a Python program sends them."""
    return Spread.of(fill(natively(table, sent), times)), Spread.of(fill(calls(table.match_ids, sent), times))


def progress(text: str) -> None:
    """Say on stderr what is being measured; stdout is the report."""
    print(f"... {text}", file=sys.stderr, flush=True)


def arguments(description: str | None, *, engine: bool = False) -> argparse.Namespace:
    """The options that all benchmarks have, and which engine is measured where that is a choice."""
    summary = (description or "").partition("\n")[0]
    parser = argparse.ArgumentParser(description=summary)
    parser.add_argument("--scale", choices=["small", "full"], default="small", help="sizes (default: small)")
    parser.add_argument("--seed", type=int, default=2002, help="seed of the workload (default: 2002)")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each figure (default: 5)")
    if engine:
        parser.add_argument(
            "--engine",
            choices=typing.get_args(Engine),
            default=ForwardingTable().engine,
            help="measured against counting (default: %(default)s)",
        )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report to FILE")
    options = parser.parse_args()
    if options.seed < 0 or options.repeats < 1:
        parser.error("the seed must not be negative, and there must be at least one repeat")
    return options


@dataclass(slots=True)
class Report:
    """A run under way: its description first, then tables as they are finished."""

    title: str
    options: argparse.Namespace
    run: dict[str, str] = field(default_factory=dict)
    tables: dict[str, list[dict[str, Cell]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.run = _describe_run() | {
            "seed": str(self.options.seed),
            "scale": self.options.scale,
            "repeats": f"{self.options.repeats}; spreads are min / median / p90 over these",
        }
        print((self.title or "").strip(), end="\n\n")
        for key, value in self.run.items():
            print(f"{key:<8} {value}")

    def add(self, title: str, rows: list[dict[str, Cell]]) -> None:
        """Print a table and keep it."""
        self.tables[title] = rows
        print(f"\n{title}\n{_aligned(rows)}", flush=True)

    def finish(self) -> None:
        """Write the JSON file, if one is wanted."""
        if self.options.json:
            tables = {
                title: [
                    {key: asdict(cell) if isinstance(cell, Spread) else cell for key, cell in row.items()}
                    for row in rows
                ]
                for title, rows in self.tables.items()
            }
            content = {"title": self.title.partition("\n")[0], "run": self.run, "tables": tables}
            self.options.json.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _describe_run() -> dict[str, str]:
    return describe_machine() | {
        "commit": describe_commit(Path(__file__)),
        "command": " ".join([Path(sys.executable).name, *sys.argv]),
    }


def _aligned(rows: list[dict[str, Cell]]) -> str:
    columns = list(dict.fromkeys(column for row in rows for column in row))  # a row may lack some
    body = [[_shown(row.get(column)) for column in columns] for row in rows]
    numeric = [not any(isinstance(row.get(column), str) for row in rows) for column in columns]
    widths = [max(map(len, cells)) for cells in zip(columns, *body, strict=True)]
    lines = [columns, ["-" * width for width in widths], *body]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in lines
    )


def _shown(cell: Cell) -> str:
    match cell:
        case None:
            return "-"
        case Spread():
            return " / ".join(_shown(part) for part in (cell.min, cell.median, cell.p90))
        case float():
            return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.3g}"
        case int():
            return f"{cell:,}"
        case str():
            return cell
