"""The command `penstock`: one file per subcommand, and here what they share at the edge of the process.

Exit codes: 0 all good, 1 something in the input was wrong, 2 usage or unreadable file, 130 interrupted; 3 a
run on Spark has no result, because it failed or its counts do not add up. `explain` answers with its exit
code, and keeps 1 for "no".
Nothing that a user can provoke ends in a stack trace.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

from penstock.cli import (
    check,
    compile,  # noqa: A004 - named after the command
    explain,
    forward,
    match,
    papers,
    run,
    simulate,
    stream,
    topics,
)
from penstock.cli.spark_session import SparkError
from penstock.errors import InputError, LedgerError, PenstockError, SchemaError, TableFileError

__all__ = ["main"]

DESCRIPTION = "Match messages against standing filters, and say which interfaces want each one."

EPILOG = """\
a first run:
  printf 'alice\\tprice < 500 AND carrier = "UA"\\n' > filters.tsv
  printf '{"carrier": "UA", "price": 420}\\n' > messages.jsonl
  penstock check filters.tsv
  penstock match filters.tsv messages.jsonl
  {"line": 1, "interfaces": ["alice"]}

filters look like this:
  carrier = 'UA' AND price < 500 OR flight STARTS WITH 'UA' AND NOT EXISTS upgrade
  stream TOPIC 'Streams/Sensor/*/Pressure'       price BETWEEN 10 AND 20
  state IN ('new', 'open')                       name LIKE 'J_n%'

files on Spark, with every row accounted for, and a report to look at:
  penstock forward --subscriptions filters.tsv --messages messages.jsonl --out out
  penstock run

a network of routers that forward by content, with failures and a report:
  penstock simulate news-desk

the figures and tables of the papers behind it, measured anew:
  penstock papers run all

`penstock COMMAND --help` explains each command.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _provide_streams()
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except (InputError, SchemaError, TableFileError) as error:
        return _fail(str(error), 2)
    except SparkError as error:
        return _fail(str(error), error.exit_code)
    except LedgerError as error:
        return _fail(str(error), 3)
    except PenstockError as error:
        return _fail(str(error), 1)
    except BrokenPipeError:
        _settle_output()
        return 0  # the reader has seen enough (`| head`)
    except OSError as error:
        _settle_output()
        return _fail(error.strerror or str(error), 2)
    except MemoryError:
        return _fail("not enough memory", 1)
    except KeyboardInterrupt:
        return 130
    return code


def _provide_streams() -> None:
    """Make both outputs fit to print to: Python has None for one that the shell closed.

    `print(…, file=None)` would then go to standard output, and what is said aside be among the answers.
    """
    if sys.stdout is None:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that lacks a character is no reason to fail
        sys.stdout.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8", errors="backslashreplace")


def _settle_output() -> None:
    """Write what can still be written; if nothing can, let Python's own flush at exit go nowhere."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="penstock",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"penstock {version('penstock')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (match, explain, check, topics, compile, forward, stream, run, simulate, papers):
        command.add_parser(commands)
    return parser


def _fail(message: str, code: int) -> int:
    print(f"penstock: {message}", file=sys.stderr)
    return code
