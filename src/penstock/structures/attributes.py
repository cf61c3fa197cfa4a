"""A message on the wire: flat, its names in order, each value with its type."""

import struct
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from penstock.errors import WireError
from penstock.model import Message
from penstock.structures.wire import Reader, write_number, write_text
from penstock.table import ForwardingTable

__all__ = ["MAX_ATTRIBUTES", "Attributes", "flatten", "read_attributes", "write_attributes"]

Value: TypeAlias = str | int | float | bool
Attributes: TypeAlias = Mapping[str, Value]

MAX_ATTRIBUTES = 4096
MIN_INT, MAX_INT = -(2**63), 2**63 - 1
FALSE, TRUE, TEXT, FLOAT, POSITIVE, NEGATIVE = range(6)  # what follows; -1 is the negative 0

NO_TABLE = ForwardingTable()  # nothing matches it, but it checks messages as every table does


def flatten(message: Message) -> dict[str, Value]:
    """The message with dotted names and without what is absent; MessageError for what no table can take."""
    NO_TABLE.match_ids(message)
    return dict(_leaves(message, ""))


def _leaves(message: Message, prefix: str) -> Iterator[tuple[str, Value]]:
    for name, value in message.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{name}.")
        elif value is not None:
            yield prefix + name, value


def write_attributes(attributes: Attributes) -> bytes:
    """The count, then name, type and value of each."""
    if len(attributes) > MAX_ATTRIBUTES:
        raise WireError(f"{len(attributes):,} attributes are over the limit of {MAX_ATTRIBUTES:,}")
    out = bytearray()
    write_number(out, len(attributes))
    for name in sorted(attributes):  # by code point, which is the order of UTF-8
        write_text(out, name)
        _write_value(out, attributes[name])
    return bytes(out)


def _write_value(out: bytearray, value: Value) -> None:
    match value:
        case bool():
            out.append(TRUE if value else FALSE)
        case str():
            out.append(TEXT)
            write_text(out, value)
        case float():
            out.append(FLOAT)
            out += struct.pack("<d", value)
        case int() if MIN_INT <= value <= MAX_INT:
            out.append(NEGATIVE if value < 0 else POSITIVE)
            write_number(out, ~value if value < 0 else value)
        case _:
            raise WireError(f"{value!r:.100} is no value of an attribute")


def read_attributes(data: bytes) -> dict[str, Value]:
    """What write_attributes wrote."""
    reader = Reader(data)
    attributes: dict[str, Value] = {}
    last = None
    for _ in range(reader.number(MAX_ATTRIBUTES, "count of attributes")):
        at, name = reader.at, reader.text()
        if last is not None and name <= last:
            raise WireError("names of attributes must rise", at)
        attributes[name] = _read_value(reader)
        last = name
    reader.end()
    return attributes


def _read_value(reader: Reader) -> Value:
    at = reader.at
    match reader.byte():
        case 0:
            return False
        case 1:
            return True
        case 2:
            return reader.text()
        case 3:
            value: float = struct.unpack("<d", reader.take(8))[0]
            return value
        case 4:
            return reader.number()
        case 5:
            return ~reader.number()
    raise WireError("no such type of value", at)
