"""Whatever is thrown at the parsers, they answer with a value or a FilterError, in little time and stack."""

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from penstock import ForwardingTable
from penstock.errors import FilterError, FilterLimitError, MessageError
from penstock.language import Limits, parse, siena

Parser = Callable[[str], object]
every_parser = pytest.mark.parametrize(
    "parser", [parse, siena.parse, siena.parse_message], ids=["text", "siena", "message"]
)

TOKENS = [
    "a", "price", "`x y`", "`", "'x'", "'", '"y"', '"', "''", "5", "-5", "5.5", "1e9", "1e999", ".",
    "..", "-", "true", "NULL", "NaN", "INFINITY", "=", "==", "!=", "<>", "<", "<=", ">", ">=", "(", ")",
    ",", "AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "STARTS WITH", "STARTS", "WITH", "ENDS WITH",
    "CONTAINS", "TOPIC", "EXISTS", "IS", "IS NOT NULL", "int", "string", "float", "bool", "number", "[",
    "]", "|", ";", "*", ">*", "*<", "any", "+", "/", "%", "&&", "!", "\n", "\x00", "\ufeff", "é", "😀",
    "\u2028", "TRUE", "FALSE", "99999999999999999999", "x/*/y", "'*'", "'x//y'",
]  # fmt: skip
token_soup = st.lists(st.sampled_from(TOKENS), max_size=30).map(" ".join)
glued_soup = st.lists(st.sampled_from(TOKENS), max_size=30).map("".join)


def answers(parser: Parser, text: str) -> None:
    """A value, or an error whose place lies in the text and which can be printed."""
    found: FilterError | MessageError | None = None
    try:
        parser(text)
    except (FilterError, MessageError) as error:  # the latter: a Siena message that names an attribute twice
        found = error
    if isinstance(found, FilterError):
        assert found.message
        assert found.at is None or 0 <= found.at <= len(text)
    str(found).encode()


@every_parser
@given(text=st.text())
@example(text="")
@example(text="\x00")
@example(text="\ufeffa = 1")
def test_any_text_is_answered(parser: Parser, text: str) -> None:
    answers(parser, text)


@every_parser
@given(text=token_soup | glued_soup)
def test_any_soup_of_tokens_is_answered(parser: Parser, text: str) -> None:
    answers(parser, text)


@given(token_soup)
def test_what_does_parse_prints_and_parses_back(text: str) -> None:
    try:
        predicate = parse(text)
    except FilterError:
        return
    assert parse(str(predicate)) == predicate


@pytest.mark.parametrize("text", ["a = '\ud800'", "\udfff", "a\ud83d = 1"])
def test_lone_surrogates_are_filter_errors(text: str) -> None:
    with pytest.raises(FilterError):
        parse(text)
    with pytest.raises(FilterError):
        siena.parse(text)


@pytest.mark.parametrize(
    "text", ["(" * 65 + "a = 1" + ")" * 65, "NOT " * 65 + "a = 1", "(" * 60_000, "NOT " * 16_000]
)
def test_deep_nesting_is_a_limit(text: str) -> None:
    with pytest.raises(FilterLimitError):
        parse(text)


def test_no_setting_allows_more_depth_than_the_stack_bears() -> None:
    deepest = Limits(depth=1000, text_bytes=10**8)
    parse("(" * 1000 + "a = 1" + ")" * 1000, deepest)
    parse("NOT " * 1000 + "a = 1", deepest)
    with pytest.raises(FilterLimitError):
        parse("(" * 1_000_000 + "a = 1" + ")" * 1_000_000, deepest)
    with pytest.raises(ValueError, match="1000"):
        Limits(depth=1001)


def test_a_text_may_be_64_kib_and_no_longer() -> None:
    text = "a = 1".ljust(65_536)
    assert parse(text) == parse("a = 1")
    with pytest.raises(FilterLimitError):
        parse(text + " ")
    with pytest.raises(FilterLimitError):
        parse("é" * 32_769)
    with pytest.raises(FilterError):
        siena.parse("[" + "x" * 70_000)


def test_expansion_is_refused_before_it_is_tried() -> None:
    huge = " AND ".join(f"(a = {n} OR b = {n})" for n in range(2000))
    with pytest.raises(FilterLimitError, match="expands to"):
        parse(huge)
    negated = "NOT (" + " OR ".join(f"a = {n} AND b = {n}" for n in range(2000)) + ")"
    with pytest.raises(FilterLimitError, match="expands to"):
        parse(negated)


def test_patterns_made_to_backtrack_do_not() -> None:
    table = ForwardingTable()
    table.subscribe("it", "a LIKE '" + "%a" * 500 + "%b'")
    assert table.match({"a": "a" * 60_000}) == []
