"""Topics and patterns over so few levels that they meet, what a match means, and every scheme to face it."""

from typing import get_args

import pytest
from hypothesis import strategies as st

from penstock.topics import Scheme, TopicTable

SCHEMES: tuple[Scheme, ...] = get_args(Scheme)

every_scheme = pytest.mark.parametrize("scheme", SCHEMES)

# Levels that look like wildcards, or like parts of an expression, and are none.
LEVELS = [
    "a",
    "b",
    "c",
    "ab",
    "**",
    "a*",
    ".*",
    "[^",
    "é",
    "two words",
    "a level of many bytes",
    "$",
    "+",
    "#",
]
levels = st.sampled_from(LEVELS[:3]) | st.sampled_from(LEVELS)


def joined(parts: tuple[str, list[str]]) -> str:
    """One text of a first level and the others."""
    return "/".join([parts[0], *parts[1]])


topics = st.tuples(levels, st.lists(levels, max_size=5)).map(joined)
patterns = st.tuples(levels, st.lists(levels | st.just("*"), max_size=5)).map(joined)
destinations = st.sampled_from(["alice", "bob", "carol", "", "名"])
rows = st.lists(st.tuples(patterns, destinations), max_size=12)


def takes(pattern: str, topic: str) -> bool:
    """The definition."""
    wanted, given = pattern.split("/"), topic.split("/")
    while wanted[-1] == "*":
        wanted.pop()
    return len(wanted) <= len(given) and all(want in ("*", is_) for want, is_ in zip(wanted, given))  # noqa: B905


def expected(held: list[tuple[str, str]], topic: str) -> list[str]:
    """The destinations, in order."""
    return sorted({destination for pattern, destination in held if takes(pattern, topic)})


def filled(scheme: Scheme, held: list[tuple[str, str]]) -> TopicTable:
    """A table with these subscriptions."""
    table = TopicTable(scheme)
    table.subscribe_many([pattern for pattern, _ in held], [destination for _, destination in held])
    return table
