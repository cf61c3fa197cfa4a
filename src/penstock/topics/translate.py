"""Patterns in the notations of MQTT, NATS and Zenoh, and back: exactly, or not at all.

Ours always mean everything below as well, theirs only where they say so:

    ours        MQTT         NATS                   Zenoh
    A/*/C       A/+/C/#      A.*.C and A.*.C.>      A/*/C/**

Whatever has no exact equivalent is refused with the reason: a FilterUnsupportedError, or a FilterSyntaxError
for what the other notation does not allow itself. Two patterns are equivalent when they take the same of all
topics that both sides can have.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from penstock._core import canonical_topic
from penstock.errors import FilterSyntaxError, FilterUnsupportedError

__all__ = ["from_mqtt", "from_nats", "from_zenoh", "to_mqtt", "to_nats", "to_zenoh"]

MQTT_BYTES = 65_535  # the length of a string is sent in 16 bits
WILDCARD = "*"


def to_mqtt(pattern: str) -> str:
    """Write a pattern as an MQTT topic filter: `A/*/C` is `A/+/C/#`."""
    levels = _levels(pattern, "+#", "MQTT")
    if levels[0] == "$share":
        _refuse(pattern, 0, "MQTT takes '$share' for a shared subscription")
    filter_ = "/".join([*("+" if level == WILDCARD else level for level in levels), "#"])
    if len(filter_.encode()) > MQTT_BYTES:
        _refuse(pattern, 0, f"MQTT has no filters of more than {MQTT_BYTES:,} bytes")
    return filter_


def from_mqtt(filter: str) -> str:  # noqa: A002
    """Read an MQTT topic filter: `A/+/C/#` is `A/*/C`."""
    levels = [*_split(filter, "/")]
    if not filter:
        _malformed(filter, 0, "MQTT has no empty filters")
    for number, level in enumerate(levels, 1):
        if level.text == "#" and number < len(levels):
            _malformed(filter, level.at, "in MQTT, '#' can only be the last level")
        for sign in "+#":
            if sign in level.text and level.text != sign:
                _malformed(filter, level.at, f"in MQTT, {sign!r} takes a level of its own")
        if level.text == WILDCARD:
            _refuse(filter, level.at, "'*' is a level like any other in MQTT, and a wildcard here")
    if levels[0].text == "$share":
        _refuse(filter, 0, "this is a shared subscription", "translate what comes after its group")
    if levels[-1].text != "#":
        _refuse_exact(filter, _head(filter, "/", "+") + "/#")
    return _pattern(filter, [level.replaced("+", WILDCARD) for level in levels[:-1]])


def to_nats(pattern: str) -> tuple[str, str]:
    """Write a pattern as two NATS subjects: `A/*/C` is `A.*.C` and, for what lies below, `A.*.C.>`."""
    levels = _levels(pattern, ".*>", "NATS")
    at = 0
    for level in levels:
        if any(map(str.isspace, level)):
            _refuse(pattern, at, f"NATS has no spaces in subjects: {level!r}")
        at += len(level) + 1
    subject = ".".join(levels)
    return subject, f"{subject}.>"


def from_nats(*subjects: str) -> str:
    """Read two NATS subjects that make one pattern: `A.*.C` and `A.*.C.>` are `A/*/C`."""
    if not subjects:
        raise TypeError("from_nats needs a subject, and the same with '.>'")
    for subject in subjects:
        _check_subject(subject)
    exact = min(subjects, key=len)
    if exact == ">":
        _refuse_everything(exact)
    if exact.endswith(".>"):
        head = exact.removesuffix(".>")
        _refuse(
            exact, 0, f"wants what lies below {head!r}, but not that itself", f"give both: {head}, {exact}"
        )
    if set(subjects) == {exact}:
        head = _head(exact, ".", "*")
        _refuse_exact(exact, f"both: {head}, {head}.>")
    for subject in subjects:
        if subject not in (exact, f"{exact}.>"):
            _refuse(subject, 0, f"makes no pattern together with {exact}", f"give {exact} and {exact}.>")
    return _pattern(exact, [*_split(exact, ".")])


def to_zenoh(pattern: str) -> str:
    """Write a pattern as a Zenoh key expression: `A/*/C` is `A/*/C/**`.

    Zenoh's wildcards pass over levels that start with `@`.
    """
    return "/".join([*_levels(pattern, "*$?#", "Zenoh"), "**"])


def from_zenoh(expression: str) -> str:
    """Read a Zenoh key expression: `A/*/C/**` is `A/*/C`."""
    levels = [*_split(expression, "/")]
    for level in levels:
        if "$*" in level.text:
            _refuse(expression, level.at, "a wildcard here is a whole level, not a part of one")
        if not level.text:
            _malformed(expression, level.at, "Zenoh has no empty levels")
        if level.text not in ("*", "**") and (signs := set(level.text) & set("*$?#")):
            _malformed(expression, level.at, f"Zenoh has no {min(signs)!r} in a level")
    # The order of wildcards that stand together makes no difference.
    end = len(levels)
    while levels[end - 1].text in ("*", "**") and end > 1:
        end -= 1
    head, tail = levels[:end], [level.text for level in levels[end:]]
    for level in head:
        if level.text == "**":
            if level is levels[0]:
                _refuse_everything(expression)
            _refuse(expression, level.at, "'**' can only come last: a pattern has no gap of any length",
                    "subscribe to a pattern for each number of levels in between")  # fmt: skip
    if "**" not in tail:
        _refuse_exact(expression, _head(expression, "/", "*") + "/**")
    if "*" in tail:
        head = levels[: end + 1]
    return _pattern(expression, [level.replaced("**", WILDCARD) for level in head])


@dataclass(frozen=True, slots=True)
class _Level:
    """A level of a foreign filter, and where it starts."""

    text: str
    at: int

    def replaced(self, sign: str, by: str) -> "_Level":
        return _Level(by, self.at) if self.text == sign else self


def _split(text: str, separator: str) -> Iterator[_Level]:
    if not isinstance(text, str):
        raise TypeError(f"a filter is a str, not {type(text).__name__}")
    at = 0
    for level in text.split(separator):
        yield _Level(level, at)
        at += len(level) + 1


def _levels(pattern: str, signs: str, notation: str) -> list[str]:
    """The levels of a pattern of ours, if the other side can write them."""
    levels = canonical_topic(pattern).split("/")
    at = 0
    for level in levels:
        if level != WILDCARD and (found := set(level) & set(signs)):
            _refuse(pattern, at, f"{notation} has no {min(found)!r} in a level: {level!r}")
        at += len(level) + 1
    return levels


def _pattern(text: str, levels: list[_Level]) -> str:
    """Ours, of levels that are, with everything below, what the text wants."""
    if not levels or levels[0].text == WILDCARD:
        _refuse_everything(text)
    if levels[-1].text == WILDCARD:
        kept = [level.text for level in levels]
        while kept[-1] == WILDCARD:
            kept.pop()
        head = "/".join(kept)
        _refuse(text, levels[-1].at, f"wants what lies below {head!r}, but not that itself",
                f"the pattern {head!r} is both")  # fmt: skip
    for level in levels:
        if "/" in level.text:
            _refuse(text, level.at, f"'/' separates levels here: {level.text!r}")
        if not level.text:
            _refuse(text, level.at, "a topic has no empty levels")
    return canonical_topic("/".join(level.text for level in levels))


def _check_subject(subject: str) -> None:
    for token in _split(subject, "."):
        if not token.text:
            _malformed(subject, token.at, "NATS has no empty tokens")
        if any(map(str.isspace, token.text)):
            _malformed(subject, token.at, "NATS has no spaces in subjects")
        if token.text == ">" and token.at + 1 < len(subject):
            _malformed(subject, token.at, "in NATS, '>' can only be the last token")
        for sign in "*>":
            if sign in token.text and token.text != sign:
                _malformed(subject, token.at, f"in NATS, {sign!r} takes a token of its own")


def _refuse(text: str, at: int, why: str, hint: str = "") -> NoReturn:
    raise FilterUnsupportedError(why, text=text, at=at, hint=hint)


def _refuse_everything(text: str) -> NoReturn:
    _refuse(text, 0, "the first level cannot be a wildcard", "start with the name of a stream")


def _refuse_exact(text: str, instead: str) -> NoReturn:
    _refuse(text, 0, "wants this level alone; a pattern means all below it as well", f"write {instead}")


def _head(text: str, separator: str, wildcard: str) -> str:
    """What comes before the last wildcards: the nearest that has an equivalent starts with it."""
    levels = text.split(separator)
    if levels[0] == wildcard:
        _refuse_everything(text)
    while levels[-1] == wildcard:
        levels.pop()
    return separator.join(levels)


def _malformed(text: str, at: int, why: str) -> NoReturn:
    raise FilterSyntaxError(why, text=text, at=at)
