"""Siena's notation, in which the papers write filters and messages: `[string dest = MXP; int price < 500]`.

Every constraint names its type. A message looks like a filter of equalities but is none: it has no canonical
form, a name occurs once, and the limits of filters do not apply. So it has a small reader of its own.
"""

import math
import re
from typing import NoReturn

from penstock._core import parse_siena as parse
from penstock._core import print_siena as format_predicate
from penstock.errors import FilterSyntaxError, MessageError

__all__ = ["format_predicate", "parse", "parse_message"]

Value = str | int | float | bool

# Each token with the blanks behind it.
OPEN = re.compile(r"[ \t-\r]*(\[)[ \t-\r]*")
CLOSE = re.compile(r"(\])[ \t-\r]*")
SEMICOLON = re.compile(r"(;)[ \t-\r]*")
EQUALS = re.compile(r"(=)(?![=!<>*])[ \t-\r]*")
WORD = re.compile(r'([^\x00- \x7F=!<>*;\[\]|"\\]+)[ \t-\r]*')
QUOTED = re.compile(r'("(?:[^"\\]|\\["\\])*")[ \t-\r]*')
BARE = re.compile(r'((?!")[^;\]|]*[^;\]| \t-\r])[ \t-\r]*')

INTEGER = re.compile(r"([+-]?)0*([0-9]{1,19})")
REAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.IGNORECASE)
INFINITY = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
NAN = re.compile(r"[+-]?nan", re.IGNORECASE)
WANTED = {
    "string": "text",
    "int": "a whole number of 64 bits",
    "float": "a number in the range of floats, or INFINITY",
    "bool": "true or false",
}


def parse_message(text: str) -> dict[str, Value]:
    """Read `[string carrier = UA; int price = 600; bool upgradeable = true]` as a message."""
    return _MessageReader(text).message()


class _MessageReader:
    """A place in the text: what is taken moves it on, what is refused names it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def message(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        if not self.take(OPEN):
            self.refuse("expected '['", "[] is the message without attributes")
        while not self.take(CLOSE):
            name, value = self.attribute()
            if name in found:
                raise MessageError(name, "occurs twice")
            found[name] = value
            if not self.take(SEMICOLON) and not self.text.startswith("]", self.at):
                self.refuse("expected ';' or ']'")
        if self.at < len(self.text):
            self.refuse("expected the end", "a message is one [...] and has no alternatives")
        return found

    def attribute(self) -> tuple[str, Value]:
        start, kind = self.at, self.take(WORD)
        if kind not in WANTED:
            self.refuse("expected a type: string, int, float or bool", at=start)
        name = self.take(WORD) or _unquoted(self.take(QUOTED))
        if not name:
            self.refuse("expected a name")
        if not self.take(EQUALS):
            self.refuse("expected '='", "a message states one value for each attribute")
        start, written = self.at, self.take(QUOTED) or self.take(BARE)
        if not written:
            self.refuse(
                "expected a value after '='", r'in quotes " is \" and \ is \\; "" is the empty string'
            )
        if kind == "float" and NAN.fullmatch(written):
            self.refuse("NaN cannot be written in a message", at=start)
        value = _value(kind, written)
        if value is None:
            self.refuse(f"{kind} needs {WANTED[kind]}", at=start)
        return name, value

    def take(self, token: re.Pattern[str]) -> str:
        found = token.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[1]

    def refuse(self, message: str, hint: str = "", at: int | None = None) -> NoReturn:
        raise FilterSyntaxError(message, hint=hint, text=self.text, at=self.at if at is None else at)


def _value(kind: str, written: str) -> Value | None:
    """The value in its type; None when it is none of that type."""
    if kind == "string":
        return _unquoted(written)
    if kind == "bool":
        return {"true": True, "false": False}.get(written)
    if kind == "int":
        digits = INTEGER.fullmatch(written)
        whole = int(digits[1] + digits[2]) if digits else 2**63
        return whole if -(2**63) <= whole < 2**63 else None
    if INFINITY.fullmatch(written):
        return float(written)
    real = float(written) if REAL.fullmatch(written) else math.inf
    return real if math.isfinite(real) else None


def _unquoted(word: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", word[1:-1]) if word.startswith('"') else word
