"""A file of filters: `interface<TAB>filter` on each line, or one JSON object {"interface": …, "filter": …}.

Reading never stops at the first mistake: a file gives its good rows and all of its problems, as data.
Blank lines and lines that start with # are passed over in both forms.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from penstock.cli.intake import decode, open_input, read_object
from penstock.errors import FilterError, MessageError
from penstock.language import parse
from penstock.model import Predicate

__all__ = ["FilterFile", "Problem", "Row", "read_filters"]

JSON_SUFFIXES = {".json", ".jsonl", ".ndjson"}
MAX_NAME_BYTES = 65_536
# Quotes inside a string are escaped, so this is found at the key itself. Escapes in the text hide positions.
PLAIN_FILTER = re.compile(r'"filter"\s*:\s*"(?P<text>[^"\\]*)"')


@dataclass(frozen=True, slots=True)
class Row:
    """One subscription of the file."""

    line: int
    interface: str
    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Problem:
    """One line that cannot be used; `column` counts characters of the file's line, where that is known."""

    file: str
    line: int
    message: str
    column: int | None = None
    code: str = "input"
    filter: str | None = None
    hint: str = ""
    excerpt: str = ""

    def __str__(self) -> str:
        place = [self.file, str(self.line), *([] if self.column is None else [str(self.column)])]
        hint = f"  hint: {self.hint}" if self.hint else ""
        return "\n".join(filter(None, [f"{':'.join(place)}: {self.message}", self.excerpt, hint]))


@dataclass(frozen=True, slots=True)
class FilterFile:
    """What a file holds."""

    rows: list[Row]
    problems: list[Problem]

    @property
    def interfaces(self) -> int:
        """How many different ones the good rows name."""
        return len({row.interface for row in self.rows})


def read_filters(path: str) -> FilterFile:
    """Read and parse the whole file; InputError when it cannot be opened."""
    file = FilterFile([], [])
    for item in _read(path):
        if isinstance(item, Row):
            file.rows.append(item)
        else:
            file.problems.append(item)
    return file


def _read(path: str) -> Iterator[Row | Problem]:
    is_json = True if Path(path).suffix.lower() in JSON_SUFFIXES else None
    with open_input(path) as stream:
        for number, raw in enumerate(stream, 1):
            try:
                line = decode(raw, number)
                if not line.strip() or line.startswith("#"):
                    continue
                if is_json is None:  # the first line that says anything decides
                    is_json = line.lstrip().startswith("{")
                yield _row(path, number, line, is_json)
            except MessageError as error:
                yield Problem(path, number, str(error))


def _row(path: str, number: int, line: str, is_json: bool) -> Row | Problem:
    interface, text, start = _split_json(line) if is_json else _split_tab(line)
    if fault := _fault_of(interface):
        return Problem(path, number, f"the interface {fault}", column=None if is_json else 1)
    try:
        return Row(number, interface, parse(text))
    except FilterError as error:
        in_filter = 0 if error.at is None else error.at
        column = None if start is None else start + in_filter + 1
        return Problem(path, number, error.message, column, error.code, text, error.hint, error.excerpt)


def _fault_of(interface: str) -> str | None:
    """Why a table would refuse the name; None when it would not."""
    try:
        size = len(interface.encode())
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate)"
    if size > MAX_NAME_BYTES:
        return "is longer than 64 KiB as UTF-8"
    return None if size else "is empty"


def _split_tab(line: str) -> tuple[str, str, int | None]:
    """Interface, filter, and where in the line the filter starts."""
    interface, tab, text = line.partition("\t")
    if not tab:
        raise MessageError(None, "expected an interface, a tab and a filter, found no tab")
    return interface, text, len(interface) + 1


def _split_json(line: str) -> tuple[str, str, int | None]:
    found = read_object(line)
    for key in ("interface", "filter"):
        if not isinstance(found.get(key), str):
            raise MessageError(key, "needs a string" if key in found else "is missing")
    if unknown := found.keys() - {"interface", "filter"}:
        raise MessageError(min(unknown), 'unknown key; a line has "interface" and "filter"')
    place = PLAIN_FILTER.search(line)
    return found["interface"], found["filter"], None if place is None else place.start("text")
