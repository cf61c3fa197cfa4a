"""What a table of topics promises its users: rules, answers, errors, and what can be read back."""

import pickle
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from topic_world import every_scheme, filled

from penstock.errors import (
    FilterError,
    FilterLimitError,
    FilterSyntaxError,
    FilterTypeError,
    MessageError,
    PenstockError,
    UnknownDestinationError,
    UnknownSubscriptionError,
)
from penstock.topics import Scheme, TopicTable


def test_the_default_is_the_radix_scheme_with_sixteen_levels() -> None:
    table = TopicTable()
    assert (table.scheme, table.levels, len(table)) == ("radix", 16, 0)
    assert repr(table) == "<TopicTable radix: 0 subscriptions of 0 destinations>"


@every_scheme
def test_the_example_of_the_paper(scheme: Scheme) -> None:
    table = TopicTable(scheme)
    assert table.scheme == scheme
    table.subscribe("Streams/Sensor/*/Pressure", "control room")
    table.subscribe("Streams/Sensor", "archive")
    assert sorted(table.match("Streams/Sensor/Fluid/Pressure")) == ["archive", "control room"]
    assert sorted(table.match("Streams/Sensor/Air/Pressure/Hall/3")) == ["archive", "control room"]
    assert table.match("Streams/Sensor/Pressure") == ("archive",)
    assert table.match("Streams/Sensors") == ()
    assert table.match("Streams") == ()


@every_scheme
def test_every_pattern_ends_in_a_wildcard_that_is_not_written(scheme: Scheme) -> None:
    table = filled(scheme, [("a/*/b/*/*", "x"), ("a/*/b", "y"), ("c/*", "z")])
    assert sorted(table.match("a/q/b")) == ["x", "y"]
    assert table.match("c") == ("z",)
    assert [pattern for _, pattern, _ in table.subscriptions()] == ["a/*/b", "a/*/b", "c"]


@every_scheme
def test_a_destination_is_reported_once_and_outlives_one_of_its_subscriptions(scheme: Scheme) -> None:
    table = TopicTable(scheme)
    first = table.subscribe("a/b", "x")
    second = table.subscribe("a/b", "x")
    third = table.subscribe("a/*", "x")
    assert table.match("a/b") == ("x",)
    assert table.match_ids("a/b").tolist() == [table.destinations["x"]]
    table.unsubscribe(first)
    table.unsubscribe(third)
    assert table.match("a/b") == ("x",)
    assert table.match("a/c") == ()
    table.unsubscribe(second)
    assert table.match("a/b") == ()
    assert "x" not in table.destinations


@every_scheme
def test_wildcard_counts_fall_with_the_last_destination_of_a_pattern_only(scheme: Scheme) -> None:
    table = TopicTable(scheme)
    ids = [table.subscribe("a/*/c", name) for name in "xyz"]
    table.unsubscribe(ids[0])
    table.unsubscribe(ids[1])
    assert table.match("a/b/c") == ("z",)


@every_scheme
@pytest.mark.parametrize(
    ("pattern", "kind", "at", "says"),
    [
        ("*/a", FilterTypeError, 0, "the first level of a topic cannot be a wildcard"),
        ("*", FilterTypeError, 0, "the first level of a topic cannot be a wildcard"),
        ("", FilterTypeError, 0, "a topic has no empty levels"),
        ("a//b", FilterTypeError, 2, "a topic has no empty levels"),
        ("é/", FilterTypeError, 2, "a topic has no empty levels"),
        ("/a", FilterTypeError, 0, "a topic has no empty levels"),
        ("ab/c\td", FilterTypeError, 4, "a topic cannot hold control characters"),
        ("/".join("a" * 17), FilterLimitError, 0, "a topic of 17 levels (limit 16)"),
        ("x" * 65_537, FilterLimitError, 0, "a topic of 65,537 bytes (limit 65,536)"),
        ("a/\ud800", FilterSyntaxError, 2, "a lone surrogate is not a character"),
    ],
)
def test_what_is_no_pattern_is_refused_with_the_place_and_the_reason(
    scheme: Scheme, pattern: str, kind: type[FilterError], at: int, says: str
) -> None:
    table = TopicTable(scheme)
    with pytest.raises(kind) as raised:
        table.subscribe(pattern, "x")
    assert (raised.value.message, raised.value.at, raised.value.text) == (says, at, pattern)
    with pytest.raises(kind) as raised:
        table.subscribe_many(["a", pattern], ["x", "x"])
    assert raised.value.row == 1
    assert len(table) == len(table.destinations) == 0


