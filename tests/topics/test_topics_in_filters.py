"""Topics inside content filters: streams chosen by their place in the hierarchy and by what they say.

`TOPIC` means in every engine what a table of topics means by the same pattern, beside all other conditions.
"""

from collections.abc import Callable

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from topic_world import expected, patterns, rows, takes, topics

from engines import every_engine
from penstock import Constraint, ForwardingTable, Operator, parse
from penstock.errors import FilterLimitError, FilterTypeError
from penstock.model import Message
from penstock.oracle import matches
from penstock.topics import TopicTable

Maker = Callable[[], ForwardingTable]


@every_engine
def test_place_and_content_decide_together(make_table: Maker) -> None:
    table = make_table()
    table.subscribe("alarm", "topic TOPIC 'Streams/Sensor/*/Pressure' AND value > 10")
    table.subscribe("archive", "topic TOPIC 'Streams'")
    table.subscribe("rest", "topic NOT TOPIC 'Streams/Sensor' AND value <= 10")
    high = {"topic": "Streams/Sensor/Fluid/Pressure/Inlet", "value": 12.5}
    assert sorted(table.match(high)) == ["alarm", "archive"]
    assert table.match({**high, "value": 9}) == ["archive"]
    assert table.match({**high, "topic": "Streams/Sensor/Fluid"}) == ["archive"]
    assert sorted(table.match({"topic": "Streams/Log", "value": 3})) == ["archive", "rest"]
    assert table.match({"value": 12}) == []
    assert table.match({"topic": 5, "value": 3}) == []


@every_engine
@given(held=rows, sent=st.lists(topics, min_size=1, max_size=4))
def test_topic_means_the_same_as_in_a_table_of_topics(
    make_table: Maker, held: list[tuple[str, str]], sent: list[str]
) -> None:
    table = make_table()
    for pattern, destination in held:
        table.subscribe(destination, Constraint("topic", Operator.TOPIC, pattern))
    by_topic = TopicTable()
    by_topic.subscribe_many([pattern for pattern, _ in held], [name for _, name in held])
    for topic in sent:
        found = sorted(table.match({"topic": topic, "value": 1}))
        assert found == sorted(by_topic.match(topic)) == expected(held, topic)


@every_engine
@given(
    held=st.lists(st.tuples(patterns, st.booleans(), st.integers(0, 3)), max_size=8),
    sent=st.lists(st.tuples(topics, st.integers(0, 3)), min_size=1, max_size=4),
)
def test_topics_and_numbers_combine_as_the_oracle_says(
    make_table: Maker, held: list[tuple[str, bool, int]], sent: list[tuple[str, int]]
) -> None:
    table = make_table()
    predicates = {}
    for number, (pattern, negated, bound) in enumerate(held):
        lies = Constraint("t", Operator.NOT_TOPIC if negated else Operator.TOPIC, pattern)
        predicates[f"i{number}"] = predicate = parse(f"{lies} AND v > {bound} OR {lies} AND v = 0")
        table.subscribe(f"i{number}", predicate)
    batch = pa.table({"t": [topic for topic, _ in sent], "v": [value for _, value in sent]})
    for (topic, value), answer in zip(sent, table.match_batch(batch, names=True).to_pylist(), strict=True):
        message: Message = {"t": topic, "v": value}
        wanted = sorted(name for name, predicate in predicates.items() if matches(predicate, message))
        assert sorted(table.match(message)) == sorted(answer or ()) == wanted
        for name, (pattern, negated, bound) in zip(predicates, held, strict=True):
            assert (name in wanted) == ((takes(pattern, topic) != negated) and (value > bound or value == 0))


@given(wide=patterns, narrow=patterns, sent=st.lists(topics, max_size=6))
def test_covering_understands_topics(wide: str, narrow: str, sent: list[str]) -> None:
    outer = parse(f"{Constraint('t', Operator.TOPIC, wide)}")
    inner = parse(f"{Constraint('t', Operator.TOPIC, narrow)} AND v > 10")
    # Level by level: a wildcard takes what a literal takes, and a shorter pattern all that is below it.
    covers = takes(wide, "/".join("?" if level == "*" else level for level in narrow.split("/")))
    assert outer.covers(inner) == covers
    assert not inner.covers(outer)
    if covers:
        assert all(takes(wide, topic) for topic in sent if takes(narrow, topic))


def test_covering_by_example() -> None:
    for wide, narrow, covers in [
        ("t TOPIC 'a'", "t TOPIC 'a/*/c' AND v > 10", True),
        ("t TOPIC 'a/*/c'", "t TOPIC 'a/b/c/d'", True),
        ("t TOPIC 'a/*/c'", "t TOPIC 'a/b'", False),
        ("t TOPIC 'a/b'", "t TOPIC 'a/*'", False),
        ("t TOPIC 'a/*/c' AND v > 10", "t TOPIC 'a/b/c' AND v > 20", True),
        ("t TOPIC 'a/*/c' AND v > 10", "t TOPIC 'a/b/c'", False),
        ("t TOPIC 'a/b'", "t = 'a/b/c'", True),
        ("t NOT TOPIC 'a/b/c'", "t NOT TOPIC 'a/*/c'", True),
        ("t NOT TOPIC 'a/b'", "t TOPIC 'a/c'", True),
    ]:
        assert parse(wide).covers(parse(narrow)) == covers, (wide, narrow)


@pytest.mark.parametrize(
    ("pattern", "kind", "says"),
    [
        ("*/a", FilterTypeError, "first level"),
        ("a//b", FilterTypeError, "empty level"),
        ("a/\n", FilterTypeError, "control characters"),
        ("/".join("a" * 17), FilterLimitError, "17 levels"),
    ],
)
def test_a_filter_refuses_what_a_table_of_topics_refuses(
    pattern: str, kind: type[FilterTypeError | FilterLimitError], says: str
) -> None:
    with pytest.raises(kind, match=says) as raised:
        parse(f"v > 1 AND t TOPIC '{pattern}'")
    assert raised.value.at == 18
    with pytest.raises(kind, match=says):
        Constraint("t", Operator.TOPIC, pattern)


def test_an_attribute_is_a_string_first_and_need_not_be_a_topic() -> None:
    """Other filters may want the message: what is no topic lies on no branch, and is no error."""
    table = ForwardingTable()
    table.subscribe("on", "t TOPIC 'a'")
    table.subscribe("off", "t NOT TOPIC 'a'")
    for text in ("", "/a", "b//", "x\n", "/".join("b" * 40)):
        assert table.match({"t": text}) == ["off"]
    assert table.match({"t": "/".join("a" * 40)}) == ["on"]
