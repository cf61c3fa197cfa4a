"""Bytes from outside become lines, and lines become JSON objects, or a MessageError that says why not.

The standard JSON reader is more generous than a message can be: it takes NaN, turns 1e999 into infinity,
keeps the last of two equal keys, and reads integers of any size. All of that is refused here.
"""

import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from penstock.errors import InputError, MessageError

__all__ = ["decode", "open_input", "read_object"]

MARK = b"\xef\xbb\xbf"  # a byte order mark, which some editors put before UTF-8
INT64 = range(-(2**63), 2**63)


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """The file, or standard input for `-`."""
    if path == "-":
        if sys.stdin is None:
            raise InputError(path, None, "standard input is closed")
        yield sys.stdin.buffer
        return
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 (closed below)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else None
        raise InputError(path, None, (reason or str(error)).lower()) from None
    with stream:
        yield stream


def decode(line: bytes, number: int) -> str:
    """One line as text, without its line end."""
    if number == 1:
        if line.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise MessageError(None, "this looks like UTF-16; save the file as UTF-8")
        line = line.removeprefix(MARK)
    try:
        return line.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        culprit = f"byte 0x{line[error.start]:02x} at offset {error.start}"
        raise MessageError(None, f"not valid UTF-8: {culprit}") from None


def read_object(text: str) -> dict[str, Any]:
    """The JSON object on a line."""
    try:
        value = DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise MessageError(None, f"not valid JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise MessageError(None, "not usable JSON: nested too deeply") from None
    if not isinstance(value, dict):
        raise MessageError(None, 'expected a JSON object, such as {"price": 420}')
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, value in pairs:
        if name in result:
            raise MessageError(name, "occurs twice")
        if isinstance(value, float) and not math.isfinite(value):
            raise MessageError(name, "not a JSON number: NaN, Infinity, or too large for a 64-bit float")
        if isinstance(value, int) and value not in INT64:
            raise MessageError(name, "an integer outside 64 bits")
        result[name] = value
    return result


def _integer(digits: str) -> int:
    # The first 25 characters are enough to see that it is outside 64 bits; a million would take long.
    return int(digits[:25])


# The checks wait for the pair, where the attribute has a name. Lists have none: a message takes no lists.
DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer)
