"""`penstock compile`: files of subscriptions to a table in files, with every row accounted for."""

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, get_args

from penstock.cli.check import counted
from penstock.cli.inputs import FORMATS_HELP, add_subscription_format, find_subscriptions
from penstock.cli.spark_run import add_run_options, directory, positive, spark_run
from penstock.cli.summary import show_rejected, subscription_sum
from penstock.table import Engine

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["add_parser", "run"]

EPILOG = f"""\
{FORMATS_HELP}

TABLE is a directory that all workers see. It keeps every version that was compiled; the newest is current as
soon as it is whole, for runs that start then and for streams that are running. Rows that cannot be used do
not stop the others: TABLE/rejected has them (Parquet: input, file, line, row, error).

examples:
  $ penstock compile wishes.csv -o table
  $ penstock compile wishes/ -o /mnt/shared/table --shards 8 --master spark://host:7077
  $ penstock forward --table table --messages events.jsonl --out out

exit code: 0 all good, 1 rows were rejected, 2 usage or unreadable input, 3 the run failed and changed nothing
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "compile",
        help="compile files of subscriptions into a table, on Spark",
        description="Compile subscriptions into a table that `penstock forward` and `penstock stream` take.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("subscriptions", metavar="SUBSCRIPTIONS", help="files of subscriptions")
    parser.add_argument(
        "-o", "--out", metavar="TABLE", type=directory, required=True, help="the table's directory"
    )
    add_subscription_format(parser, "--format")
    parser.add_argument(
        "--shards", metavar="N", type=positive, default=1, help="parts of the table (default: 1)"
    )
    parser.add_argument(
        "--engine", choices=get_args(Engine), default="access", help="default: access; same answers"
    )
    add_run_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compile, account, sum up."""
    source = find_subscriptions(arguments.subscriptions, arguments.subscription_format)
    with spark_run(arguments) as (spark, stages):
        from penstock.pipeline.compile import compile_files  # noqa: PLC0415 - it needs Spark

        compiled = compile_files(
            spark, source, arguments.out, stages, shards=arguments.shards, engine=arguments.engine
        )
    table, counts = compiled.table, compiled.counts
    if arguments.json:
        described = {"table": str(arguments.out), "version": table.version, "interfaces": table.interfaces}
        print(json.dumps({**described, "subscriptions": asdict(counts), "seconds": stages.seconds}))
    elif not arguments.quiet:
        print(f"{subscription_sum(counts)}, on {counted(table.interfaces, 'interface')}")
        print(f"in {arguments.out}, version {table.version}")
    show_rejected(arguments.out / "rejected", counts.rejected)
    return 1 if counts.rejected else 0
