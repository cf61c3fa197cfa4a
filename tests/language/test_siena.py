"""Siena's notation reads into the same predicates, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.errors import FilterError, MessageError
from penstock.language import Limits, parse, siena
from penstock.model import Constraint, Filter, Operator, Predicate, Type
from strategies import INT64_MAX, INT64_MIN


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("[string dest = MXP; int price < 500]", "dest = 'MXP' AND int price < 500"),
        ("[string dest = MXP] | [int price < 500]", "dest = 'MXP' OR int price < 500"),
        ("[string a >* UA]", "a STARTS WITH 'UA'"),
        ("[string a *< UA]", "a ENDS WITH 'UA'"),
        ("[string a * UA]", "a CONTAINS 'UA'"),
        ("[bool upgradeable = true]", "upgradeable = true"),
        ("[float x >= 1.5; float x != 2]", "float x >= 1.5 AND float x != 2"),
        ("[]", "TRUE"),
    ],
)
def test_siena_filters_are_predicates(notation: str, text: str) -> None:
    assert siena.parse(notation) == parse(text)


def test_any_asks_for_presence_of_the_type() -> None:
    found = siena.parse("[int price any]")
    assert found == Predicate([Filter([Constraint("price", Operator.EXISTS, type=Type.INT)])])


@pytest.mark.parametrize(
    "notation", ["", "[", "[int]", "[int a = x]", "[int a = 1", "int a = 1", "[a = 1] |", "[bool a < true]"]
)
def test_mistakes_are_filter_errors(notation: str) -> None:
    with pytest.raises(FilterError) as raised:
        siena.parse(notation)
    assert raised.value.text == notation


def test_limits_apply() -> None:
    with pytest.raises(FilterError):
        siena.parse("[int a = 1] | [int b = 1]", Limits(filters=1))


names = st.sampled_from(["a", "price", "x_1"])
strict = st.one_of(
    st.builds(
        Constraint,
        names,
        st.sampled_from([Operator.EQ, Operator.NE, Operator.LT, Operator.GT, Operator.LE, Operator.GE]),
        st.integers(INT64_MIN, INT64_MAX),
        st.just(Type.INT),
    ),
    st.builds(Constraint, names, st.just(Operator.LT), st.floats(allow_nan=False), st.just(Type.FLOAT)),
    st.builds(
        Constraint,
        names,
        st.sampled_from([Operator.EQ, Operator.NE, Operator.PREFIX, Operator.SUFFIX, Operator.SUBSTRING]),
        st.text("ab é;]|='\" ", max_size=5),
    ),
    st.builds(Constraint, names, st.just(Operator.EQ), st.booleans()),
    st.builds(
        Constraint, names, st.just(Operator.EXISTS), st.none(), st.sampled_from([Type.INT, Type.STRING])
    ),
)


@given(st.lists(st.builds(Filter, st.lists(strict, max_size=3)), min_size=1, max_size=3))
def test_what_is_printed_parses_back(filters: list[Filter]) -> None:
    predicate = Predicate(filters)
    assert siena.parse(siena.format_predicate(predicate)) == predicate


def test_what_siena_cannot_say_is_refused() -> None:
    with pytest.raises(FilterError):
        siena.format_predicate(parse("a TOPIC 'x'"))


def test_a_message_is_written_like_a_filter() -> None:
    message = siena.parse_message(
        "[string carrier = UA; int price = 600; float tax = 5; bool upgradeable = true]"
    )
    assert message == {"carrier": "UA", "price": 600, "tax": 5.0, "upgradeable": True}
    assert [type(value) for _, value in sorted(message.items())] == [str, int, float, bool]
    assert siena.parse_message("[]") == {}


@pytest.mark.parametrize(
    "text", ["[int a < 5]", "[int a any]", "[string a >* x]", "[int a = 1] | [int b = 1]", "[int a", "a"]
)
def test_a_message_states_one_value_for_each_attribute(text: str) -> None:
    with pytest.raises(FilterError):
        siena.parse_message(text)


def test_an_attribute_occurs_once_in_a_message() -> None:
    with pytest.raises(MessageError, match="attribute 'a': occurs twice"):
        siena.parse_message("[int a = 1; string a = x]")
