"""Thousands of filters that ask for the same value first, and for all kinds of things besides."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from penstock import ForwardingTable, parse
from penstock.oracle import matches

FILTERS = 4_000  # more than the engine sorts at once
SECOND: list[Callable[[Random], str]] = [
    lambda random: f"a >= {random.randrange(100)}",
    lambda random: f"a < {random.randrange(100)} AND b > {random.randrange(100)}",
    lambda random: f"a >= {random.randrange(90, 94)} AND b < {random.randrange(100)}",
    lambda random: f"EXISTS a AND b < {random.randrange(100)} AND s >= '{random.choice('abc')}'",
    lambda random: f"a = {random.randrange(100)}",
    lambda random: f"a != {random.randrange(100)}",
    lambda random: f"a != {random.randrange(100)} AND b != {random.randrange(100)}",
    lambda random: f"a != {random.randrange(100)} AND b < {random.randrange(100)}",
    lambda random: f"b != {random.randrange(100)} AND s STARTS WITH '{random.choice('abc')}'",
    lambda random: f"b BETWEEN {random.randrange(50)} AND {random.randrange(50, 100)}",
    lambda random: f"s STARTS WITH '{random.choice('abc')}'",
    lambda random: f"s CONTAINS '{random.choice('abc')}{random.choice('abc')}'",
    lambda random: f"s >= '{random.choice('abc')}'",
    lambda random: random.choice(["EXISTS a", "NOT EXISTS b", "a = true", "EXISTS float b"]),
]


@pytest.mark.parametrize("interfaces", [20, FILTERS])
def test_long_lists_lose_nothing_while_they_change(interfaces: int) -> None:
    random = Random(interfaces)
    texts = [f"k = 1 AND {random.choice(SECOND)(random)}" for _ in range(FILTERS)]
    predicates = [parse(text) for text in texts]
    table = ForwardingTable()
    ids = {n: table.subscribe(str(n % interfaces), text) for n, text in enumerate(texts)}
    for share in (1.0, 0.4, 0.05):
        for n in random.sample(sorted(ids), len(ids) - round(FILTERS * share)):
            table.unsubscribe(ids.pop(n))
        for _ in range(20):
            message: dict[str, Any] = {
                "k": 1,
                "a": random.choice([random.randrange(100), random.random() * 100, True]),
                "b": random.randrange(100),
                "s": "".join(random.choices("abcd", k=random.randrange(4))),
            }
            del message[random.choice(["a", "b", "s"])]
            expected = {str(n % interfaces) for n in ids if matches(predicates[n], message)}
            assert sorted(table.match(message)) == sorted(expected)
