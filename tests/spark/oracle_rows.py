"""Typed rows for the tests on Spark, drawn close to the filters, and what the oracle says of them."""

import struct
from typing import Any

from hypothesis import strategies as st

from json_text import read_strictly
from penstock import ForwardingTable
from penstock.model import Message, Predicate
from penstock.oracle import matches
from strategies import Value, constraints_of, neighbours, values

Wanted = list[tuple[str, Predicate]]

# One type for each name that filters are drawn with, but `A`, which to Parquet in Spark is `a`.
TYPES = {
    "a": "string", "b": "bigint", "price": "double", "détail": "boolean", "名": "string", "and": "int",
    "two words": "float", "tick`ed": "smallint",
}  # fmt: skip
SCHEMA = (
    "id bigint, "
    + ", ".join(f"`{name.replace('`', '``')}` {type_}" for name, type_ in TYPES.items())
    + ", detail struct<state: string, n: tinyint>"
)
BOUNDS = {"bigint": 63, "int": 31, "smallint": 15}


def fits(value: object, type_: str) -> bool:
    """Whether a column of the type can hold the value."""
    if type_ in BOUNDS:
        return type(value) is int and -(2 ** BOUNDS[type_]) <= value < 2 ** BOUNDS[type_]
    if type_ == "float":
        return type(value) is float and (value != value or abs(value) < 3e38 or abs(value) == float("inf"))  # noqa: PLR0124
    return type(value) is {"string": str, "double": float, "boolean": bool}[type_]


@st.composite
def typed_messages(draw: st.DrawFn, wanted: Wanted) -> dict[str, Any]:
    """A message with a value of the right type, or none, under each name."""
    near: dict[str, list[Value]] = {}
    for constraint in (each for _, predicate in wanted for each in constraints_of(predicate)):
        operands: Any = constraint.value if isinstance(constraint.value, tuple) else (constraint.value,)
        near.setdefault(constraint.name, []).extend(
            value for operand in operands if operand is not None for value in neighbours(operand)
        )

    def value(name: str, type_: str) -> Any:
        candidates = [each for each in near.get(name, []) if fits(each, type_)]
        anything = values.filter(lambda each: fits(each, type_))
        found = draw(st.none() | (st.sampled_from(candidates) if candidates else anything) | anything)
        return (
            struct.unpack("f", struct.pack("f", found))[0]
            if type_ == "float" and found is not None
            else found
        )

    message = {name: value(name, type_) for name, type_ in TYPES.items()}
    message["detail"] = draw(st.none() | st.just({"state": value("detail.state", "string"), "n": 1}))
    return message


def row(id_: int, message: dict[str, Any]) -> tuple[Any, ...]:
    """The message as a row of the schema."""
    detail = message["detail"]
    nested = None if detail is None else (detail["state"], detail["n"])
    return id_, *[message[name] for name in TYPES], nested


def interfaces_of(wanted: Wanted, message: Message) -> list[str]:
    """Who gets the message, by the definition of a match."""
    return sorted({interface for interface, predicate in wanted if matches(predicate, message)})


def read(text: bytes | None) -> Message:
    """The message in a JSON text, or ValueError."""
    message = read_strictly(b"" if text is None else text)
    ForwardingTable().match(message)  # refuses what no table takes
    return message


def texts(wanted: Wanted) -> list[tuple[str, str]]:
    """The subscriptions as rows."""
    return [(interface, str(predicate)) for interface, predicate in wanted]
