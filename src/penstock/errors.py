"""What is wrong in filters, messages and files, as data; the sentence is composed in one place, `__str__`.

    PenstockError
    ├── FilterError (ValueError)                 a filter that cannot be read or makes no sense
    │   ├── FilterSyntaxError                    the text does not follow the grammar
    │   ├── FilterTypeError                      operator, type and value do not fit together
    │   ├── FilterLimitError                     too long, too deep, too many
    │   └── FilterUnsupportedError               left out of the language on purpose
    ├── MessageError (ValueError)                a message that no table can take
    ├── ArrowError (ValueError)                  Arrow data that is broken, or no table
    ├── TableFileError (ValueError)              a saved table that is damaged, foreign or too new
    ├── UnknownSubscriptionError (KeyError)      an id that is not, or no longer, subscribed
    ├── UnknownInterfaceError (KeyError)         a name or an id that no interface has
    ├── UnknownDestinationError (KeyError)       a name or an id that no destination has
    ├── CapacityError                            the table is full
    ├── SchemaError (ValueError)                 a DataFrame without the columns that are needed
    ├── InputError                               a file that the command line cannot use
    ├── StructureError (ValueError)              what a match structure cannot hold or express
    │   └── UniverseError                        disjoint categories without a finite set of messages
    ├── WireError (ValueError)                   bytes that are not what they should be, or too many
    ├── NetworkError                             what a router or a simulation is asked for and cannot do
    │   ├── TopologyError (ValueError)           routers and links that make no network
    │   └── ScenarioError (ValueError)           a scenario that cannot be played
    ├── ExperimentError (ValueError)             an experiment, its results or printed numbers at odds
    │   └── PointsError                          points of a sweep that could not be measured
    └── LedgerError                              a run whose counts do not add up

A call that is wrong in itself (an argument of the wrong type, an engine that does not exist, columns of
different length) gives Python's own TypeError or ValueError; a file that the system cannot read or write, its
OSError.

The constructor arguments are kept in `args` and the rest in the instance, so all of them survive pickling.
"""

import unicodedata
from collections.abc import Sequence
from typing import ClassVar

__all__ = [
    "ArrowError",
    "CapacityError",
    "ExperimentError",
    "FilterError",
    "FilterLimitError",
    "FilterSyntaxError",
    "FilterTypeError",
    "FilterUnsupportedError",
    "InputError",
    "LedgerError",
    "MessageError",
    "NetworkError",
    "PenstockError",
    "PointsError",
    "ScenarioError",
    "SchemaError",
    "StructureError",
    "TableFileError",
    "TopologyError",
    "UniverseError",
    "UnknownDestinationError",
    "UnknownInterfaceError",
    "UnknownSubscriptionError",
    "WireError",
]

WINDOW = 76  # characters of an offending line that are shown: a terminal's width, less the indent
INDENT = "  "


class PenstockError(Exception):
    """The root: catch this to catch everything that is wrong in filters, messages, ids and files."""


class FilterError(PenstockError, ValueError):
    """A filter that cannot be read or makes no sense; `at` is a character offset into `text`."""

    code: ClassVar[str] = "filter"

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        expected: str = "",
        text: str | None = None,
        at: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.expected = expected
        self.text = text
        self.at = at
        self.row: int | None = None  # set by the bulk calls: which of the filters it was

    @property
    def line(self) -> int | None:
        """The line of the text that is at fault, from 1."""
        return None if self.text is None or self.at is None else self.text.count("\n", 0, self.at) + 1

    @property
    def column(self) -> int | None:
        """The character within that line, from 1."""
        return None if self.text is None or self.at is None else self.at - _line_start(self.text, self.at) + 1

    @property
    def excerpt(self) -> str:
        """The offending line and a caret below the fault; empty when there is nothing to show."""
        if self.text is None or self.at is None or not self.text.strip():
            return ""
        start = _line_start(self.text, self.at)
        line, caret = _clip(self.text[start:].split("\n", 1)[0], self.at - start)
        shown = "".join(map(_printable, line))
        return f"{INDENT}{shown}\n{INDENT}{' ' * sum(map(_width, shown[:caret]))}^"

    def __str__(self) -> str:
        place = [] if self.row is None else [f"row {self.row}"]
        if self.text is not None and "\n" in self.text and self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        head = f"{', '.join(place)}: {self.message}" if place else self.message
        return "\n".join(filter(None, [head, self.excerpt, self.hint and f"hint: {self.hint}"]))


class FilterSyntaxError(FilterError):
    """The text does not follow the grammar."""

    code = "syntax"


class FilterTypeError(FilterError):
    """Operator, type and value do not fit together."""

    code = "type"


class FilterLimitError(FilterError):
    """Too long, too deep, too many."""

    code = "limit"


class FilterUnsupportedError(FilterError):
    """Something that the language leaves out on purpose."""

    code = "unsupported"


class MessageError(PenstockError, ValueError):
    """A message that no table can take; `attribute` names the culprit, where there is one."""

    def __init__(self, attribute: str | None, message: str) -> None:
        super().__init__(attribute, message)
        self.attribute = attribute
        self.message = message
        self.row: int | None = None  # set by the calls that take a batch: which of the messages it was

    def __str__(self) -> str:
        place = [] if self.row is None else [f"row {self.row}"]
        if self.attribute is not None:
            place.append(f"attribute {_quote(self.attribute)}")
        return f"{', '.join(place)}: {self.message}" if place else self.message


