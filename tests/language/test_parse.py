"""The text language: what it means, and what it says when it is not understood."""

from typing import Any

import pytest

from penstock.errors import (
    FilterError,
    FilterLimitError,
    FilterSyntaxError,
    FilterTypeError,
    FilterUnsupportedError,
)
from penstock.language import Limits, parse
from penstock.model import Constraint, Filter, Operator, Predicate, Type


def one(name: str, operator: Operator, value: Any = None, type: Type | None = None) -> Predicate:  # noqa: A002
    return Predicate([Filter([Constraint(name, operator, value, type)])])


@pytest.mark.parametrize(
    ("text", "operator", "value"),
    [
        ("a = 5", Operator.EQ, 5),
        ("a == 5", Operator.EQ, 5),
        ("a != 5", Operator.NE, 5),
        ("a <> 5", Operator.NE, 5),
        ("a < 5", Operator.LT, 5),
        ("a <= 5", Operator.LE, 5),
        ("a > 5", Operator.GT, 5),
        ("a >= 5", Operator.GE, 5),
        ("a<5", Operator.LT, 5),
        ("a = -5", Operator.EQ, -5),
        ("a = +5", Operator.EQ, 5),
        ("a = 5.5", Operator.EQ, 5.5),
        ("a = .5", Operator.EQ, 0.5),
        ("a = -1.5e-3", Operator.EQ, -0.0015),
        ("a = 1e3", Operator.EQ, 1000),
        ("a = 9223372036854775807", Operator.EQ, 2**63 - 1),
        ("a = -9223372036854775808", Operator.EQ, -(2**63)),
        ("a < INFINITY", Operator.LT, float("inf")),
        ("a > -infinity", Operator.GT, float("-inf")),
        ("a = true", Operator.EQ, True),
        ("a = FALSE", Operator.EQ, False),
        ("a = 'UA'", Operator.EQ, "UA"),
        ('a = "UA"', Operator.EQ, "UA"),
        ("a = 'it''s'", Operator.EQ, "it's"),
        ('a = "say ""x"""', Operator.EQ, 'say "x"'),
        ("a = ''", Operator.EQ, ""),
        ("a = '名\U0001f600'", Operator.EQ, "名\U0001f600"),
        ("a = 'line\nbreak'", Operator.EQ, "line\nbreak"),
        ("a STARTS WITH 'x'", Operator.PREFIX, "x"),
        ("a ENDS WITH 'x'", Operator.SUFFIX, "x"),
        ("a CONTAINS 'x'", Operator.SUBSTRING, "x"),
        ("a LIKE 'x_y%'", Operator.LIKE, "x_y%"),
        ("a NOT LIKE 'x_y%'", Operator.NOT_LIKE, "x_y%"),
        ("a TOPIC 'x/*/y'", Operator.TOPIC, "x/*/y"),
        ("a IN (1, 2)", Operator.IN, (1, 2)),
        ("a NOT IN ('x', 'y')", Operator.NOT_IN, ("x", "y")),
        ("EXISTS a", Operator.EXISTS, None),
        ("a IS NOT NULL", Operator.EXISTS, None),
        ("NOT EXISTS a", Operator.NOT_EXISTS, None),
        ("a IS NULL", Operator.NOT_EXISTS, None),
    ],
)
def test_every_operator_has_its_spelling(text: str, operator: Operator, value: Any) -> None:
    assert parse(text) == one("a", operator, value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Price = 1", "Price"),
        ("detail.state = 1", "detail.state"),
        ("_x9 = 1", "_x9"),
        ("名前 = 1", "名前"),
        ("`two words` = 1", "two words"),
        ("`and` = 1", "and"),
        ("`tick``ed` = 1", "tick`ed"),
        ("`9` = 1", "9"),
    ],
)
def test_names_are_plain_or_in_backticks(text: str, name: str) -> None:
    assert parse(text) == one(name, Operator.EQ, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int price < 500", Type.INT),
        ("float price < 500", Type.FLOAT),
        ("number price < 500", Type.NUMBER),
        ("price < 500", Type.NUMBER),
        ("INT price < 500", Type.INT),
    ],
)
def test_a_leading_type_is_strict(text: str, expected: Type) -> None:
    assert parse(text) == one("price", Operator.LT, 500, expected)


