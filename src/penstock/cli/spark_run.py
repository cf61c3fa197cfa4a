"""What the commands on Spark share: options, and a session whose stages a progress bar follows."""

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.progress import show_progress, watch_tasks
from penstock.cli.spark_session import add_spark_options, spark_session
from penstock.errors import InputError
from penstock.pipeline.stage import Stages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["add_run_options", "check_table", "directory", "positive", "spark_run"]


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """How a run talks, and where it runs."""
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")
    add_spark_options(parser)


@contextmanager
def spark_run(arguments: argparse.Namespace) -> "Iterator[tuple[SparkSession, Stages]]":
    """Start Spark as the first stage; it stops when the block ends."""
    with ExitStack() as stack:
        watcher = stack.enter_context(show_progress(quiet=arguments.quiet, json=arguments.json))
        stages = Stages(watcher)
        with stages("start", "starting Spark"):
            spark = stack.enter_context(spark_session(arguments))
        watch_tasks(watcher, spark)
        yield spark, stages


def check_table(path: Path) -> None:
    """See that a table is there, before Spark takes its time to start."""
    if not (path / "latest").is_file():
        raise InputError(str(path), None, "holds no compiled table; `penstock compile` writes one")


def directory(text: str) -> Path:
    """A path that this process can write: results are renamed into place, which buckets cannot do."""
    if "://" in text:
        raise argparse.ArgumentTypeError(
            f"{text} is no directory that this machine and all workers see; mount it, or write elsewhere"
        )
    return Path(text)


def positive(text: str) -> int:
    """A number of things, at least one."""
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, got {text!r}")
    return int(text)
