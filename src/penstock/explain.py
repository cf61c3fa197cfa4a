"""Why an interface wants a message, or does not: verdicts on its filters and their constraints, as data.

`explain` asks the core, which judges every filter and gives back the best few: matches, then near misses.
`str(explanation)` is for people, `to_dict()` for JSON.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from penstock._core import Reason, Table
from penstock.errors import UnknownInterfaceError
from penstock.model import Constraint, Filter, Operator, Type

__all__ = ["ConstraintVerdict", "Explanation", "FilterVerdict", "Reason", "explain"]

Value: TypeAlias = str | int | float | bool

TYPES: dict[type, Type] = {bool: Type.BOOL, int: Type.INT, float: Type.FLOAT, str: Type.STRING}
ARTICLES = {Type.STRING: "a string", Type.NUMBER: "a number", Type.INT: "an int", Type.FLOAT: "a float",
            Type.BOOL: "a bool"}  # fmt: skip

# What fits on a line, and what a reader takes in.
MAX_CONSTRAINT, MAX_VALUE = 60, 40
MAX_CONSTRAINTS, MAX_SUBSCRIPTIONS = 12, 5


@dataclass(frozen=True, slots=True)
class ConstraintVerdict:
    """One constraint of a filter, and whether the message satisfies it."""

    constraint: Constraint
    reason: Reason
    value: Value | None  #: what the message holds under that name; None when it has no such attribute

    @property
    def holds(self) -> bool:
        """Whether the message satisfies the constraint."""
        return self.reason is Reason.HOLDS

    @property
    def type(self) -> Type | None:
        """The type of the value that was found."""
        return None if self.value is None else TYPES[type(self.value)]

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has no NaN and no infinities: these are spelled out as strings."""
        value = self.value
        if isinstance(value, float) and not math.isfinite(value):
            value = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return {
            "constraint": str(self.constraint),
            "holds": self.holds,
            "reason": self.reason.name.lower(),
            "value": value,
            "type": None if self.type is None else self.type.name.lower(),
        }

    @property
    def finding(self) -> str:
        """What was found instead: `price is 612`; empty when the constraint holds."""
        if self.reason is Reason.HOLDS:
            return ""
        # The core knows which names need quotes.
        name = _shown(str(Constraint(self.constraint.name, Operator.EXISTS)).removeprefix("EXISTS "))
        if self.value is None or self.type is None:
            return f"{name} is absent"
        value = _shown(_spell(self.value))
        if self.reason is Reason.PRESENT:
            return f"{name} is present: {value}"
        if self.reason is Reason.TYPE:
            wanted = ARTICLES[self.constraint.type]
            return f"{name} is the {self.type.name.lower()} {value}, not {wanted}"
        return f"{name} is {value}"


@dataclass(frozen=True, slots=True)
class FilterVerdict:
    """One filter of an interface, the subscriptions that brought it, and a verdict on each constraint."""

    subscriptions: tuple[int, ...]
    filter: Filter
    constraints: tuple[ConstraintVerdict, ...]  #: in the order of the filter's own

    @property
    def matched(self) -> bool:
        """Whether all constraints hold."""
        return all(verdict.holds for verdict in self.constraints)

    @property
    def failures(self) -> tuple[ConstraintVerdict, ...]:
        """The constraints that do not hold."""
        return tuple(verdict for verdict in self.constraints if not verdict.holds)

    @property
    def first_failure(self) -> ConstraintVerdict | None:
        """The first constraint that does not hold; None when the filter matched."""
        return next((verdict for verdict in self.constraints if not verdict.holds), None)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "subscriptions": list(self.subscriptions),
            "filter": str(self.filter),
            "matched": self.matched,
            "constraints": [verdict.to_dict() for verdict in self.constraints],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of one message at one interface."""

    interface: str
    matching: int  #: how many of the interface's distinct filters matched
    total: int  #: how many it has
    filters: tuple[FilterVerdict, ...]  #: matches, then near misses with the fewest failures; ties as sorted

    @property
    def matched(self) -> bool:
        """Whether the interface wants the message: whether any filter matched."""
        return self.matching > 0

    @property
    def omitted(self) -> int:
        """How many filters were judged but not kept."""
        return self.total - len(self.filters)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "interface": self.interface,
            "matched": self.matched,
            "matching": self.matching,
            "total": self.total,
            "filters": [verdict.to_dict() for verdict in self.filters],
        }

    def describe(self, subscription: str = "subscription") -> str:
        """The text for people, with another word for the subscriptions if they are known by another."""
        lines = [f"{_mark(self.matched)} {_shown(self.interface)}: {self._summary()}"]
        for verdict in self.filters:
            lines += ["", *_filter_lines(verdict, subscription)]
        if self.omitted:
            lines += ["", f"… and {_counted(self.omitted, 'more filter')}"]
        return "\n".join(lines)

    def _summary(self) -> str:
        if self.total == 0:
            return "no filters; FALSE wants no message"
        return f"{self.matching:,} of {_counted(self.total, 'filter')} matched"

    def __str__(self) -> str:
        return self.describe()


def explain(table: Table, message: Mapping[str, Any], interface: str, limit: int | None) -> Explanation:
    """Judge all filters of the interface and keep the best `limit`, or all of them for None."""
    if limit is not None and limit < 0:
        raise ValueError(f"limit must be 0 or more, or None for no limit, not {limit}")
    found = table._explain(message, interface, sys.maxsize if limit is None else min(limit, sys.maxsize))
    if found is None:
        raise UnknownInterfaceError(interface)
    matching, total, filters = found
    return Explanation(
        interface,
        matching,
        total,
        tuple(
            FilterVerdict(ids, filter_, tuple(ConstraintVerdict(*each) for each in constraints))
            for ids, filter_, constraints in filters
        ),
    )


def _filter_lines(verdict: FilterVerdict, subscription: str) -> Iterator[str]:
    yield f"{_mark(verdict.matched)} {_subscriptions(verdict.subscriptions, subscription)}"
    if not verdict.constraints:
        yield f"  {_mark(True)} {verdict.filter}"
    shown = verdict.constraints
    if len(shown) > MAX_CONSTRAINTS:  # what failed matters most
        shown = tuple(sorted(shown, key=lambda each: each.holds))[:MAX_CONSTRAINTS]
    texts = [_shown(str(each.constraint), MAX_CONSTRAINT) for each in shown]
    width = max((len(text) for text, each in zip(texts, shown, strict=True) if not each.holds), default=0)
    for text, each in zip(texts, shown, strict=True):
        yield f"  {_mark(each.holds)} {text:{width}}    {each.finding}".rstrip()
    if len(shown) < len(verdict.constraints):
        yield f"  … and {_counted(len(verdict.constraints) - len(shown), 'more constraint')}"


def _subscriptions(ids: tuple[int, ...], word: str) -> str:
    shown = ", ".join(map(str, ids[:MAX_SUBSCRIPTIONS]))
    more = f" and {len(ids) - MAX_SUBSCRIPTIONS:,} more" if len(ids) > MAX_SUBSCRIPTIONS else ""
    return f"{word if len(ids) == 1 else word + 's'} {shown}{more}"


def _spell(value: Value) -> str:
    """As the text language writes it, but floats always with their point, and NaN, which it has not."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"
    return str(value).lower()


def _shown(text: str, width: int = MAX_VALUE) -> str:
    """On one line, cut where it is long, without characters that could play tricks on a terminal."""
    clipped = text if len(text) <= width else text[: width - 1] + "…"
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in clipped)


def _mark(good: bool) -> str:
    return "✓" if good else "✗"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
