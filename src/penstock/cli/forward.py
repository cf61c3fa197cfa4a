"""`penstock forward`: files of messages to files of deliveries, on Spark, with every row accounted for."""

import argparse
from typing import TYPE_CHECKING

from penstock.cli.inputs import (
    FORMATS_HELP,
    add_message_options,
    add_subscription_format,
    find_messages,
    find_subscriptions,
    reading_of,
)
from penstock.cli.spark_run import add_run_options, check_table, directory, positive, spark_run
from penstock.cli.summary import show_rejected, sums
from penstock.pipeline.output import check_goal

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["add_parser", "run"]

EPILOG = f"""\
{FORMATS_HELP}

DIR holds, once the run is over and its counts add up:
  deliveries/    Parquet: what names the message, and `interface`; one row for each that wants it
  unmatched/     Parquet: file, line, row of each message that nobody wants
  rejected/      Parquet: input, file, line, row, error of each row that could not be read or compiled
  table/         the compiled subscriptions; `--table` takes them the next time
  metrics.json   the counts, and seconds by stage
A run that fails or is killed leaves DIR as it was. Running again replaces what an earlier run wrote.

examples:
  $ penstock forward --subscriptions wishes.csv --messages 'events/*.jsonl' --out out
  $ penstock forward --subscriptions wishes.parquet --messages flights.csv --null NA --id flight --out out
  $ penstock compile wishes.parquet -o table
  $ penstock forward --table table --messages today.parquet --out out --json | jq .deliveries
  $ penstock forward --table /mnt/shared/table --messages s3a://bucket/events/ --format parquet \\
      --out /mnt/shared/out --master spark://host:7077 --conf spark.executor.memory=8g

exit code: 0 all good, 1 rows were rejected, 2 usage or unreadable input, 3 the run failed and wrote nothing
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "forward",
        help="forward files of messages to those who want them, on Spark",
        description="Forward every message to the interfaces that want it, and account for every row.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    wishes = parser.add_mutually_exclusive_group(required=True)
    wishes.add_argument("--subscriptions", metavar="S", help="files of subscriptions, compiled first")
    wishes.add_argument("--table", metavar="TABLE", type=directory, help="what `penstock compile` wrote")
    parser.add_argument("--messages", metavar="M", required=True, help="files of messages")
    parser.add_argument("--out", metavar="DIR", type=directory, required=True, help="where the results go")
    add_subscription_format(parser, "--subscriptions-format")
    parser.add_argument(
        "--shards", metavar="N", type=positive, help="parts of the table that is compiled (default: 1)"
    )
    add_message_options(parser)
    add_run_options(parser)
    parser.set_defaults(run=run, usage_error=parser.error)


def run(arguments: argparse.Namespace) -> int:
    """Look at the inputs, start Spark, run, sum up."""
    if arguments.table is not None and (arguments.shards or arguments.subscription_format):
        arguments.usage_error("--shards and --subscriptions-format are for --subscriptions")
    check_goal(arguments.out)
    messages = find_messages(arguments)
    subscriptions = None
    if arguments.subscriptions is not None:
        subscriptions = find_subscriptions(arguments.subscriptions, arguments.subscription_format)
    else:
        check_table(arguments.table)
    with spark_run(arguments) as (spark, stages):
        from penstock.pipeline.job import Job, run_job  # noqa: PLC0415 - it needs Spark

        reading = reading_of(arguments)
        job = Job(messages, subscriptions, arguments.table, reading, arguments.shards or 1)
        result = run_job(spark, job, arguments.out, stages)
    ledger = result.ledger
    if arguments.json:
        print((arguments.out / "metrics.json").read_text(encoding="utf-8"), end="")
    elif not arguments.quiet:
        print(*sums(ledger, result.table.interfaces), f"in {arguments.out}", sep="\n")
    rejected = ledger.written["rejected"]
    show_rejected(arguments.out / "rejected", rejected)
    return 1 if rejected else 0
