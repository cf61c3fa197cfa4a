"""`penstock check`: every mistake in a file of filters, with its place, before a router trips over it."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from penstock.cli.filter_file import FilterFile, read_filters

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["add_parser", "counted", "describe", "run"]

EPILOG = """\
FILTERS holds one `interface<TAB>filter` per line (blank lines and # comments are ignored), or JSON lines:
  {"interface": "alice", "filter": "price < 500"}

example:
  $ penstock check filters.tsv
  filters.tsv:3:14: expected a value after '<'
    price <
           ^
  1 error in 120 filters

exit code: 0 all good, 1 errors found, 2 unreadable file
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "check",
        help="validate a file of filters",
        description="Validate a file of filters and show every error with its place and a caret.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("filters", metavar="FILTERS", help="file of filters, UTF-8; - for standard input")
    parser.add_argument("--json", action="store_true", help="print each error as one JSON object per line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the problems, then one line that sums up."""
    file = read_filters(arguments.filters)
    if arguments.json:
        for problem in file.problems:
            data = asdict(problem)
            del data["excerpt"]  # a rendering of the rest
            print(json.dumps(data))
        print(summary(file), file=sys.stderr)
    else:
        print(describe(file))
    return 1 if file.problems else 0


def describe(file: FilterFile) -> str:
    """All problems and the summary, as people read them."""
    return "\n".join([*map(str, file.problems), summary(file)])


def summary(file: FilterFile) -> str:
    """`3 errors in 120 filters`, or `120 filters on 14 interfaces, all good`."""
    filters = counted(len(file.rows) + len(file.problems), "filter")
    if file.problems:
        return f"{counted(len(file.problems), 'error')} in {filters}"
    return f"{filters} on {counted(file.interfaces, 'interface')}, all good"


def counted(count: int, noun: str) -> str:
    """`1 filter`, `1,200 filters`, `7 deliveries`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"
