"""Constraints, filters and predicates are frozen, canonical, hashable values that print and pickle."""

import math
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.errors import FilterError, FilterLimitError, FilterTypeError
from penstock.language import parse
from penstock.model import Constraint, Filter, Limits, Operator, Predicate, Type
from penstock.oracle import matches
from strategies import constraints, filters, is_same_value, messages_near, predicates


def reduced(operator: Operator, value: Any, type: Type | None = None) -> tuple[Operator, Any]:  # noqa: A002
    constraint = Constraint("a", operator, value, type)
    return constraint.operator, constraint.value


def test_a_constraint_shows_its_parts() -> None:
    constraint = Constraint("price", Operator.LT, 500)
    assert (constraint.name, constraint.operator, constraint.value) == ("price", Operator.LT, 500)
    assert constraint.type is Type.NUMBER


@pytest.mark.parametrize(
    ("value", "inferred"),
    [("x", Type.STRING), (5, Type.NUMBER), (5.5, Type.NUMBER), (True, Type.BOOL)],
)
def test_the_type_is_inferred_from_the_value(value: Any, inferred: Type) -> None:
    assert Constraint("a", Operator.EQ, value).type is inferred
    assert Constraint("a", Operator.IN, [value]).type is inferred


def test_presence_takes_any_type_unless_told() -> None:
    assert Constraint("a", Operator.EXISTS).type is Type.ANY
    assert Constraint("a", Operator.EXISTS, type=Type.INT).type is Type.INT
    assert Constraint("a", Operator.NOT_EXISTS).value is None


@pytest.mark.parametrize(
    ("operator", "value", "type", "expected"),
    [
        (Operator.IN, ["x"], None, (Operator.EQ, "x")),
        (Operator.NOT_IN, [5, 5.0], None, (Operator.NE, 5)),
        (Operator.IN, ["b", "a", "b"], None, (Operator.IN, ("a", "b"))),
        (Operator.LIKE, "abc", None, (Operator.EQ, "abc")),
        (Operator.LIKE, "a%", None, (Operator.PREFIX, "a")),
        (Operator.LIKE, "%a", None, (Operator.SUFFIX, "a")),
        (Operator.LIKE, "%a%%", None, (Operator.SUBSTRING, "a")),
        (Operator.NOT_LIKE, "a%", None, (Operator.NOT_PREFIX, "a")),
        (Operator.LIKE, "a%_%b", None, (Operator.LIKE, "a_%b")),
        (Operator.TOPIC, "x/*/y/*/*", None, (Operator.TOPIC, "x/*/y")),
        (Operator.EQ, 5.0, None, (Operator.EQ, 5)),
        (Operator.EQ, -0.0, None, (Operator.EQ, 0)),
        (Operator.EQ, 5, Type.FLOAT, (Operator.EQ, 5.0)),
        (Operator.EQ, -0.0, Type.FLOAT, (Operator.EQ, 0.0)),
        (Operator.EQ, 2.0**63, None, (Operator.EQ, 2.0**63)),
        (Operator.LT, math.inf, None, (Operator.LT, math.inf)),
    ],
)
def test_constraints_are_reduced_to_one_form(
    operator: Operator,
    value: Any,
    type: Type | None,  # noqa: A002
    expected: tuple[Operator, Any],
) -> None:
    found = reduced(operator, value, type)
    assert found == expected
    assert is_same_value(found[1], expected[1])


@pytest.mark.parametrize(
    ("operator", "value", "type"),
    [
        (Operator.LT, True, None),
        (Operator.GE, False, Type.BOOL),
        (Operator.PREFIX, 5, None),
        (Operator.LIKE, True, None),
        (Operator.PREFIX, "x", Type.INT),
        (Operator.EQ, math.nan, None),
        (Operator.IN, [1, math.nan], None),
        (Operator.EQ, 5.5, Type.INT),
        (Operator.EQ, 5.0, Type.INT),
        (Operator.EQ, "5", Type.NUMBER),
        (Operator.EQ, True, Type.NUMBER),
        (Operator.EQ, 1, Type.BOOL),
        (Operator.EQ, 5, Type.STRING),
        (Operator.EQ, 2**53 + 1, Type.FLOAT),
        (Operator.EQ, 5, Type.ANY),
        (Operator.EQ, None, None),
        (Operator.EXISTS, 5, None),
        (Operator.NOT_EXISTS, None, Type.INT),
        (Operator.IN, [], None),
        (Operator.IN, [1, "x"], None),
        (Operator.IN, [1, True], None),
        (Operator.TOPIC, "*/x", None),
        (Operator.TOPIC, "x//y", None),
        (Operator.TOPIC, "", None),
    ],
)
def test_parts_that_do_not_fit_are_a_type_error(operator: Operator, value: Any, type: Type | None) -> None:  # noqa: A002
    with pytest.raises(FilterTypeError):
        Constraint("a", operator, value, type)


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**400, "\ud800", "x" * 65_537])
def test_values_that_no_message_can_hold_are_refused(value: Any) -> None:
    with pytest.raises(FilterError):
        Constraint("a", Operator.EQ, value)
    with pytest.raises(FilterError):
        Constraint("a", Operator.IN, [value, value])


