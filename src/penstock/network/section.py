"""A table of a TOML file, read key by key: what is missing, wrong or unknown is said with its place."""

from collections.abc import Mapping
from datetime import date, datetime
from datetime import time as clock
from difflib import get_close_matches
from typing import Any, Final, TypeVar, cast

from penstock.errors import ScenarioError

__all__ = ["MISSING", "Section"]

T = TypeVar("T")

MISSING: Final[Any] = object()
MICROSECONDS: Final = 1_000_000
NAMES: Final[dict[type, str]] = {
    str: "a string", int: "a whole number", float: "a number", bool: "true or false", list: "a list",
    dict: "a table", datetime: "a time", date: "a date", clock: "a time",
}  # fmt: skip


class Section:
    """Takes keys out of a table; `close` then finds those that nobody asked for."""

    def __init__(self, table: Mapping[str, Any], place: str = "") -> None:
        self._table = table
        self._place = place
        self._asked: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def place(self, key: str) -> str:
        """Where a key is, as it is shown in errors."""
        return ".".join(filter(None, [self._place, key]))

    def fail(self, key: str, message: str) -> ScenarioError:
        """The error for a key, or for the table itself."""
        return ScenarioError(self.place(key), message)

    def get(self, key: str, kind: type[T], default: Any = MISSING) -> T:
        """The value of a key; an int will do for a float."""
        self._asked.append(key)
        if key not in self._table:
            if default is MISSING:
                raise self.fail(key, f"is missing; it must be {NAMES[kind]}")
            return cast("T", default)
        value = self._table[key]
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise self.fail(key, f"must be {NAMES[kind]}, not {NAMES[type(value)]}")
        return value

    def any(self, key: str) -> Any:
        """The value of a key, whatever it is."""
        if key not in self._table:
            raise self.fail(key, "is missing")
        return self.get(key, type(self._table[key]))

    def number(self, key: str, least: int, default: Any = MISSING) -> int:
        """A whole number, not below the least."""
        found = self.get(key, int, default)
        if found is not default and found < least:
            raise self.fail(key, f"must be at least {least}, not {found}")
        return found

    def seconds(self, key: str, default: Any = MISSING) -> int:
        """A time in seconds, as microseconds."""
        found = self.get(key, float, default)
        if found is default:
            return cast("int", found)
        if not 0 <= found <= 10**9:
            raise self.fail(key, f"is a time in seconds, from 0 on, not {found}")
        return round(found * MICROSECONDS)

    def section(self, key: str, default: Any = MISSING) -> "Section":
        """A table within the table."""
        return Section(self.get(key, dict, default), self.place(key))

    def sections(self, key: str) -> "list[Section]":
        """A list of tables; none if the key is missing."""
        found: list[Any] = self.get(key, list, [])
        for number, each in enumerate(found):
            if type(each) is not dict:
                raise self.fail(f"{key}[{number}]", f"must be a table, not {NAMES[type(each)]}")
        return [Section(each, f"{self.place(key)}[{number}]") for number, each in enumerate(found)]

    def one_of(self, *keys: str) -> str:
        """Which of these keys there is: exactly one."""
        found = [key for key in keys if key in self._table]
        if len(found) != 1:
            raise self.fail("", f"needs exactly one of {', '.join(keys)}")
        return found[0]

    def close(self) -> None:
        """Nothing may be left that nobody asked for."""
        for key in self._table:
            if key not in self._asked:
                near = get_close_matches(key, self._asked, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(sorted(self._asked))}"
                raise self.fail(key, f"is not known here; {hint}")
