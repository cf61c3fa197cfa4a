"""Beginnings and ends of strings, from a byte to more than the engine keeps beside a filter."""

from random import Random

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
        message = {"k": random.randrange(3), "path": _path(random)}
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
