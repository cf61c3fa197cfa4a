"""`penstock stream`: forward files as they come into a directory, by a table that may change meanwhile."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from penstock.cli.check import counted
from penstock.cli.inputs import FORMATS_HELP, add_message_options, find_messages, reading_of
from penstock.cli.spark_run import add_run_options, check_table, directory, positive, spark_run
from penstock.errors import LedgerError

if TYPE_CHECKING:
    from penstock.pipeline.stream import Batch

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["add_parser", "run"]

EPILOG = f"""\
{FORMATS_HELP}

M is a directory; files are moved into it when they are complete, and each is forwarded once. A batch is
forwarded by the version of TABLE that is current when it begins: `penstock compile … -o TABLE` changes it
while the stream runs. DIR/batch=N (Parquet) has a row for each message of batch N:
  what names it: the attributes given with --id; of JSON and CSV also `file` and `row`; of Parquet, without
  --id, all columns
  interfaces     those that want it; empty when nobody does
  error          why it was rejected; for a line of CSV that does not fit its columns, `fault` says it
A stream that was stopped or died goes on where it was when it is started again with the same DIR: no message
is lost, and none is there twice.

examples:
  $ penstock stream --messages inbox/ --table table --out out
  $ penstock stream --messages inbox/ --table table --out out --once
  $ penstock stream --messages inbox/ --format jsonl --table table --out out --every '30 seconds' --id order

exit code: 0 all good, 1 rows were rejected, 2 usage or unreadable input, 3 the stream failed; start it again,
130 interrupted, which is how a stream without --once ends
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "stream",
        help="forward files as they come, on Spark",
        description="Forward the messages in a directory's files, and in those that come.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--messages", metavar="M", required=True, help="a directory of files")
    parser.add_argument(
        "--table", metavar="TABLE", type=directory, required=True, help="what `penstock compile` writes"
    )
    parser.add_argument("--out", metavar="DIR", type=directory, required=True, help="where the results go")
    parser.add_argument(
        "--checkpoint",
        metavar="DIR",
        type=directory,
        help="what a stream remembers (default: DIR/_checkpoint)",
    )
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--once", action="store_true", help="end when all files that are there are done")
    pace.add_argument("--every", metavar="TIME", help="start batches at intervals, such as '30 seconds'")
    parser.add_argument("--files", metavar="N", type=positive, help="files in a batch, at most")
    add_message_options(parser)
    add_run_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Start the stream and tell of its batches until it ends."""
    source = find_messages(arguments, is_stream=True)
    check_table(arguments.table)
    checkpoint = arguments.checkpoint or arguments.out / "_checkpoint"
    totals = dict.fromkeys(("messages", "matched", "unmatched", "rejected"), 0)
    with spark_run(arguments) as (spark, _):
        from penstock.pipeline.stream import Pace, follow, start_stream  # noqa: PLC0415 - it needs Spark

        pace = Pace(arguments.once, arguments.every, arguments.files)
        query = start_stream(
            spark, source, arguments.table, arguments.out,
            checkpoint=checkpoint, reading=reading_of(arguments), pace=pace,
        )  # fmt: skip
        try:
            for batch in follow(query, arguments.out):
                _tell(batch, arguments)
                totals = {name: total + getattr(batch, name) for name, total in totals.items()}
        finally:
            query.stop()
    if not arguments.quiet and not arguments.json:
        print(_sum(totals))
    return 1 if totals["rejected"] else 0


def _tell(batch: "Batch", arguments: argparse.Namespace) -> None:
    if arguments.json:
        print(json.dumps(asdict(batch)), flush=True)
    elif not arguments.quiet:
        told = f"batch {batch.number}: {_sum(asdict(batch))}, {batch.seconds:.1f} s"
        print(told, file=sys.stderr, flush=True)
    if not batch.adds_up:
        raise LedgerError([f"batch {batch.number} has {_sum(asdict(batch))}"])


def _sum(counts: dict[str, int]) -> str:
    parts = " + ".join(f"{counts[name]:,} {name}" for name in ("matched", "unmatched", "rejected"))
    return f"{counted(counts['messages'], 'message')} = {parts}"
