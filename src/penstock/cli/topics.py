"""`penstock topics match`: topics in, one JSON line out for each, naming the destinations of its patterns.

As with messages, a topic that cannot be used is answered with its error and the run goes on; a bad file of
patterns stops the run before the first topic.
"""

import argparse
import json
import sys
import time
from typing import TYPE_CHECKING, BinaryIO, get_args

from penstock.cli.check import counted
from penstock.cli.intake import decode, open_input
from penstock.cli.match import Tally, is_file
from penstock.cli.pattern_file import NOTATIONS, PatternFile, read_patterns
from penstock.errors import MessageError
from penstock.topics import Scheme, TopicTable

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["add_parser", "run"]

EPILOG = """\
PATTERNS holds one `destination<TAB>pattern` per line (blank lines and # comments are ignored), TOPICS one
topic per line. A level * of a pattern is any one level, and a pattern means everything below it as well.

examples:
  $ penstock topics match patterns.tsv topics.txt
  {"line": 1, "topic": "Streams/Sensor/Fluid/Pressure", "destinations": ["archive", "control"]}
  {"line": 2, "topic": "Streams/Sensor", "destinations": ["archive"]}
  {"line": 3, "error": "a topic cannot hold control characters"}

  $ mosquitto_sub -t '#' -F '%t' | penstock topics match patterns.tsv - --quiet
  $ penstock topics match filters.tsv topics.txt --notation mqtt --scheme tree

exit code: 0 all good, 1 bad patterns or unusable topics, 2 usage or unreadable file
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command, what it can be asked for, and the options."""
    group = commands.add_parser(
        "topics",
        help="match hierarchical topics against patterns with wildcards",
        description="Hierarchical topics and patterns with wildcards.",
        allow_abbrev=False,
    )
    parser = group.add_subparsers(metavar="COMMAND", required=True).add_parser(
        "match",
        help="say which destinations want each topic",
        description="Match every topic against the patterns and print the destinations that want it.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("patterns", metavar="PATTERNS", help="file of patterns, UTF-8; - for standard input")
    parser.add_argument("topics", metavar="TOPICS", help="topics, one per line; - for standard input")
    parser.add_argument(
        "--scheme", choices=get_args(Scheme), default="radix", help="default: radix; same answers"
    )
    parser.add_argument(
        "--notation",
        choices=NOTATIONS,
        default="penstock",
        help="how PATTERNS are written (default: penstock)",
    )
    parser.add_argument("--unmatched", action="store_true", help="print only the topics that nobody wants")
    parser.add_argument("--quiet", action="store_true", help="no summary on standard error")
    parser.set_defaults(run=run, usage_error=parser.error)


def run(arguments: argparse.Namespace) -> int:
    """Load the patterns, answer the topics, sum up."""
    if arguments.patterns == arguments.topics == "-":
        arguments.usage_error("standard input cannot hold both PATTERNS and TOPICS")
    file = read_patterns(arguments.patterns, TopicTable(arguments.scheme), arguments.notation)
    if file.problems:
        print(_describe(file), file=sys.stderr)
        return 1
    tally = Tally()
    start = time.perf_counter()
    with open_input(arguments.topics) as stream:
        _answer_all(file.table, stream, tally, only_unmatched=arguments.unmatched)
    seconds = time.perf_counter() - start
    if not arguments.quiet:
        print(
            f"{counted(tally.messages, 'topic')}, {tally.matched:,} matched, {seconds:.3f} s", file=sys.stderr
        )
    if tally.unusable:
        print(f"penstock: {counted(tally.unusable, 'topic')} could not be used", file=sys.stderr)
    return 1 if tally.unusable else 0


def _describe(file: PatternFile) -> str:
    lines = counted(len(file.table) + len(file.problems), "pattern")
    return "\n".join([*map(str, file.problems), f"{counted(len(file.problems), 'error')} in {lines}"])


def _answer_all(table: TopicTable, stream: BinaryIO, tally: Tally, *, only_unmatched: bool) -> None:
    is_live = not is_file(stream)  # whoever feeds a pipe may be waiting for the answer
    for number, raw in enumerate(stream, 1):
        if not raw.strip():
            continue
        tally.messages += 1
        answer: dict[str, object] = {"line": number}
        try:
            topic = decode(raw, number)
            destinations = sorted(table.match(topic))
            tally.matched += bool(destinations)
            if only_unmatched and destinations:
                continue
            answer |= {"topic": topic, "destinations": destinations}
        except MessageError as error:
            tally.unusable += 1
            answer["error"] = str(error)
        print(json.dumps(answer), flush=is_live)
