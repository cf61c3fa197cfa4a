"""The oracle agrees with the hand-written cases, line by line of the definition."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import MAKERS
from penstock.language import parse
from penstock.model import Constraint, Filter, Operator, Predicate, Type
from penstock.oracle import matches
from strategies import constraints, near

# JSON lines, with Python's NaN and Infinity where a message needs them.
CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "matching.jsonl").read_text("utf-8").split("\n")
    if line
]
every_case = pytest.mark.parametrize(
    "case", CASES, ids=[f"{case['filter']}: {case['why']}" for case in CASES]
)


@every_case
def test_the_oracle_agrees_with_the_case(case: dict[str, Any]) -> None:
    assert matches(parse(case["filter"]), case["message"]) is case["matches"]


@every_case
@pytest.mark.parametrize("engine", MAKERS)
def test_every_engine_agrees_with_the_case(case: dict[str, Any], engine: str) -> None:
    table = MAKERS[engine]()
    table.subscribe("it", case["filter"])
    assert table.match(case["message"]) == (["it"] if case["matches"] else [])


@pytest.mark.parametrize("operator", Operator)
def test_every_operator_has_a_case(operator: Operator) -> None:
    used = {constraint.operator for case in CASES for each in parse(case["filter"]) for constraint in each}
    assert operator in used


def test_constraints_filters_and_predicates_are_all_conditions() -> None:
    constraint = Constraint("a", Operator.EQ, 1)
    conditions: list[Constraint | Filter | Predicate] = [
        constraint,
        Filter([constraint]),
        Predicate([Filter([constraint])]),
    ]
    for condition in conditions:
        assert matches(condition, {"a": 1})
        assert not matches(condition, {"a": 2})


def test_a_typed_exists_looks_at_the_type() -> None:
    exists_int = Constraint("a", Operator.EXISTS, type=Type.INT)
    assert matches(exists_int, {"a": 1})
    assert not matches(exists_int, {"a": 1.0})
    assert not matches(exists_int, {"a": True})
    assert matches(Constraint("a", Operator.EXISTS, type=Type.NUMBER), {"a": float("nan")})


NEGATIONS = {Operator.EQ: Operator.NE, Operator.LT: Operator.GE, Operator.GT: Operator.LE}
NEGATIONS |= {
    each: Operator["NOT_" + each.name] for each in Operator if "NOT_" + each.name in Operator.__members__
}
NEGATIONS |= {negation: each for each, negation in NEGATIONS.items()}


@given(constraints.filter(lambda constraint: constraint.value is not None), st.data())
def test_a_value_of_the_right_type_satisfies_either_an_operator_or_its_negation(
    constraint: Constraint, data: st.DataObject
) -> None:
    message = {constraint.name: data.draw(near(constraint))}
    name, operand, asked = constraint.name, constraint.value, constraint.type
    negation = Constraint(name, NEGATIONS[constraint.operator], operand, asked)
    is_known = matches(Constraint(name, Operator.EXISTS, type=asked), message)
    assert matches(constraint, message) + matches(negation, message) == is_known