def test_a_typed_exists_asks_for_the_type() -> None:
    assert parse("EXISTS int price") == one("price", Operator.EXISTS, type=Type.INT)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a = 1 or b = 2 and c = 3", "a = 1 OR (b = 2 AND c = 3)"),
        ("(a = 1 OR b = 2) AND c = 3", "a = 1 AND c = 3 OR b = 2 AND c = 3"),
        ("NOT a = 1 AND b = 2", "a != 1 AND b = 2"),
        ("NOT (a = 1 AND b = 2)", "a != 1 OR b != 2"),
        ("NOT (a < 1 OR b >= 2)", "a >= 1 AND b < 2"),
        ("NOT NOT a = 1", "a = 1"),
        ("a BETWEEN 1 AND 5 AND b = 2", "a >= 1 AND a <= 5 AND b = 2"),
        ("a NOT BETWEEN 1 AND 5", "a < 1 OR a > 5"),
        ("NOT a STARTS WITH 'x'", "a NOT STARTS WITH 'x'"),
        ("NOT a TOPIC 'x'", "a NOT TOPIC 'x'"),
        ("NOT EXISTS a", "a IS NULL"),
        ("NOT NOT EXISTS a", "EXISTS a"),
        ("a = 1 AND a = 1", "a = 1"),
        ("a IN (2, 1, 2)", "a IN (1, 2)"),
        ("a = 1 AND TRUE", "a = 1"),
        ("a = 1 OR FALSE", "a = 1"),
        ("a = 1 AND FALSE", "FALSE"),
        ("NOT TRUE", "FALSE"),
        ("a=1\n\tAND\r\nb=2", "a = 1 AND b = 2"),
        ("a Is Not Null", "EXISTS a"),
    ],
)
def test_texts_that_mean_the_same_parse_the_same(text: str, same: str) -> None:
    assert parse(text) == parse(same)


def test_true_is_the_empty_filter_and_false_the_empty_predicate() -> None:
    assert parse("TRUE") == Predicate([Filter()])
    assert parse("FALSE") == Predicate()
    assert (str(Predicate([Filter()])), str(Filter()), str(Predicate())) == ("TRUE", "TRUE", "FALSE")


SYNTAX, TYPE, LIMIT, UNSUPPORTED = (
    FilterSyntaxError,
    FilterTypeError,
    FilterLimitError,
    FilterUnsupportedError,
)


@pytest.mark.parametrize(
    ("text", "kind", "column", "says"),
    [
        ("", SYNTAX, 1, "empty"),
        ("price < ", SYNTAX, 9, "expected a value after '<'"),
        ("price < AND a = 1", SYNTAX, 9, "expected a value after '<'"),
        ("a = 1 AND", SYNTAX, 10, "after AND"),
        ("a = 1 b = 2", SYNTAX, 7, "AND, OR or the end"),
        ("(a = 1", SYNTAX, 1, "never closed"),
        ("a = 1)", SYNTAX, 6, "')' without"),
        ("a", SYNTAX, 2, "operator"),
        ("a = 'x", SYNTAX, 5, "never closed"),
        ("a IN ()", SYNTAX, 7, "at least one value"),
        ("a IN (1,)", SYNTAX, 9, "value"),
        ("a BETWEEN 1", SYNTAX, 12, "AND"),
        ("a = NULL", SYNTAX, 5, "NULL"),
        ("a; b", SYNTAX, 2, "';'"),
        ("a = 1 && b = 2", SYNTAX, 7, "'&&'"),
        ("5 < price", SYNTAX, 1, "expected a name before '<'"),
        ("a = 12x", SYNTAX, 5, "not a number"),
        ("`` = 1", SYNTAX, 1, "empty"),
        ("名前 = 'x' AND price < ", SYNTAX, 22, "expected a value after '<'"),
        ("a STARTS WITH 5", TYPE, 15, "STARTS WITH needs a string, got the number 5"),
        ("flag < true", TYPE, None, "bool has no order; use = or !="),
        ("a IN (1, 'x')", TYPE, 10, "one type"),
        ("int a = 5.5", TYPE, 9, "int"),
        ("int a = 'x'", TYPE, 9, "int"),
        ("string a = 5", TYPE, 12, "string"),
        ("float a = 9007199254740993", TYPE, 11, "float"),
        ("int a LIKE 'x'", TYPE, 1, "string"),
        ("a = 9223372036854775808", TYPE, 5, "64 bits"),
        ("a = 1e999", TYPE, 5, "too large"),
        ("a = NaN", TYPE, 5, "NaN"),
        ("a TOPIC '*/x'", TYPE, 9, "wildcard"),
        ("a TOPIC 'x//y'", TYPE, 9, "empty level"),
        ("a = b", UNSUPPORTED, 5, "attribute"),
        ("a = 1 + 1", UNSUPPORTED, 7, "arithmetic"),
        ("lower(a) = 'x'", UNSUPPORTED, 1, "function"),
        ("a = now()", UNSUPPORTED, 5, "function"),
    ],
)
def test_a_mistake_is_named_with_its_place(
    text: str, kind: type[FilterError], column: int | None, says: str
) -> None:
    with pytest.raises(kind) as raised:
        parse(text)
    error = raised.value
    assert type(error) is kind
    assert says in error.message
    assert error.text == text
    assert column is None or error.column == column
    assert str(error).startswith(f"column {error.column}: {error.message}")


