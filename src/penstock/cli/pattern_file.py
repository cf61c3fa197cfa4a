"""A file of patterns: `destination<TAB>pattern` on each line.

As with filters, reading goes on after a mistake; blank lines and lines that start with # are passed over.
"""

from collections.abc import Callable
from dataclasses import dataclass

from penstock._core import canonical_topic
from penstock.cli.filter_file import Problem
from penstock.cli.intake import decode, open_input
from penstock.errors import FilterError, MessageError
from penstock.topics import TopicTable, from_mqtt, from_zenoh

__all__ = ["NOTATIONS", "PatternFile", "read_patterns"]

# How patterns may be written; NATS needs two subjects for one, which is not a line.
NOTATIONS: dict[str, Callable[[str], str]] = {
    "penstock": canonical_topic,
    "mqtt": from_mqtt,
    "zenoh": from_zenoh,
}


@dataclass(frozen=True, slots=True)
class PatternFile:
    """What a file holds: a table of its good lines, and the others."""

    table: TopicTable
    problems: list[Problem]


def read_patterns(path: str, table: TopicTable, notation: str) -> PatternFile:
    """Subscribe every line; InputError when the file cannot be opened."""
    file = PatternFile(table, [])
    with open_input(path) as stream:
        for number, raw in enumerate(stream, 1):
            try:
                line = decode(raw, number)
            except MessageError as error:
                file.problems.append(Problem(path, number, str(error)))
                continue
            if line.strip() and not line.startswith("#"):
                problem = _subscribe(path, number, line, table, notation)
                file.problems.extend([] if problem is None else [problem])
    return file


def _subscribe(path: str, number: int, line: str, table: TopicTable, notation: str) -> Problem | None:
    destination, tab, text = line.partition("\t")
    if not tab:
        return Problem(path, number, "expected a destination, a tab and a pattern, found no tab")
    if not destination:
        return Problem(path, number, "the destination is empty", column=1)
    try:
        table.subscribe(NOTATIONS[notation](text), destination)
    except FilterError as error:
        column = len(destination) + 2 + (error.at or 0)
        return Problem(path, number, error.message, column, error.code, text, error.hint, error.excerpt)
    except ValueError as error:  # a name that no table takes
        return Problem(path, number, str(error), column=1)
    return None
