"""Files from outside, and their lines as text or as JSON objects, or a MessageError that says why not.

Messages are not read here: the core reads them.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from penstock.errors import InputError, MessageError

__all__ = ["decode", "open_input", "read_object"]

MARK = b"\xef\xbb\xbf"  # a byte order mark, which some editors put before UTF-8


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
        raise MessageError(None, 'expected a JSON object with "interface" and "filter"')
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, value in pairs:  # the standard reader would keep the last of two equal names
        if name in result:
            raise MessageError(name, "occurs twice")
        result[name] = value
    return result


# No number is wanted; as a float, one of a million digits takes no time and is no error of its own.
DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=float)
