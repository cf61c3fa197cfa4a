"""The obviously correct matcher: the definition of a match, written as plainly as Python allows.

No index, no state, no speed. Python compares int with float exactly and str by code point, as the
definition asks; every engine must give the same answer as this page.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from penstock.model import Constraint, Filter, Message, Operator, Predicate, Type

__all__ = ["matches"]

ACCEPTED_BY: dict[type, tuple[Type, ...]] = {
    bool: (Type.ANY, Type.BOOL),
    int: (Type.ANY, Type.NUMBER, Type.INT),
    float: (Type.ANY, Type.NUMBER, Type.FLOAT),
    str: (Type.ANY, Type.STRING),
}


def matches(condition: Predicate | Filter | Constraint, message: Message) -> bool:
    """Whether the message satisfies the condition."""
    if isinstance(condition, Predicate):
        return any(matches(each, message) for each in condition.filters)
    if isinstance(condition, Filter):
        return all(matches(each, message) for each in condition.constraints)
    return _holds(condition, dict(_flatten(message)))


def _flatten(message: Message, prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in message.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        elif value is not None:
            yield prefix + name, value


def _holds(constraint: Constraint, attributes: Mapping[str, object]) -> bool:
    if constraint.operator is Operator.NOT_EXISTS:
        return constraint.name not in attributes
    value = attributes.get(constraint.name)
    if constraint.type not in ACCEPTED_BY.get(type(value), ()):
        return False
    if constraint.operator is Operator.EXISTS:
        return True
    return value == value and _compare(value, constraint.operator, constraint.value)  # noqa: PLR0124 (NaN)


def _compare(value: Any, operator: Operator, operand: Any) -> bool:
    if operator.name.startswith("NOT_"):  # presence and type have been checked: plain negation
        return not _compare(value, Operator[operator.name.removeprefix("NOT_")], operand)
    answers: dict[Operator, Callable[[], bool]] = {
        Operator.EQ: lambda: value == operand,
        Operator.NE: lambda: value != operand,
        Operator.LT: lambda: value < operand,
        Operator.LE: lambda: value <= operand,
        Operator.GT: lambda: value > operand,
        Operator.GE: lambda: value >= operand,
        Operator.PREFIX: lambda: value.startswith(operand),
        Operator.SUFFIX: lambda: value.endswith(operand),
        Operator.SUBSTRING: lambda: operand in value,
        Operator.IN: lambda: value in operand,
        Operator.LIKE: lambda: _like(operand, value),
        Operator.TOPIC: lambda: _topic(operand, value),
    }
    return answers[operator]()


def _like(pattern: str, text: str) -> bool:
    regex = "".join({"%": ".*", "_": "."}.get(character, re.escape(character)) for character in pattern)
    return re.fullmatch(regex, text, re.DOTALL) is not None


def _topic(pattern: str, topic: str) -> bool:
    wanted, given = pattern.split("/"), topic.split("/")
    return len(given) >= len(wanted) and all(w in ("*", g) for w, g in zip(wanted, given, strict=False))
