"""`penstock match`: messages in, one JSON line out for each, naming the interfaces that want it.

A message that cannot be used is answered with its error and the run goes on; a bad file of filters
stops the run before the first message.
"""

import argparse
import json
import os
import stat
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from penstock.cli.check import counted, describe
from penstock.cli.filter_file import Row, read_filters
from penstock.cli.intake import open_input
from penstock.errors import MessageError
from penstock.table import MAX_ROUNDS, ForwardingTable

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["Tally", "add_parser", "is_file", "run"]

EPILOG = """\
FILTERS is as for `penstock check`. MESSAGES holds one JSON object per line; nested objects flatten to dotted
names (detail.state), null is absence.

examples:
  $ penstock match filters.tsv messages.jsonl
  {"line": 1, "interfaces": ["alice", "bob"]}
  {"line": 2, "interfaces": []}
  {"line": 3, "error": "attribute 'price': occurs twice"}

  $ tail -f events.jsonl | penstock match filters.tsv - --quiet
  $ penstock match filters.tsv messages.jsonl --engine selectivity --rounds 20 --unmatched

exit code: 0 all good, 1 bad filters or unusable messages, 2 usage or unreadable file
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "match",
        help="say which interfaces want each message",
        description="Match every message against the filters and print the interfaces that want it.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("filters", metavar="FILTERS", help="file of filters, UTF-8; - for standard input")
    parser.add_argument("messages", metavar="MESSAGES", help="JSON lines, UTF-8; - for standard input")
    engines = ["counting", "selectivity"]
    parser.add_argument(
        "--engine", choices=engines, default="counting", help="default: counting; same answers"
    )
    parser.add_argument(
        "--rounds",
        metavar="N",
        type=_rounds,
        help="preprocessing rounds of --engine selectivity (default: 10)",
    )
    parser.add_argument("--unmatched", action="store_true", help="print only the messages that nobody wants")
    parser.add_argument("--quiet", action="store_true", help="no summary on standard error")
    parser.set_defaults(run=run, usage_error=parser.error)


def run(arguments: argparse.Namespace) -> int:
    """Load the filters, answer the messages, sum up."""
    if arguments.rounds is not None and arguments.engine != "selectivity":
        arguments.usage_error("--rounds is an option of --engine selectivity")
    if arguments.filters == arguments.messages == "-":
        arguments.usage_error("standard input cannot hold both FILTERS and MESSAGES")
    file = read_filters(arguments.filters)
    if file.problems:
        print(describe(file), file=sys.stderr)
        return 1
    table = _table(file.rows, arguments)
    tally = Tally()
    start = time.perf_counter()
    with open_input(arguments.messages) as stream:
        _answer_all(table, stream, tally, only_unmatched=arguments.unmatched)
    seconds = time.perf_counter() - start
    if not arguments.quiet:
        print(
            f"{counted(tally.messages, 'message')}, {tally.matched:,} matched, {seconds:.3f} s",
            file=sys.stderr,
        )
    if tally.unusable:
        print(f"penstock: {counted(tally.unusable, 'message')} could not be used", file=sys.stderr)
    return 1 if tally.unusable else 0


@dataclass(slots=True)
class Tally:
    """What a run has seen so far."""

    messages: int = 0
    matched: int = 0
    unusable: int = 0


def _table(rows: list[Row], arguments: argparse.Namespace) -> ForwardingTable:
    options = {} if arguments.rounds is None else {"rounds": arguments.rounds}
    table = ForwardingTable(arguments.engine, **options)
    table.subscribe_many([row.interface for row in rows], [row.predicate for row in rows])
    table.build()
    return table


def _answer_all(table: ForwardingTable, stream: BinaryIO, tally: Tally, *, only_unmatched: bool) -> None:
    # Whoever feeds a pipe may be waiting for the answer; a file has been written in full.
    is_live = not is_file(stream)
    names = {id_: name for name, id_ in table.interfaces.items()}
    for number, raw in enumerate(stream, 1):
        if not raw.strip():
            continue
        tally.messages += 1
        answer: dict[str, object] = {"line": number}
        try:
            interfaces = sorted(map(names.__getitem__, table.match_json(raw).tolist()))
            tally.matched += bool(interfaces)
            if only_unmatched and interfaces:
                continue
            answer["interfaces"] = interfaces
        except MessageError as error:
            tally.unusable += 1
            answer["error"] = str(error)
        print(json.dumps(answer), flush=is_live)


def is_file(stream: BinaryIO) -> bool:
    """Whether all of it is there already, in a file on a disk."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:  # a stream without a descriptor, in memory
        return False


def _rounds(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number of rounds, got {text!r}")
    if len(text) > 100 or int(text) > MAX_ROUNDS:  # Python itself refuses to read thousands of digits
        raise argparse.ArgumentTypeError(f"at most {MAX_ROUNDS:,} rounds")
    return int(text)
