"""Translations take the same topics as what they translate; what is refused has no equivalent at all.

The three notations are written down here a second time, as plainly as their documents say it.
"""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from paho.mqtt.client import topic_matches_sub
from topic_world import joined, takes

from penstock.errors import FilterError, FilterSyntaxError, FilterTypeError, FilterUnsupportedError
from penstock.topics import from_mqtt, from_nats, from_zenoh, to_mqtt, to_nats, to_zenoh

plain = st.sampled_from(["a", "b", "c"])
topics = st.tuples(plain, st.lists(plain, max_size=5)).map(joined)
patterns = st.tuples(plain, st.lists(plain | st.just("*"), max_size=5)).map(joined)

ALL_TOPICS = ["/".join(levels) for depth in range(1, 6) for levels in product("ab", repeat=depth)]
ALL_PATTERNS = [
    "/".join([first, *rest])
    for depth in range(4)
    for first in "ab"
    for rest in product("ab*", repeat=depth)
    if not (rest and rest[-1] == "*")
]


def mqtt_takes(wanted: list[str], given_: list[str]) -> bool:
    if wanted == ["#"]:
        return True
    if not wanted or not given_:
        return wanted == given_
    return wanted[0] in ("+", given_[0]) and mqtt_takes(wanted[1:], given_[1:])


def nats_takes(wanted: list[str], given_: list[str]) -> bool:
    if wanted == [">"]:
        return bool(given_)
    if not wanted or not given_:
        return wanted == given_
    return wanted[0] in ("*", given_[0]) and nats_takes(wanted[1:], given_[1:])


def zenoh_takes(wanted: list[str], given_: list[str]) -> bool:
    if wanted[:1] == ["**"]:
        return zenoh_takes(wanted[1:], given_) or bool(given_ and zenoh_takes(wanted, given_[1:]))
    if not wanted or not given_:
        return wanted == given_
    return wanted[0] in ("*", given_[0]) and zenoh_takes(wanted[1:], given_[1:])


def by_mqtt(filter_: str, topic: str) -> bool:
    return mqtt_takes(filter_.split("/"), topic.split("/"))


def by_nats(subjects: tuple[str, ...], topic: str) -> bool:
    return any(nats_takes(subject.split("."), topic.split("/")) for subject in subjects)


def by_zenoh(expression: str, topic: str) -> bool:
    return zenoh_takes(expression.split("/"), topic.split("/"))


@given(pattern=patterns, topic=topics)
def test_translated_patterns_take_the_same_topics(pattern: str, topic: str) -> None:
    wanted = takes(pattern, topic)
    assert by_mqtt(to_mqtt(pattern), topic) == wanted
    assert topic_matches_sub(to_mqtt(pattern), topic) == wanted
    assert by_nats(to_nats(pattern), topic) == wanted
    assert by_zenoh(to_zenoh(pattern), topic) == wanted


@given(pattern=patterns)
def test_there_and_back_is_the_pattern_without_trailing_wildcards(pattern: str) -> None:
    normal = pattern
    while normal.endswith("/*"):
        normal = normal.removesuffix("/*")
    assert from_mqtt(to_mqtt(pattern)) == normal
    assert from_nats(*to_nats(pattern)) == from_nats(*reversed(to_nats(pattern))) == normal
    assert from_zenoh(to_zenoh(pattern)) == normal


def check(translate: Callable[[], str], takes_: Callable[[str], bool]) -> None:
    """Either an equal pattern, or none of all patterns is equal."""
    wanted = [topic for topic in ALL_TOPICS if takes_(topic)]
    try:
        pattern = translate()
    except FilterUnsupportedError:
        for other in ALL_PATTERNS:
            assert [topic for topic in ALL_TOPICS if takes(other, topic)] != wanted
    else:
        assert [topic for topic in ALL_TOPICS if takes(pattern, topic)] == wanted


