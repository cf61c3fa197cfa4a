"""From the neutral form to penstock's filters."""

from collections.abc import Iterable, Sequence
from typing import Any

from penstock import Constraint, Filter, Operator

OPERATORS = {
    "=": Operator.EQ,
    "prefix": Operator.PREFIX,
    "<": Operator.LT,
    "<=": Operator.LE,
    ">": Operator.GT,
    ">=": Operator.GE,
}


def to_filter(subscription: Iterable[Sequence[Any]]) -> Filter:
    """The conjunction of all constraints."""
    return Filter(Constraint(name, OPERATORS[operator], value) for name, operator, value in subscription)
