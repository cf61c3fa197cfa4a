"""Covering: yes is a proof; no may mean unsure, but not in the cases that are listed here."""

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from penstock.language import parse
from penstock.model import Constraint, Filter, Predicate
from penstock.oracle import matches
from strategies import constraints, filters, messages_near, predicates

COVERS = [
    ("TRUE", "a = 1"),
    ("TRUE", "TRUE"),
    ("EXISTS a", "a = 1"),
    ("EXISTS a", "a LIKE '_x%'"),
    ("EXISTS int a", "int a < 5"),
    ("EXISTS number a", "int a < 5"),
    ("EXISTS string a", "a TOPIC 'x'"),
    ("NOT EXISTS a", "NOT EXISTS a"),
    ("a < 10", "a < 5"),
    ("a < 10", "a = 9.5"),
    ("a <= 10", "a < 10"),
    ("a < 9007199254740993", "a <= 9007199254740992"),
    ("a < 10", "int a < 10"),
    ("a > 'b'", "a > 'c'"),
    ("a >= 'b'", "a STARTS WITH 'b'"),
    ("a STARTS WITH 'ab'", "a STARTS WITH 'abc'"),
    ("a STARTS WITH 'ab'", "a = 'abc'"),
    ("a ENDS WITH 'c'", "a ENDS WITH 'bc'"),
    ("a CONTAINS 'b'", "a STARTS WITH 'abc'"),
    ("a CONTAINS 'b'", "a ENDS WITH 'abc'"),
    ("a CONTAINS ''", "a = 'x'"),
    ("a != 5", "a < 5"),
    ("a != 5", "a = 6"),
    ("a != 'x'", "a STARTS WITH 'y'"),
    ("a IN (1, 2, 3)", "a IN (1, 3)"),
    ("a IN (1, 2, 3)", "a = 2"),
    ("a NOT IN (1, 2)", "a = 3"),
    ("a NOT IN (1, 2)", "a NOT IN (1, 2, 3)"),
    ("a < 10", "a IN (1, 2)"),
    ("a LIKE 'x%y'", "a = 'xzy'"),
    ("a TOPIC 'x'", "a TOPIC 'x/*/y'"),
    ("a TOPIC 'x/*/y'", "a = 'x/q/y/z'"),
    ("a = true", "a = true"),
    ("a > 1", "a > 1 AND b = 2"),
    ("a > 1 AND b > 1", "a = 2 AND b = 2 AND c = 3"),
    ("a = 1 OR b = 2", "b = 2"),
    ("a > 0 OR b = 2", "a = 1 OR a = 2 AND c = 3"),
    ("a = 1", "FALSE"),
]
DOES_NOT_COVER = [
    ("a = 1", "TRUE"),
    ("FALSE", "a = 1"),
    ("a = 1", "EXISTS a"),
    ("EXISTS a", "NOT EXISTS a"),
    ("NOT EXISTS a", "b = 1"),
    ("EXISTS int a", "a < 5"),
    ("int a < 10", "a < 5"),
    ("int a < 10", "float a < 5"),
    ("a < 5", "a < 10"),
    ("a < 10", "a <= 10"),
    ("a < 9007199254740993", "a <= 9007199254740993"),
    ("a != 5", "a <= 5"),
    ("a != 5", "a = 'x'"),
    ("a != 'x'", "a = 5"),
    ("a < 10", "a < '5'"),
    ("a STARTS WITH 'abc'", "a STARTS WITH 'ab'"),
    ("a STARTS WITH 'b'", "a >= 'b'"),
    ("a ENDS WITH 'bc'", "a ENDS WITH 'c'"),
    ("a CONTAINS 'abc'", "a CONTAINS 'b'"),
    ("a IN (1, 3)", "a IN (1, 2)"),
    ("a NOT IN (1, 2, 3)", "a NOT IN (1, 2)"),
    ("a LIKE 'x%y'", "a STARTS WITH 'x'"),
    ("a TOPIC 'x/*/y'", "a TOPIC 'x'"),
    ("a TOPIC 'x/y'", "a STARTS WITH 'x/y'"),
    ("a = true", "a = false"),
    ("a > 1 AND b = 2", "a > 1"),
    ("a = 1 OR b = 2", "a = 1 OR b = 3"),
    ("b > 1", "a > 1"),
]


@pytest.mark.parametrize(("wide", "narrow"), COVERS)
def test_the_wider_covers_the_narrower(wide: str, narrow: str) -> None:
    assert parse(wide).covers(parse(narrow))


@pytest.mark.parametrize(("one", "other"), DOES_NOT_COVER)
def test_the_one_does_not_cover_the_other(one: str, other: str) -> None:
    assert not parse(one).covers(parse(other))


@given(constraints, constraints, st.data())
def test_covering_of_constraints_never_loses_a_message(
    f: Constraint, g: Constraint, data: st.DataObject
) -> None:
    g = Constraint(f.name, g.operator, g.value, g.type)
    check_sound(Filter([f]), Filter([g]), data)


@given(filters, filters, st.data())
def test_covering_of_filters_never_loses_a_message(f: Filter, g: Filter, data: st.DataObject) -> None:
    # A g that holds f's constraints and more is the interesting case: blind draws rarely cover.
    check_sound(f, data.draw(st.sampled_from([g, Filter([*f, *g])])), data)


@given(predicates, predicates, st.data())
def test_covering_of_predicates_never_loses_a_message(
    p: Predicate, q: Predicate, data: st.DataObject
) -> None:
    check_sound(data.draw(st.sampled_from([p, Predicate([*p, *q])])), q, data)


def check_sound(f: Filter | Predicate, g: Filter | Predicate, data: st.DataObject) -> None:
    covers = f.covers(g)  # type: ignore[arg-type]
    event(f"covers: {covers}")
    if covers:
        message = data.draw(messages_near([f, g]))
        assert matches(f, message) or not matches(g, message), message


@given(filters)
def test_a_filter_covers_itself(each: Filter) -> None:
    assert each.covers(each)


@given(filters, filters)
def test_a_conjunction_is_covered_by_its_parts(f: Filter, g: Filter) -> None:
    assert f.covers(Filter([*f, *g]))
    assert Filter().covers(f)


@given(predicates, predicates)
def test_a_disjunction_covers_its_parts(p: Predicate, q: Predicate) -> None:
    assert Predicate([*p, *q]).covers(q)
    assert p.covers(Predicate())
