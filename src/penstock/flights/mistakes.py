"""What goes wrong at a keyboard: good filters, broken as people break them.

The main job types some of its subscriptions this way, and says so, so that there is something to reject.
Whatever comes out of `mistype` is refused by the parser.
"""

import re
from collections.abc import Callable
from random import Random

from penstock.errors import FilterError
from penstock.language import parse

__all__ = ["mistype"]


def _unclosed(text: str) -> str:
    """A quote is forgotten."""
    place = text.rfind("'")
    return text[:place] + text[place + 1 :]


def _unquoted(text: str) -> str:
    """A string is written like a name."""
    return re.sub(r"= '(\w+)'", r"= \1", text, count=1)


def _cut(text: str) -> str:
    """The last value is missing."""
    return re.sub(r"\s*\S+$", "", text)


def _doubled(text: str) -> str:
    """A word is typed twice."""
    return text.replace(" AND ", " AND AND ", 1)


def _unbalanced(text: str) -> str:
    """A parenthesis is opened and never closed."""
    return f"({text}"


def _swapped(text: str) -> str:
    """The two characters of an operator change places."""
    return re.sub(r">=|<=|!=", lambda found: found[0][::-1], text)


def _comma(text: str) -> str:
    """A comma stands for AND."""
    return text.replace(" AND ", ", ", 1)


def _abbreviated(text: str) -> str:
    """A keyword from another language."""
    return (
        text.replace(" STARTS WITH ", " STARTSWITH ")
        .replace(" BETWEEN ", " WITHIN ")
        .replace(" IN (", " OF (")
    )


def _untyped(text: str) -> str:
    """An operator that the value does not have."""
    return re.sub(r"= '(\w+)'", r"STARTS WITH 5", text, count=1)


MISTAKES: tuple[Callable[[str], str], ...] = (
    _unclosed, _unquoted, _cut, _doubled, _unbalanced, _swapped, _comma, _abbreviated, _untyped,
)  # fmt: skip


def mistype(draw: Random, text: str) -> str:
    """The filter with one mistake in it that the parser finds."""
    for mistake in draw.sample(MISTAKES, len(MISTAKES)):
        broken = mistake(text)
        if not _is_good(broken):
            return broken
    raise AssertionError(text)  # an open parenthesis is never good


def _is_good(text: str) -> bool:
    try:
        parse(text)
    except FilterError:
        return False
    return True
