"""Siena's notation reads into the same predicates, and back."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.errors import FilterError, FilterSyntaxError, MessageError
from penstock.language import Limits, parse, siena
from penstock.model import Constraint, Filter, Operator, Predicate, Type
from penstock.oracle import matches
from strategies import INT64_MAX, INT64_MIN, bools, floats, ints, is_same_value, strings


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
    ("text", "at", "says"),
    [
        ("", 0, "expected '['"),
        ("int a = 1", 0, "expected '['"),
        ("[int a = 1", 10, "expected ';' or ']'"),
        ("[int a = 1;", 11, "expected a type: string, int, float or bool"),
        ("[a = 1]", 1, "expected a type: string, int, float or bool"),
        ("[number a = 1]", 1, "expected a type"),
        ("[; int a = 1]", 1, "expected a type"),
        ("[int = 1]", 5, "expected a name"),
        ('[int "" = 1]', 8, "expected a name"),
        ('[int "a = 1]', 5, "expected a name"),
        ("[int a < 5]", 7, "expected '='"),
        ("[int a == 5]", 7, "expected '='"),
        ("[int a any]", 7, "expected '='"),
        ("[string a >* x]", 10, "expected '='"),
        ("[string a = ]", 12, "expected a value after '='"),
        ('[string a = "x]', 12, "expected a value after '='"),
        (r'[string a = "\n"]', 12, "expected a value after '='"),
        ('[string a = "x" y]', 16, "expected ';' or ']'"),
        ("[int a = 1] | [int b = 1]", 12, "expected the end"),
        ("[int a = 1 | int b = 1]", 11, "expected ';' or ']'"),
        ("[int a = 1.0]", 9, "int needs a whole number of 64 bits"),
        ('[int a = "1"]', 9, "int needs a whole number of 64 bits"),
        ("[int a = 9223372036854775808]", 9, "int needs a whole number of 64 bits"),
        ("[int a = " + "9" * 5000 + "]", 9, "int needs a whole number of 64 bits"),
        ("[int a = ٣]", 9, "int needs"),
        ("[int a = 1_000]", 9, "int needs"),
        ("[float a = x]", 11, "float needs a number in the range of floats, or INFINITY"),
        ("[float a = 1e999]", 11, "float needs a number in the range of floats"),
        ("[float a = NaN]", 11, "NaN cannot be written in a message"),
        ("[float a = -nan]", 11, "NaN cannot be written in a message"),
        ("[bool a = True]", 10, "bool needs true or false"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_a_message_states_one_typed_value_for_each_attribute(text: str, at: int, says: str) -> None:
    with pytest.raises(FilterSyntaxError) as raised:
        siena.parse_message(text)
    assert (raised.value.text, raised.value.at) == (text, at)
    assert raised.value.message.startswith(says)


@pytest.mark.parametrize(
    "text", ["[int a = 5; int a = 5]", "[int a = 1; string a = x]", '[int a = 1; int "a" = 2]']
)
def test_an_attribute_occurs_once_in_a_message(text: str) -> None:
    with pytest.raises(MessageError, match="attribute 'a': occurs twice"):
        siena.parse_message(text)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("float a = -0.0", -0.0),
        ("float a = 5", 5.0),
        ("float a = .5e1", 5.0),
        ("float a = -INFINITY", -math.inf),
        ("float a = inf", math.inf),
        ("float a = 1e-999", 0.0),
        ("int a = +5", 5),
        ("int a = -" + "0" * 5000 + "9223372036854775808", INT64_MIN),
        ("bool a = false", False),
        ("string a = 5", "5"),
        ("string a = New York  ", "New York"),
        ("string a=[x", "[x"),
        (r'string a = "\"\\;]|"', r'"\;]|'),
        ('string a = ""', ""),
        ("string a = 名", "名"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_values_of_a_message_keep_their_type_and_bits(written: str, value: object) -> None:
    assert is_same_value(siena.parse_message(f" [ {written} ;]\n")["a"], value)


def test_a_message_may_hold_more_attributes_than_a_filter_may_hold_constraints() -> None:
    wanted: dict[str, object] = {f"n{number}": "x" * 100 for number in range(4096)}
    assert siena.parse_message(written_in_siena(wanted)) == wanted


def written_in_siena(message: dict[str, object]) -> str:
    """The message with every name and every string in quotes, which all of them bear."""

    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    kinds = {str: "string", int: "int", float: "float", bool: "bool"}
    return "[" + "; ".join(
        f"{kinds[type(value)]} {quoted(name)} = "
        + (quoted(value) if isinstance(value, str) else str(value).lower())
        for name, value in message.items()
    ) + "]"  # fmt: skip


@given(st.dictionaries(st.text(min_size=1, max_size=5), strings | ints | floats | bools, max_size=5))
def test_any_message_can_be_written_and_read_as_it_was(message: dict[str, object]) -> None:
    read = siena.parse_message(written_in_siena(message))
    assert list(read) == list(message)
    assert all(is_same_value(read[name], value) for name, value in message.items())


@given(st.dictionaries(names, strings | ints | floats | bools))
def test_a_message_satisfies_the_filter_that_is_written_like_it(message: dict[str, Any]) -> None:
    types = {str: Type.STRING, int: Type.INT, float: Type.FLOAT, bool: Type.BOOL}
    equal = [Constraint(name, Operator.EQ, value, types[type(value)]) for name, value in message.items()]
    text = siena.format_predicate(Predicate([Filter(equal)]))
    assert siena.parse_message(text) == message
    assert matches(siena.parse(text), siena.parse_message(text))
