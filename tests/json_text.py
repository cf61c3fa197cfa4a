"""JSON texts for the tests: the same message written in many ways, and a strict reader in plain Python.

`read_strictly` is what the native reader must agree with, on texts that it accepts as well as on those that
it refuses.
"""

import json
import math
from typing import Any

from hypothesis import strategies as st

from penstock.model import Message

INT64 = range(-(2**63), 2**63)
SHORT_ESCAPES = {
    '"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
}  # fmt: skip

blanks = st.sampled_from([""] * 6 + [" ", "\n", "\t\r ", " " * 70])
# Around the edges of both kinds of number, and of what is read fast and what slowly.
EDGE_NUMBERS = [
    "0", "-0", "0.0", "-0.0", "1", "1.0", "1e2", "1E+2", "-1e-2", "0.1e1", "1e00000000002",
    "9007199254740993", "9007199254740993.0", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
    "123456789012345678901234567890",
    "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "-1e309",
    "5e-324", "2e-324", "1e-400", "2.2250738585072011e-308", "0e999", "0e99999999999999999999",
    "1e-99999999999999999999", "1e99999999999999999999", "0.5000000000000000000000000000000000001",
]  # fmt: skip
number_texts = st.sampled_from(EDGE_NUMBERS) | st.from_regex(
    r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?", fullmatch=True
)


def read_strictly(text: bytes) -> dict[str, Any]:
    """The message in a text, or ValueError (MessageError and all errors of decoding are such, too)."""
    try:
        value = DECODER.decode(text.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    "".join(names).encode()  # a lone surrogate is a ValueError
    if len(set(names)) < len(names):
        raise ValueError("a name occurs twice")
    for _, value in pairs:
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError("NaN, Infinity, or too large")
        if isinstance(value, int) and value not in INT64:
            raise ValueError("outside 64 bits")
    return dict(pairs)


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=lambda digits: int(digits[:25]))


@st.composite
def renderings(draw: st.DrawFn, value: object) -> str:
    """A text that means the value, with blanks and escapes wherever they may be."""
    if isinstance(value, dict):
        members = [
            draw(blanks) + draw(renderings(name)) + draw(blanks) + ":" + draw(renderings(inner))
            for name, inner in value.items()
        ]
        text = "{" + (",".join(members) or draw(blanks)) + "}"
    elif isinstance(value, str):
        return '"' + "".join(draw(_escapes(character)) for character in value) + '"'
    else:
        text = json.dumps(value)
    return draw(blanks) + text + draw(blanks)


def _escapes(character: str) -> st.SearchStrategy[str]:
    units = character.encode("utf-16-be", errors="surrogatepass").hex()
    written = "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
    ways = [written, written.upper().replace("\\U", "\\u")]
    if character in SHORT_ESCAPES:
        ways = [SHORT_ESCAPES[character], *ways]
    if character not in '"\\' and character >= " ":
        ways = [character] * 6 + ways
    return st.sampled_from(ways)


def texts_of(messages: st.SearchStrategy[Message]) -> st.SearchStrategy[bytes]:
    """The messages as bytes."""
    return messages.flatmap(renderings).map(lambda text: text.encode(errors="surrogatepass"))
