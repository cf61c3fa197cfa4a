"""Beginnings and ends of strings, from a byte to more than the engine keeps beside a filter."""

from random import Random
from typing import Any

import pyarrow as pa
import pytest

from penstock import ForwardingTable, parse
from penstock.oracle import matches

WORDS = ("a", "amber", "birch", "inlet-inlet-inlet")


def _path(random: Random) -> str:
    return "".join(f"/{random.choice(WORDS)}" for _ in range(random.randint(1, 5)))


def _condition(random: Random, name: str) -> str:
    path = _path(random)
    size = random.choice((1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24))
    if random.random() < 0.5:
        return f"{name} STARTS WITH '{path[:size]}'"
    return f"{name} ENDS WITH '{path[-size:]}'"


@pytest.mark.parametrize("interfaces", [20, 2_000])
def test_beginnings_and_ends_of_any_length_are_told_apart(interfaces: int) -> None:
    random = Random(interfaces)
    texts = [f"k = {n % 3} AND {_condition(random, 'path')}" for n in range(2_000)]
    predicates = [parse(text) for text in texts]
    table = ForwardingTable()
    table.subscribe_many([str(n % interfaces) for n in range(len(texts))], texts)
    for _ in range(60):
        message: dict[str, Any] = {"k": random.randrange(3), "path": _path(random)}
        expected = {str(n % interfaces) for n, each in enumerate(predicates) if matches(each, message)}
        assert sorted(table.match(message)) == sorted(expected)


def test_a_name_with_prefixes_alone_gets_other_patterns_later() -> None:
    table = ForwardingTable()
    table.subscribe("start", "path STARTS WITH '/amber'")
    table.subscribe("same", "path = '/birch/amber'")
    message = {"path": "/birch/amber", "other": "/birch/amber"}
    assert table.match(message) == ["same"]
    table.subscribe("inner", "other CONTAINS 'amber'")
    assert sorted(table.match(message)) == ["inner", "same"]
    table.subscribe("end", "path ENDS WITH '/amber'")
    assert sorted(table.match(message)) == ["end", "inner", "same"]
    assert sorted(table.match({"path": "/amber", "other": "/amber"})) == ["end", "inner", "start"]


def test_few_interfaces_are_found_whether_or_not_patterns_are_needed() -> None:
    random = Random(3)
    texts = [
        random.choice(
            (
                f"n > {random.randrange(100)}",
                f"title CONTAINS '{random.choice('abcd')}{random.choice('abcd')}'",
                f"body CONTAINS '{random.choice('abcd')}' AND n < {random.randrange(100)}",
                f"body LIKE '{random.choice('abcd')}%' AND title ENDS WITH '{random.choice('abcd')}'",
            )
        )
        for _ in range(300)
    ]
    predicates = [parse(text) for text in texts]
    table = ForwardingTable()
    table.subscribe_many([str(n % 9) for n in range(len(texts))], texts)
    messages: list[dict[str, Any]] = [
        {
            "n": random.choice((0, 3, 50, 99, 100)),
            "title": "".join(random.choices("abcde", k=random.randrange(3))),
            "body": "".join(random.choices("abcde", k=random.randrange(6))),
        }
        for _ in range(200)
    ]
    expected = [
        sorted({str(n % 9) for n, each in enumerate(predicates) if matches(each, message)})
        for message in messages
    ]
    assert [sorted(table.match(message)) for message in messages] == expected
    batch = pa.Table.from_pylist(messages)
    for _ in range(3):  # what is found for values that come again is kept
        found = table.match_batch(batch, names=True).to_pylist()
        assert [sorted(each or ()) for each in found] == expected
    assert {len(each) for each in expected} > {9}
