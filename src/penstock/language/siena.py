"""Siena's notation, in which the papers write filters and messages: `[string dest = MXP; int price < 500]`.

Every constraint names its type. A message is written like a filter that asks for equality only,
so it is read by the same parser.
"""

from penstock._core import Limits, Operator, Type, print_siena
from penstock._core import parse_siena as parse
from penstock.errors import FilterSyntaxError, FilterTypeError, MessageError

__all__ = ["format_predicate", "parse", "parse_message"]

format_predicate = print_siena


def parse_message(text: str, limits: Limits = Limits()) -> dict[str, str | int | float | bool]:  # noqa: B008 (frozen)
    """Read `[string carrier = UA; int price = 600; bool upgradeable = true]` as a message."""
    filters = parse(text, limits).filters
    if len(filters) != 1:
        raise FilterSyntaxError("a message is one [...] and has no alternatives", text=text)
    message: dict[str, str | int | float | bool] = {}
    for constraint in filters[0]:
        if constraint.operator is not Operator.EQ or constraint.type is Type.NUMBER:
            raise FilterTypeError(
                f"a message states a typed value for each attribute, not {constraint}",
                hint="write string, int, float or bool, the name, =, the value",
                text=text,
            )
        if constraint.name in message:
            raise MessageError(constraint.name, "occurs twice")
        value = constraint.value
        assert isinstance(value, str | int | float)  # EQ has one scalar
        message[constraint.name] = value
    return message