@given(levels=st.lists(st.sampled_from("ab+"), max_size=4), below=st.booleans())
def test_mqtt_filters_become_equal_patterns_or_have_none(levels: list[str], below: bool) -> None:
    assume(levels or below)
    filter_ = "/".join([*levels, *(["#"] if below else [])])
    check(lambda: from_mqtt(filter_), lambda topic: by_mqtt(filter_, topic))
    for topic in ALL_TOPICS[:20]:
        assert by_mqtt(filter_, topic) == topic_matches_sub(filter_, topic)


@given(levels=st.lists(st.sampled_from(["a", "b", "*", "**"]), min_size=1, max_size=4))
def test_zenoh_expressions_become_equal_patterns_or_have_none(levels: list[str]) -> None:
    expression = "/".join(levels)
    # More wildcards than the topics are deep would take none of them.
    check(lambda: from_zenoh(expression), lambda topic: by_zenoh(expression, topic))


subjects = st.builds(
    lambda levels, below: ".".join([*levels, *([">"] if below else [])]),
    st.lists(st.sampled_from("ab*"), min_size=1, max_size=3),
    st.booleans(),
)


@given(subject=subjects, more=st.booleans(), other=subjects)
def test_nats_subjects_become_equal_patterns_or_have_none(subject: str, more: bool, other: str) -> None:
    given_ = (subject, f"{subject.removesuffix('.>')}.>") if more else (subject, other)
    # Two subjects may happen to be a pattern in another way; then they are refused, with a reason.
    if more or set(given_) == {subject}:
        check(lambda: from_nats(*given_), lambda topic: by_nats(given_, topic))


@pytest.mark.parametrize(
    ("translate", "text", "says"),
    [
        (to_mqtt, "a/b+", "MQTT has no '+' in a level: 'b+'"),
        (to_mqtt, "a/#", "MQTT has no '#' in a level: '#'"),
        (to_mqtt, "$share/group/a", "MQTT takes '$share' for a shared subscription"),
        (to_mqtt, "x" * 65_534, "MQTT has no filters of more than 65,535 bytes"),
        (to_nats, "a.b/c", "NATS has no '.' in a level: 'a.b'"),
        (to_nats, "a/b c", "NATS has no spaces in subjects: 'b c'"),
        (to_nats, "a/>", "NATS has no '>' in a level: '>'"),
        (to_nats, "a/b*", "NATS has no '*' in a level: 'b*'"),
        (to_zenoh, "a/$b", "Zenoh has no '$' in a level: '$b'"),
        (to_zenoh, "a/**/b", "Zenoh has no '*' in a level: '**'"),
        (from_mqtt, "a/b", "wants this level alone; a pattern means all below it as well"),
        (from_mqtt, "a/+", "wants this level alone; a pattern means all below it as well"),
        (from_mqtt, "#", "the first level cannot be a wildcard"),
        (from_mqtt, "+/a/#", "the first level cannot be a wildcard"),
        (from_mqtt, "a/+/#", "wants what lies below 'a', but not that itself"),
        (from_mqtt, "a/*/#", "'*' is a level like any other in MQTT, and a wildcard here"),
        (from_mqtt, "$share/g/a/#", "this is a shared subscription"),
        (from_mqtt, "a//b/#", "a topic has no empty levels"),
        (from_nats, "a.b", "wants this level alone; a pattern means all below it as well"),
        (from_nats, "a.>", "wants what lies below 'a', but not that itself"),
        (from_nats, ">", "the first level cannot be a wildcard"),
        (from_zenoh, "a/b", "wants this level alone; a pattern means all below it as well"),
        (from_zenoh, "a/**/b/**", "'**' can only come last: a pattern has no gap of any length"),
        (from_zenoh, "**/a", "the first level cannot be a wildcard"),
        (from_zenoh, "a/b$*/**", "a wildcard here is a whole level, not a part of one"),
        (from_zenoh, "a/*/**", "wants what lies below 'a', but not that itself"),
        (from_zenoh, "a/**/*", "wants what lies below 'a', but not that itself"),
    ],
)
def test_what_has_no_equivalent_is_refused_with_the_reason(
    translate: Callable[[str], object], text: str, says: str
) -> None:
    with pytest.raises(FilterUnsupportedError) as raised:
        translate(text)
    assert raised.value.message == says
    assert raised.value.text == text