@pytest.mark.parametrize("value", [b"x", [1], {"a": 1}, object(), 1j])
def test_values_of_other_python_types_are_refused(value: Any) -> None:
    with pytest.raises((FilterTypeError, TypeError)):
        Constraint("a", Operator.EQ, value)


@pytest.mark.parametrize("name", ["", "x" * 65_537, "\ud800"])
def test_names_that_no_message_can_hold_are_refused(name: str) -> None:
    with pytest.raises(FilterError):
        Constraint(name, Operator.EXISTS)


def test_topics_deeper_than_the_limit_are_refused() -> None:
    Constraint("a", Operator.TOPIC, "/".join("x" * 16))
    with pytest.raises(FilterLimitError):
        Constraint("a", Operator.TOPIC, "/".join("x" * 17))


def test_order_and_repetition_do_not_matter() -> None:
    a, b = Constraint("a", Operator.EQ, 1), Constraint("b", Operator.EQ, 2)
    assert Filter([a, b]) == Filter([b, a, b])
    assert Predicate([Filter([a]), Filter([b])]) == Predicate([Filter([b]), Filter([a]), Filter([a])])
    assert len({Filter([a, b]), Filter([b, a])}) == 1


def test_strict_and_family_constraints_differ() -> None:
    family = Constraint("a", Operator.EQ, 5)
    strict = Constraint("a", Operator.EQ, 5, Type.INT)
    assert family != strict
    assert strict != Constraint("a", Operator.EQ, 5, Type.FLOAT)


def test_values_of_different_kinds_are_never_equal() -> None:
    constraint = Constraint("a", Operator.EQ, 1)
    assert constraint != Filter([constraint])
    assert Filter([constraint]) != Predicate([Filter([constraint])])
    assert constraint != "a = 1"


def test_filters_and_predicates_are_collections() -> None:
    a, b = Constraint("a", Operator.EQ, 1), Constraint("b", Operator.EQ, 2)
    each = Filter([b, a])
    assert (len(each), set(each), each.constraints) == (2, {a, b}, tuple(each))
    predicate = Predicate([each, Filter()])
    assert (len(predicate), set(predicate), predicate.filters) == (2, {each, Filter()}, tuple(predicate))
    assert len(Filter()) == len(Predicate()) == 0


@pytest.mark.parametrize("attribute", ["name", "operator", "value", "type"])
def test_a_constraint_cannot_be_changed(attribute: str) -> None:
    constraint = Constraint("a", Operator.EQ, 1)
    with pytest.raises(AttributeError):
        setattr(constraint, attribute, getattr(constraint, attribute))


def test_limits_are_a_frozen_value() -> None:
    limits = Limits()
    assert (limits.text_bytes, limits.depth, limits.filters) == (65_536, 64, 1024)
    assert (limits.constraints, limits.set_values) == (256, 10_000)
    with pytest.raises(AttributeError):
        limits.depth = 5  # type: ignore[misc]


def test_every_operator_and_type_is_there() -> None:
    assert [each.name for each in Type] == ["ANY", "STRING", "NUMBER", "INT", "FLOAT", "BOOL"]
    assert " ".join(each.name for each in Operator) == (
        "EQ NE LT GE GT LE PREFIX NOT_PREFIX SUFFIX NOT_SUFFIX SUBSTRING NOT_SUBSTRING IN NOT_IN "
        "LIKE NOT_LIKE TOPIC NOT_TOPIC EXISTS NOT_EXISTS"
    )


@given(constraints)
def test_what_is_read_from_a_constraint_makes_an_equal_one(constraint: Constraint) -> None:
    again = Constraint(constraint.name, constraint.operator, constraint.value, constraint.type)
    assert again == constraint
    assert hash(again) == hash(constraint)


@given(constraints, constraints)
def test_equal_constraints_have_equal_parts(a: Constraint, b: Constraint) -> None:
    parts = [(c.name, c.operator, c.type) for c in (a, b)]
    same = parts[0] == parts[1] and is_same_value(a.value, b.value)
    assert (a == b) == same
    assert (str(a) == str(b)) == same


@given(st.one_of(constraints, filters, predicates))
def test_values_survive_pickling(value: Constraint | Filter | Predicate) -> None:
    copy = pickle.loads(pickle.dumps(value))
    assert copy == value
    assert type(copy) is type(value)
    assert (hash(copy), str(copy), repr(copy)) == (hash(value), str(value), repr(value))


@given(constraints)
def test_a_printed_constraint_parses_back(constraint: Constraint) -> None:
    assert parse(str(constraint)) == Predicate([Filter([constraint])])


@given(filters)
def test_a_printed_filter_parses_back(each: Filter) -> None:
    assert parse(str(each)) == Predicate([each])


@given(predicates)
def test_a_printed_predicate_parses_back(predicate: Predicate) -> None:
    assert parse(str(predicate)) == predicate


@given(st.lists(constraints, min_size=1, max_size=3), st.data())
def test_a_filter_means_the_conjunction_of_its_constraints(
    each: list[Constraint], data: st.DataObject
) -> None:
    message = data.draw(messages_near(each))
    assert matches(Filter(each), message) == all(matches(constraint, message) for constraint in each)