class ArrowError(PenstockError, ValueError):
    """A producer of Arrow data failed, or handed over what is broken, or no table."""


class TableFileError(PenstockError, ValueError):
    """A file that is no saved table, is damaged, or was written in another version of the format."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class UnknownSubscriptionError(PenstockError, KeyError):
    """An id that is not, or no longer, subscribed."""

    def __init__(self, id: int) -> None:  # noqa: A002  (it is called that everywhere else)
        super().__init__(id)
        self.id = id

    def __str__(self) -> str:  # KeyError would print the bare key
        return f"no subscription has the id {self.id}"


class UnknownInterfaceError(PenstockError, KeyError):
    """A name or an id that no interface has."""

    def __init__(self, name_or_id: str | int) -> None:
        super().__init__(name_or_id)
        self.name_or_id = name_or_id

    def __str__(self) -> str:
        if isinstance(self.name_or_id, str):
            return f"no interface is named {_quote(self.name_or_id)}"
        return f"no interface has the id {self.name_or_id}"


class UnknownDestinationError(PenstockError, KeyError):
    """A name or an id that no destination of a table of topics has."""

    def __init__(self, name_or_id: str | int) -> None:
        super().__init__(name_or_id)
        self.name_or_id = name_or_id

    def __str__(self) -> str:
        if isinstance(self.name_or_id, str):
            return f"no destination is named {_quote(self.name_or_id)}"
        return f"no destination has the id {self.name_or_id}"


class CapacityError(PenstockError):
    """The table is full: an id or an arena would not fit its 32 bits."""


class SchemaError(PenstockError, ValueError):
    """A DataFrame whose columns are not those that the call needs; `column` names the first at fault."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(column, message)
        self.column = column
        self.message = message

    def __str__(self) -> str:
        return f"column {_quote(self.column)}: {self.message}"


class InputError(PenstockError):
    """A file that the command line cannot use; `line` is None when the whole file is at fault."""

    def __init__(self, path: str, line: int | None, message: str) -> None:
        super().__init__(path, line, message)
        self.path = path
        self.line = line
        self.message = message

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.message}"


class StructureError(PenstockError, ValueError):
    """What a match structure cannot hold or express; `hint` says what can be done instead."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class UniverseError(StructureError):
    """Disjoint categories need every message that there can be, and this application cannot list them."""


class WireError(PenstockError, ValueError):
    """Bytes that are not what they should be, or a value with no room in them; `at` is an offset in bytes."""

    def __init__(self, message: str, at: int | None = None) -> None:
        super().__init__(message, at)
        self.message = message
        self.at = at

    def __str__(self) -> str:
        return self.message if self.at is None else f"byte {self.at}: {self.message}"


class NetworkError(PenstockError):
    """A router or a simulation was asked for something that it cannot do."""


class _PlacedError(PenstockError, ValueError):
    """What is wrong, and where, if that can be said."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message, place)
        self.message = message
        self.place = place

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class TopologyError(_PlacedError, NetworkError):
    """Routers and links that make no network; `place` says where, such as `line 3` of a file."""


class ScenarioError(NetworkError, ValueError):
    """A scenario that cannot be played; `place` is the path of keys to what is at fault."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(place, message)
        self.place = place
        self.message = message

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class ExperimentError(_PlacedError):
    """An experiment, its results or the numbers printed for it are at odds; `place` says where."""


class PointsError(ExperimentError):
    """Points of a sweep that could not be measured; `failures` are pairs of a point and what went wrong."""

    def __init__(self, failures: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{point}: {why}" for point, why in failures))
        self.args = (tuple(failures),)
        self.failures = tuple(failures)

    def __str__(self) -> str:
        count = len(self.failures)
        return f"{count} {'point' if count == 1 else 'points'} failed: {self.message}"


class LedgerError(PenstockError):
    """A run whose counts do not add up: rows were lost, doubled, or changed while they were read."""

    def __init__(self, discrepancies: Sequence[str]) -> None:
        super().__init__(tuple(discrepancies))
        self.discrepancies = tuple(discrepancies)

    def __str__(self) -> str:
        return f"the counts do not add up: {'; '.join(self.discrepancies)}"


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _clip(line: str, caret: int) -> tuple[str, int]:
    """A window of the line around the caret, and where the caret falls in it."""
    if len(line) <= WINDOW:
        return line, caret
    start = max(0, min(caret - WINDOW // 2, len(line) - WINDOW))
    left = "…" if start else ""
    right = "…" if start + WINDOW < len(line) else ""
    return left + line[start : start + WINDOW] + right, caret - start + len(left)


def _printable(character: str) -> str:
    """One character to show for one of the text: nothing that moves the cursor or hides the caret."""
    if character == "\t":
        return " "
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(character).startswith("C") else character


def _width(character: str) -> int:
    """Terminal cells: two for a wide character, none for one that combines with its neighbour."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _quote(name: str) -> str:
    return repr(name if len(name) <= WINDOW else name[:WINDOW] + "…")
