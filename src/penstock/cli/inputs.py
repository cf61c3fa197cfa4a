"""The options that say how inputs are read, the same for all commands that read them with Spark."""

import argparse
from typing import TYPE_CHECKING

from penstock.errors import InputError
from penstock.pipeline.source import FORMATS, Source

if TYPE_CHECKING:
    from penstock.pipeline.messages import Reading

__all__ = ["FORMATS_HELP", "add_message_options", "find_messages", "find_subscriptions", "reading_of"]

FORMATS_HELP = """\
Inputs are Parquet (.parquet), JSON lines (.jsonl, .ndjson, .json) or CSV with a first line of names (.csv,
.tsv with tabs), packed or not (.gz); a file, a directory of files of one kind, or a quoted pattern
('day-*.jsonl'). A row of columns is a message: nulls are absent, structs flatten to dotted names, dates and
times are strings. In CSV, an empty value is absent, and a column is int, float or bool if all its values are,
and string otherwise, unless --type says what it is.
SUBSCRIPTIONS has the columns (or keys) `interface` and `filter`, or is a file as for `penstock check` (.tsv,
.filters): one interface, a tab and a filter on each line."""

TYPES = ("string", "int", "float", "bool")  # of the filter language


def add_message_options(parser: argparse.ArgumentParser) -> None:
    """How messages are read."""
    group = parser.add_argument_group("how messages are read")
    group.add_argument(
        "--format", choices=["parquet", "jsonl", "csv", "tsv"], help="default: by the file's name"
    )
    group.add_argument(
        "--id",
        metavar="NAME",
        action="append",
        default=[],
        help="an attribute that names a message in the output; repeat it (default: its file and line)",
    )
    group.add_argument(
        "--type",
        metavar="NAME=TYPE",
        type=_typed,
        action="append",
        default=[],
        help="read a column of CSV or Parquet as string, int, float or bool; repeat it",
    )
    group.add_argument(
        "--separator",
        metavar="C",
        type=_separator,
        default=",",
        help="between values of CSV (default: a comma)",
    )
    group.add_argument(
        "--null", metavar="TEXT", default="", help="what stands for a missing value in CSV, such as NA"
    )


def reading_of(arguments: argparse.Namespace) -> "Reading":
    """The options, as the pipeline takes them."""
    from penstock.pipeline.csv import Dialect  # noqa: PLC0415 - it needs Spark
    from penstock.pipeline.messages import Reading  # noqa: PLC0415

    return Reading(tuple(arguments.id), dict(arguments.type), Dialect(arguments.separator, arguments.null))


def find_messages(arguments: argparse.Namespace, *, is_stream: bool = False) -> Source:
    """The messages, before Spark is started."""
    source = Source.find(arguments.messages, arguments.format, is_stream=is_stream)
    if source.format == "filters":
        raise InputError(source.path, None, "holds filters, not messages")
    return source


def find_subscriptions(path: str, format: str | None) -> Source:  # noqa: A002
    """The subscriptions; a file of filters is often called .tsv."""
    source = Source.find(path, format)
    return Source(source.path, "filters", source.files, source.root) if source.format == "tsv" else source


def add_subscription_format(parser: argparse.ArgumentParser, name: str) -> None:
    """What the subscriptions are written in."""
    choices = [each for each in FORMATS if each != "tsv"]
    parser.add_argument(name, dest="subscription_format", choices=choices, help="default: by the file's name")


def _separator(text: str) -> str:
    character = "\t" if text == "\\t" else text
    if len(character) != 1 or character in '"\r\n':
        raise argparse.ArgumentTypeError(f"expected one character, or \\t for a tab, got {text!r}")
    return character


def _typed(text: str) -> tuple[str, str]:
    name, equals, type_ = text.rpartition("=")
    if not equals or not name or type_ not in TYPES:
        raise argparse.ArgumentTypeError(f"expected NAME=TYPE with one of {', '.join(TYPES)}, got {text!r}")
    return name, type_