@every_scheme
@pytest.mark.parametrize(
    ("topic", "says"),
    [
        ("", "a topic has no empty levels; write 'a/b': no '/' at either end, no '//'"),
        ("a//b", "a topic has no empty levels; write 'a/b': no '/' at either end, no '//'"),
        ("a/*/b", "a topic that is published has no wildcards; name level 2; '*' is for patterns"),
        ("*", "a topic that is published has no wildcards; name level 1; '*' is for patterns"),
        ("a/\x00", "a topic cannot hold control characters"),
        ("/".join("a" * 17), "a topic of 17 levels (limit 16)"),
        ("x" * 65_537, "a topic of 65,537 bytes (limit 65,536)"),
        ("\udc00", "a topic holds a lone surrogate, which is not a character"),
    ],
)
def test_what_is_no_topic_is_refused_with_the_reason(scheme: Scheme, topic: str, says: str) -> None:
    table = filled(scheme, [("a", "x")])
    for match in (table.match, table.match_ids):
        with pytest.raises(MessageError) as raised:
            match(topic)
        assert str(raised.value) == says
        assert isinstance(raised.value, PenstockError)


@every_scheme
def test_levels_can_be_set(scheme: Scheme) -> None:
    table = TopicTable(scheme, levels=2)
    table.subscribe("a/b", "x")
    assert table.match("a/b") == ("x",)
    with pytest.raises(FilterLimitError):
        table.subscribe("a/b/c", "x")
    with pytest.raises(MessageError, match="limit 2"):
        table.match("a/b/c")
    deep = TopicTable(scheme, levels=30)
    deep.subscribe("/".join(["a"] * 30), "x")
    assert deep.match("/".join(["a"] * 30)) == ("x",)


@pytest.mark.parametrize("levels", [0, -1, 31, 2**40])
def test_levels_out_of_range_are_refused(levels: int) -> None:
    with pytest.raises(ValueError, match="levels must be from 1 to 30"):
        TopicTable(levels=levels)


def test_a_scheme_that_does_not_exist_is_refused() -> None:
    unknown: Any = "magic"
    with pytest.raises(ValueError, match="scheme must be one of radix, tree, hash, regex, not 'magic'"):
        TopicTable(unknown)


@every_scheme
def test_capability_names_work_and_nothing_is_found_without_them(scheme: Scheme) -> None:
    names = [str(uuid4()) for _ in range(500)]
    table = filled(scheme, [(f"{name}/*/alarm", f"of {name}") for name in names])
    for name in names[::50]:
        assert table.match(f"{name}/boiler/alarm") == (f"of {name}",)
        other = name[:-1] + ("0" if name[-1] != "0" else "1")
        assert table.match(f"{other}/boiler/alarm") == ()


@every_scheme
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((5, "x"), "a pattern is a str, not int"),
        ((None, "x"), "a pattern is a str, not NoneType"),
        (("a", b"x"), "a destination is named by a str, not bytes"),
    ],
)
def test_arguments_of_the_wrong_type_are_type_errors(
    scheme: Scheme, arguments: tuple[Any, Any], says: str
) -> None:
    with pytest.raises(TypeError, match=says):
        TopicTable(scheme).subscribe(*arguments)