@pytest.mark.parametrize(
    ("translate", "text", "at", "says"),
    [
        (from_mqtt, "", 0, "MQTT has no empty filters"),
        (from_nats, "", 0, "NATS has no empty tokens"),
        (from_zenoh, "", 0, "Zenoh has no empty levels"),
        (from_mqtt, "a/#/b", 2, "in MQTT, '#' can only be the last level"),
        (from_mqtt, "a/b#", 2, "in MQTT, '#' takes a level of its own"),
        (from_mqtt, "a/+b/#", 2, "in MQTT, '+' takes a level of its own"),
        (from_nats, "a..b", 2, "NATS has no empty tokens"),
        (from_nats, "a.b c", 2, "NATS has no spaces in subjects"),
        (from_nats, "a.>.b", 2, "in NATS, '>' can only be the last token"),
        (from_nats, "ab.c*", 3, "in NATS, '*' takes a token of its own"),
        (from_zenoh, "a//b", 2, "Zenoh has no empty levels"),
        (from_zenoh, "a/b*/**", 2, "Zenoh has no '*' in a level"),
        (from_zenoh, "a/b#/**", 2, "Zenoh has no '#' in a level"),
    ],
)
def test_what_the_other_notation_does_not_allow_is_a_syntax_error(
    translate: Callable[[str], object], text: str, at: int, says: str
) -> None:
    with pytest.raises(FilterSyntaxError) as raised:
        translate(text)
    assert (raised.value.message, raised.value.at) == (says, at)


@pytest.mark.parametrize(
    ("translate", "text", "hint"),
    [
        (from_mqtt, "a/b", "write a/b/#"),
        (from_mqtt, "a/+/b/+/+", "write a/+/b/#"),
        (from_nats, "a.*", "write both: a, a.>"),
        (from_zenoh, "a/*", "write a/**"),
        (from_mqtt, "+", "start with the name of a stream"),
        (from_nats, "*.a", "start with the name of a stream"),
        (from_zenoh, "*", "start with the name of a stream"),
    ],
)
def test_a_hint_is_something_that_can_be_translated(
    translate: Callable[[str], object], text: str, hint: str
) -> None:
    with pytest.raises(FilterUnsupportedError) as raised:
        translate(text)
    assert raised.value.hint == hint


def test_levels_that_the_other_side_separates_otherwise_are_refused() -> None:
    with pytest.raises(FilterUnsupportedError, match="'/' separates levels here: 'a/b'"):
        from_nats("a/b", "a/b.>")
    with pytest.raises(FilterUnsupportedError, match="makes no pattern together with a"):
        from_nats("a", "b.>")
    with pytest.raises(FilterUnsupportedError, match="wants what lies below 'a'"):
        from_nats("a.*", "a.*.>")
    with pytest.raises(TypeError, match="needs a subject"):
        from_nats()


@pytest.mark.parametrize("translate", [to_mqtt, to_nats, to_zenoh])
def test_what_is_no_pattern_is_refused_before_it_is_translated(translate: Callable[[str], object]) -> None:
    with pytest.raises(FilterTypeError, match="first level"):
        translate("*/a")
    with pytest.raises(FilterError, match="control"):
        translate("a/\n")


def test_the_examples() -> None:
    assert to_mqtt("A/*/C") == "A/+/C/#"
    assert to_nats("A/*/C") == ("A.*.C", "A.*.C.>")
    assert to_zenoh("A/*/C") == "A/*/C/**"
    assert from_zenoh("A/**/**") == "A"
