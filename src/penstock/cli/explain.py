"""`penstock explain`: why an interface wants a message, or does not, line by line of its filters.

The exit code is the answer, as with grep: 0 matched, 1 did not; so whatever goes wrong is 2.
"""

import argparse
import difflib
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from penstock._core import read_json
from penstock.cli.check import describe
from penstock.cli.filter_file import Row, read_filters
from penstock.cli.intake import open_input
from penstock.errors import MessageError, UnknownInterfaceError
from penstock.explain import Explanation
from penstock.table import ForwardingTable

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["add_parser", "run"]

EPILOG = """\
FILTERS is as for `penstock check`; a line with OR holds several filters. ✓ marks what holds, ✗ what
does not, with what the message has instead. Filters that match come first, then those that failed in the
fewest places.

examples:
  $ penstock explain filters.tsv '{"dest": "MXP", "price": 612}' alice
  ✗ alice: 0 of 1 filter matched

  ✗ line 1
    ✓ dest = 'MXP'
    ✗ price < 500    price is 612

  $ penstock explain filters.tsv - alice < message.json
  $ sed -n 7p messages.jsonl | penstock explain filters.tsv - alice --json
  $ penstock explain filters.tsv '{"price": 420}' alice > /dev/null && echo wanted

exit code: 0 matched, 1 not matched, 2 no answer: usage, unreadable file, bad filters, message or interface
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "explain",
        help="say why an interface wants a message, or does not",
        description="Hold a message against the filters of an interface; show what held and what did not.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("filters", metavar="FILTERS", help="file of filters, UTF-8; - for standard input")
    parser.add_argument("message", metavar="MESSAGE", help="one JSON object; - for standard input")
    parser.add_argument("interface", metavar="INTERFACE", help="whose filters, as named in FILTERS")
    parser.add_argument(
        "--limit", metavar="N", type=_limit, default=5, help="how many filters to show (default: 5)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for machines")
    parser.set_defaults(run=run, usage_error=parser.error)


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation; the answer is the exit code."""
    if arguments.filters == arguments.message == "-":
        arguments.usage_error("standard input cannot hold both FILTERS and MESSAGE")
    file = read_filters(arguments.filters)
    if file.problems:
        print(describe(file), file=sys.stderr)
        return 2
    try:
        explanation = _explain(file.rows, _message(arguments.message), arguments.interface, arguments.limit)
    except MessageError as error:
        return _fail(f"MESSAGE: {error}", _hint_for(arguments.message))
    except UnknownInterfaceError as error:
        close = difflib.get_close_matches(arguments.interface, {row.interface for row in file.rows}, 1)
        return _fail(f"{arguments.filters}: {error}", f"did you mean {close[0]!r}?" if close else "")
    print(json.dumps(_to_dict(explanation)) if arguments.json else explanation.describe("line"))
    return 0 if explanation.matched else 1


def _message(text: str) -> Mapping[str, Any]:
    if text != "-":
        return read_json(text)
    with open_input(text) as stream:
        return read_json(stream.read())


def _explain(rows: list[Row], message: Mapping[str, Any], interface: str, limit: int) -> Explanation:
    """With the lines of the file in the place of the subscriptions' ids."""
    table = ForwardingTable()
    wanted = [row for row in rows if row.interface == interface]
    ids = table.subscribe_many([interface] * len(wanted), [row.predicate for row in wanted])
    lines = dict(zip(ids.tolist(), (row.line for row in wanted), strict=True))
    found = table.explain(message, interface, limit=limit)
    return replace(
        found,
        filters=tuple(
            replace(each, subscriptions=tuple(lines[id_] for id_ in each.subscriptions))
            for each in found.filters
        ),
    )


def _to_dict(explanation: Explanation) -> dict[str, Any]:
    found = explanation.to_dict()
    found["filters"] = [{"lines": each.pop("subscriptions"), **each} for each in found["filters"]]
    return found


def _hint_for(message: str) -> str:
    if message == "-" or message.lstrip().startswith("{"):
        return ""
    return "MESSAGE is the JSON itself, such as '{\"price\": 420}'; use - and < to read a file"


def _fail(message: str, hint: str) -> int:
    print(f"penstock: {message}", *([f"hint: {hint}"] if hint else []), sep="\n", file=sys.stderr)
    return 2


def _limit(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number of filters, got {text!r}")
    return int(text)