@every_scheme
def test_other_calls_with_wrong_arguments(scheme: Scheme) -> None:
    table: Any = TopicTable(scheme)
    with pytest.raises(TypeError, match="a topic is a str, not int"):
        table.match(5)
    with pytest.raises(TypeError, match="two sequences"):
        table.subscribe_many("ab", ["x", "y"])
    with pytest.raises(TypeError, match="must be a sequence"):
        table.subscribe_many(5, ["x"])
    with pytest.raises(ValueError, match="same length"):
        table.subscribe_many(["a"], [])
    with pytest.raises(ValueError, match="longer than 64 KiB"):
        table.subscribe("a", "x" * 65_537)
    with pytest.raises(ValueError, match="lone surrogate"):
        table.subscribe("a", "\ud800")
    with pytest.raises(TypeError):
        table.unsubscribe("0")


@every_scheme
def test_ids_are_never_given_out_twice_and_strange_ones_are_unknown(scheme: Scheme) -> None:
    table = TopicTable(scheme)
    first = table.subscribe("a", "x")
    table.unsubscribe(first)
    second = table.subscribe("a", "x")
    assert first != second
    assert (first in table, second in table, "x" in table, -1 in table) == (False, True, False, False)
    for unknown in (first, -1, 2**70, 17):
        with pytest.raises(UnknownSubscriptionError):
            table.unsubscribe(unknown)
    table.unsubscribe(np.int64(second))
    assert len(table) == 0


def test_destinations_are_a_mapping_of_names_to_ids() -> None:
    table = filled("radix", [("a", "x"), ("b", "y"), ("c", "x")])
    assert sorted(table.destinations) == ["x", "y"]
    assert {name: table.destinations.name_of(id_) for name, id_ in table.destinations.items()} == {
        "x": "x",
        "y": "y",
    }
    assert repr(table.destinations) == "<Destinations: 2>"
    for unknown in ("z", "\ud800"):
        assert unknown not in table.destinations
        with pytest.raises(UnknownDestinationError):
            table.destinations[unknown]
    for number in (99, -1, 2**40):
        with pytest.raises(UnknownDestinationError, match=f"no destination has the id {number}"):
            table.destinations.name_of(number)
    error = pickle.loads(pickle.dumps(UnknownDestinationError("z")))
    assert str(error) == "no destination is named 'z'"


def test_a_name_that_takes_over_an_id_is_not_taken_for_the_old_one() -> None:
    table = TopicTable()
    first = table.subscribe("a", "old")
    assert table.match("a") == ("old",)
    table.unsubscribe(first)
    table.subscribe("a", "new")
    assert table.match("a") == ("new",)
    table.subscribe("a", "old")
    assert sorted(table.match("a")) == ["new", "old"]


def test_statistics_say_how_much_of_what() -> None:
    held = [("a/b/c", "x"), ("a/*/c", "y"), ("a/*/c", "z")]
    for scheme, index in {
        "tree": {"nodes": 4, "edges": 5},
        "hash": {"first levels": 1},
        "radix": {"nodes": 2},
        "regex": {},
    }.items():
        name: Any = scheme
        stats = filled(name, held).stats()
        assert (stats.scheme, stats.subscriptions, stats.destinations) == (scheme, 3, 3)
        assert stats.patterns == (3 if scheme == "regex" else 2)
        assert stats.index == index
        assert stats.total_bytes == sum(stats.bytes.values())
        assert stats.bytes["index"] == stats.index_bytes > 0
        assert stats.bytes_per_pattern == stats.total_bytes / stats.patterns


def test_native_times_are_measured_and_leave_the_table_as_it_was() -> None:
    table = filled("radix", [("a/b", "x")])
    assert table.time_matches(["a/b", "a/c"], 3).shape == (1, 3)
    spent = table.time_updates(["a/*/c", "d"], ["x", "y"])
    assert spent.shape == (2, 2)
    assert (spent > 0).all()
    assert len(table) == 1
    with pytest.raises(FilterError):
        table.time_updates(["a", "*"], ["x", "y"])
    assert len(table) == 1