def test_what_was_expected_is_data() -> None:
    with pytest.raises(FilterSyntaxError) as raised:
        parse("price < ")
    assert raised.value.expected == "a value"


def test_a_caret_stands_under_the_mistake() -> None:
    with pytest.raises(FilterTypeError) as raised:
        parse("carrier = 'UA' AND flight STARTS WITH 5")
    assert str(raised.value).split("\n")[:3] == [
        "column 39: STARTS WITH needs a string, got the number 5",
        "  carrier = 'UA' AND flight STARTS WITH 5",
        "                                        ^",
    ]


def test_an_expansion_beyond_the_limit_names_the_clause() -> None:
    text = " AND ".join(f"(a = {n} OR b = {n} OR c = {n})" for n in range(10))
    with pytest.raises(
        FilterLimitError, match=r"expands to 59,049 filters \(limit 1,024\): clause 1 alone multiplies by 3"
    ):
        parse(text)


@pytest.mark.parametrize(
    ("limits", "fits", "exceeds"),
    [
        (Limits(text_bytes=5), "a = 1", "a = 12"),
        (Limits(text_bytes=7), "é = 10", "é = 100"),
        (Limits(depth=2), "((a = 1))", "(((a = 1)))"),
        (Limits(depth=2), "NOT NOT a = 1", "NOT NOT NOT a = 1"),
        (Limits(filters=2), "a = 1 OR b = 1", "a = 1 OR b = 1 OR c = 1"),
        (Limits(filters=3), "a = 1 OR b = 1", "(a = 1 OR b = 1) AND (c = 1 OR d = 1)"),
        (Limits(constraints=2), "a = 1 AND b = 1", "a = 1 AND b = 1 AND c = 1"),
        (Limits(set_values=2), "a IN (1, 2)", "a IN (1, 2, 3)"),
    ],
)
def test_limits_are_checked_to_the_letter(limits: Limits, fits: str, exceeds: str) -> None:
    parse(fits, limits)
    with pytest.raises(FilterLimitError):
        parse(exceeds, limits)


def test_the_default_limits_are_generous() -> None:
    parse("a IN (" + ", ".join(map(str, range(10_000))) + ")")
    parse(" OR ".join(f"a = {n}" for n in range(1024)))
    parse(" AND ".join(f"a{n} = 1" for n in range(256)))
    parse("(" * 64 + "a = 1" + ")" * 64)


@pytest.mark.parametrize("bad", [5, None, b"a = 1", ["a"]])
def test_only_text_is_parsed(bad: Any) -> None:
    with pytest.raises(TypeError):
        parse(bad)
