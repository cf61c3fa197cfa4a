"""Spark at the edge of the process: its options, a session for a command, its errors in one line.

What the JVM writes to standard error goes to a log file, which is kept only when something failed; `--debug`
lets it through, and shows stack traces.
"""

import argparse
import logging
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.errors import PenstockError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SparkError", "add_spark_options", "spark_session"]

# Names are case-sensitive in filters, and time stamps do not depend on where the command runs.
SETTINGS = {"spark.sql.caseSensitive": "true", "spark.sql.session.timeZone": "UTC"}
LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
JAVA = "Spark needs Java 17 or later: install one (Debian: default-jre-headless) or set JAVA_HOME"


# What Spark says when an input is at fault, not the run.
UNREADABLE = {
    "CANNOT_MERGE_SCHEMAS", "CANNOT_READ_FILE_FOOTER", "FAILED_READ_FILE", "PATH_NOT_FOUND",
    "UNABLE_TO_INFER_SCHEMA",
}  # fmt: skip


CONDITION = re.compile(r"\[([A-Z_]+)")


class SparkError(PenstockError):
    """Spark is not there, or gave up; the run has no result."""

    def __init__(self, message: str, exit_code: int = 3) -> None:
        super().__init__(message, exit_code)
        self.message = message
        self.exit_code = exit_code

    def __str__(self) -> str:
        return self.message


def add_spark_options(parser: argparse.ArgumentParser) -> None:
    """The options that say where Spark runs."""
    group = parser.add_argument_group("Spark", "embedded in this process, on all cores, unless one is named")
    place = group.add_mutually_exclusive_group()
    place.add_argument(
        "--master", metavar="URL", help="a cluster: spark://host:7077, yarn, k8s://…, local[4]"
    )
    place.add_argument("--remote", metavar="URL", help="a Spark Connect server: sc://host:15002")
    group.add_argument(
        "--conf",
        metavar="KEY=VALUE",
        type=_setting,
        action="append",
        default=[],
        help="a setting of Spark; repeat it",
    )
    group.add_argument("--debug", action="store_true", help="show Spark's log and stack traces")


@contextmanager
def spark_session(arguments: argparse.Namespace) -> "Iterator[SparkSession]":
    """A session for the block; one that was there before is used, and stays as it was."""
    _require_spark()
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # noqa: PLC0415 - it takes a while
    from pyspark.errors import PySparkException  # noqa: PLC0415
    from pyspark.sql import SparkSession  # noqa: PLC0415

    from penstock.spark import session  # noqa: PLC0415

    for name in LOGGERS:  # PySpark logs what it raises, at length
        logging.getLogger(name).disabled = not arguments.debug
    with _log(arguments.debug) as log:
        try:
            settings = SETTINGS | dict(arguments.conf)
            is_ours = SparkSession.getActiveSession() is None
            # Not what was active: that may be one that a stream has made for a batch.
            before = {} if is_ours else _current(session(), settings)
            with _stderr_to(log):
                spark = session(master=arguments.master, remote=arguments.remote, conf=settings)
            try:
                yield spark
            finally:
                if is_ours:
                    spark.stop()
                else:
                    _put_back(spark, before)
        except (PySparkException, Py4JError) as error:  # what PySpark does not know comes as it is
            if arguments.debug:
                raise
            found = CONDITION.search(str(error))
            is_input = found is not None and found[1] in UNREADABLE
            raise SparkError(_explain(error, log), 2 if is_input else 3) from None


def _current(spark: "SparkSession", settings: dict[str, str]) -> dict[str, str | None]:
    return {key: spark.conf.get(key, None) for key in settings}


def _put_back(spark: "SparkSession", settings: dict[str, str | None]) -> None:
    """Undo what has changed; settings that a running session cannot change it has kept by itself."""
    for key, value in settings.items():
        if spark.conf.get(key, None) == value:
            continue
        if value is None:
            spark.conf.unset(key)
        else:
            spark.conf.set(key, value)


def _require_spark() -> None:
    try:
        import penstock.spark  # noqa: F401, PLC0415
    except ImportError as error:  # it says what to install
        raise SparkError(str(error), 2) from None


def _explain(error: Exception, log: Path | None) -> str:
    text = str(error).split("\n\nJVM stacktrace:")[0].strip()
    text = re.sub(r"^An error occurred while calling \S+\n: [\w.$]+: ", "", text)
    if "JAVA_GATEWAY_EXITED" in text:
        text = JAVA
    elif "Traceback (most recent call last)" in text:  # of a worker: what was raised is at the end
        raised = re.findall(
            r"^[\w.]*(?:Error|Exception|Interrupt|Exit)\b.*?(?=\n SQLSTATE|\Z)", text, re.S | re.M
        )
        text = f"a worker failed: {raised[-1].strip() if raised else text.splitlines()[-1]}"
    else:
        text = text.splitlines()[0]
    hint = f"Spark's log is in {log}; " if log else ""
    return f"{text}\n{hint}--debug shows more"


@contextmanager
def _log(debug: bool) -> Iterator[Path | None]:
    """A file for what Spark says, that is gone if all goes well."""
    if debug:
        yield None
        return
    descriptor, name = tempfile.mkstemp(prefix="penstock-spark-", suffix=".log")
    os.close(descriptor)
    log = Path(name)
    try:
        yield log
    except SparkError:  # it names the file
        raise
    except BaseException:
        log.unlink()
        raise
    log.unlink()


@contextmanager
def _stderr_to(log: Path | None) -> Iterator[None]:
    """What is started meanwhile keeps the file as its standard error; this process has its own again."""
    if log is None:
        yield
        return
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # closed by who started us
        yield
        return
    try:
        with log.open("ab") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise argparse.ArgumentTypeError(f"expected KEY=VALUE, got {text!r}")
    return key, value
