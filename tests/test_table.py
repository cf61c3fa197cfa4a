"""The forwarding table: subscribing, leaving, errors that change nothing, and its accounts."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engines import every_engine
from penstock import ForwardingTable
from penstock.errors import (
    FilterError,
    FilterLimitError,
    FilterSyntaxError,
    FilterTypeError,
    UnknownInterfaceError,
    UnknownSubscriptionError,
)
from penstock.language import parse
from penstock.model import Constraint, Filter, Limits, Operator, Predicate

Maker = Callable[[], ForwardingTable]


def snapshot(table: ForwardingTable) -> Any:
    """All that can be seen of a table."""
    stats = dataclasses.asdict(table.stats())
    counts = {key: value for key, value in stats.items() if "bytes" not in key}
    return len(table), dict(table.interfaces), sorted(table.subscriptions(), key=lambda row: row[0]), counts


@pytest.fixture
def table() -> ForwardingTable:
    table = ForwardingTable()
    table.subscribe("alice", "carrier = 'UA' AND price < 500")
    table.subscribe("bob", "price < 300")
    return table


def test_a_message_goes_to_the_interfaces_that_want_it(table: ForwardingTable) -> None:
    assert sorted(table.match({"carrier": "UA", "price": 200})) == ["alice", "bob"]
    assert table.match({"carrier": "UA", "price": 400}) == ["alice"]
    assert table.match({"carrier": "LH", "price": 400}) == []


@every_engine
def test_an_empty_table_matches_nothing(make_table: Maker) -> None:
    table = make_table()
    table.build()
    assert table.match({"a": 1}) == []
    assert table.match_ids({}).tolist() == []
    assert (len(table), dict(table.interfaces), list(table.subscriptions())) == (0, {}, [])


@pytest.mark.parametrize(
    "condition",
    ["a = 1", Constraint("a", Operator.EQ, 1), Filter([Constraint("a", Operator.EQ, 1)]), parse("a = 1")],
    ids=lambda condition: type(condition).__name__,
)
def test_a_subscription_is_a_text_a_constraint_a_filter_or_a_predicate(condition: Any) -> None:
    table = ForwardingTable()
    table.subscribe("it", condition)
    assert [predicate for _, _, predicate in table.subscriptions()] == [parse("a = 1")]


@every_engine
def test_unsubscribing_is_the_reverse_of_subscribing(make_table: Maker) -> None:
    table = make_table()
    kept = table.subscribe("north", "a > 1")
    left = table.subscribe("north", "a > 5 OR b = 1")
    table.unsubscribe(left)
    assert table.match({"a": 2}) == ["north"]
    assert table.match({"b": 1}) == []
    assert [row[0] for row in table.subscriptions()] == [kept]


def test_ids_are_in_the_table_while_they_live(table: ForwardingTable) -> None:
    number = table.subscribe("alice", "a = 1")
    assert isinstance(number, int)
    assert number in table
    table.unsubscribe(number)
    assert number not in table
    assert -1 not in table
    assert "alice" not in table


@every_engine
def test_removing_the_last_subscription_removes_the_interface(make_table: Maker) -> None:
    table = make_table()
    first, second = table.subscribe("north", "a = 1"), table.subscribe("north", "b = 1")
    table.subscribe("south", "TRUE")
    table.unsubscribe(first)
    assert set(table.interfaces) == {"north", "south"}
    table.unsubscribe(second)
    assert set(table.interfaces) == {"south"}
    assert table.stats().interfaces == 1
    assert table.match({"a": 1, "b": 1}) == ["south"]


@every_engine
def test_an_interface_may_come_back(make_table: Maker) -> None:
    table = make_table()
    for _ in range(3):
        number = table.subscribe("north", "a = 1")
        assert table.match({"a": 1}) == ["north"]
        table.unsubscribe(number)
        assert table.match({"a": 1}) == []


@every_engine
def test_the_same_filter_may_be_subscribed_twice(make_table: Maker) -> None:
    table = make_table()
    first, second = table.subscribe("north", "a = 1"), table.subscribe("north", "a = 1")
    assert first != second
    table.unsubscribe(first)
    assert table.match({"a": 1}) == ["north"]
    table.unsubscribe(second)
    assert table.match({"a": 1}) == []


@every_engine
def test_identical_filters_are_stored_once(make_table: Maker) -> None:
    table = make_table()
    for interface in ["north", "south", "east"]:
        table.subscribe(interface, "a = 1 AND b < 2")
        table.subscribe(interface, "b < 2 AND a = 1.0")
    stats = table.stats()
    assert (stats.subscriptions, stats.interfaces, stats.filters) == (6, 3, 1)
    assert (stats.constraints, stats.names) == (2, 2)


def test_stats_count_constraints_in_distinct_filters() -> None:
    table = ForwardingTable("selectivity", rounds=3)
    table.subscribe("north", "a = 1 AND b = 1 OR a = 1 AND c = 1")
    stats = table.stats()
    assert (stats.engine, stats.filters, stats.constraints) == ("selectivity", 2, 4)
    assert stats.total_bytes == sum(stats.bytes.values()) > 0
    assert stats.bytes_per_constraint == pytest.approx(stats.total_bytes / 4)
    assert 0 < stats.index_bytes_per_constraint <= stats.bytes_per_constraint
    with pytest.raises(dataclasses.FrozenInstanceError):
        stats.filters = 5  # type: ignore[misc]


@every_engine
def test_an_empty_table_counts_nothing(make_table: Maker) -> None:
    stats = make_table().stats()
    assert (stats.subscriptions, stats.interfaces, stats.filters, stats.constraints) == (0, 0, 0, 0)


@every_engine
def test_everything_that_was_subscribed_can_leave(make_table: Maker) -> None:
    table = make_table()
    ids = table.subscribe_many(
        [f"i{n % 10}" for n in range(500)], [f"a = {n} OR b < {n}" for n in range(500)]
    )
    table.build()
    for number in ids.tolist():
        table.unsubscribe(number)
    stats = table.stats()
    assert (len(table), stats.interfaces, stats.filters, stats.constraints) == (0, 0, 0, 0)
    assert table.match({"a": 1, "b": -1}) == []


@every_engine
def test_many_subscriptions_at_once_are_the_same_as_one_by_one(make_table: Maker) -> None:
    names = ["north", "south", "north"]
    wanted: list[Any] = ["a = 1", parse("b = 1"), Constraint("c", Operator.EQ, 1)]
    at_once, one_by_one = make_table(), make_table()
    ids = at_once.subscribe_many(names, wanted)
    assert ids.dtype == np.int64
    assert ids.tolist() == [one_by_one.subscribe(*row) for row in zip(names, wanted, strict=True)]
    assert snapshot(at_once) == snapshot(one_by_one)
    at_once.unsubscribe(ids[0])
    assert int(ids[0]) not in at_once


def test_no_subscriptions_at_once_are_none() -> None:
    assert ForwardingTable().subscribe_many([], []).tolist() == []


def test_columns_of_different_length_are_refused(table: ForwardingTable) -> None:
    before = snapshot(table)
    with pytest.raises(ValueError, match="same length"):
        table.subscribe_many(["a", "b"], ["a = 1"])
    assert snapshot(table) == before


@every_engine
@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("price <", FilterSyntaxError),
        ("price STARTS WITH 5", FilterTypeError),
        (" AND ".join(f"(a{n} = 1 OR b{n} = 1)" for n in range(11)), FilterLimitError),
        ("x" * 70_000, FilterLimitError),
    ],
)
def test_a_bad_filter_leaves_the_table_as_it_was(
    make_table: Maker, bad: str, kind: type[FilterError]
) -> None:
    table = make_table()
    table.subscribe("north", "a = 1")
    before = snapshot(table)
    with pytest.raises(kind):
        table.subscribe("south", bad)
    assert snapshot(table) == before
    with pytest.raises(kind) as raised:
        table.subscribe_many(["new", "newer", "newest"], ["z = 1", "y = 2", bad])
    assert raised.value.row == 2
    assert snapshot(table) == before
    assert table.match({"a": 1, "z": 1, "y": 2}) == ["north"]


@pytest.mark.parametrize("bad", [5, None, b"a = 1", ["a = 1"], {"a": 1}])
def test_only_filters_can_be_subscribed(table: ForwardingTable, bad: Any) -> None:
    before = snapshot(table)
    with pytest.raises((TypeError, FilterTypeError)):
        table.subscribe("south", bad)
    with pytest.raises((TypeError, FilterTypeError)):
        table.subscribe_many(["x", "south"], ["a = 1", bad])
    assert snapshot(table) == before


@pytest.mark.parametrize("bad", [5, None, b"north", "\ud800"])
def test_interfaces_are_named_by_text(table: ForwardingTable, bad: Any) -> None:
    before = snapshot(table)
    with pytest.raises((TypeError, ValueError)):
        table.subscribe(bad, "a = 1")
    with pytest.raises((TypeError, ValueError)):
        table.subscribe_many(["x", bad], ["a = 1", "a = 1"])
    assert snapshot(table) == before


@every_engine
def test_a_stale_id_is_unknown(make_table: Maker) -> None:
    table = make_table()
    stale = table.subscribe("north", "a = 1")
    table.unsubscribe(stale)
    other = table.subscribe("south", "a = 1")
    before = snapshot(table)
    for unknown in (stale, other + 1, 999, -1, 2**40, 2**63 - 1, 2**70, -(2**70)):
        with pytest.raises(UnknownSubscriptionError) as raised:
            table.unsubscribe(unknown)
        assert raised.value.id == unknown
    assert snapshot(table) == before


def test_an_id_of_another_table_is_unknown() -> None:
    mine, yours = ForwardingTable(), ForwardingTable()
    ids = [yours.subscribe("north", "a = 1") for _ in range(5)]
    with pytest.raises(UnknownSubscriptionError):
        mine.unsubscribe(ids[4])


@pytest.mark.parametrize("bad", ["1", None, 1.5])
def test_ids_are_integers(table: ForwardingTable, bad: Any) -> None:
    before = snapshot(table)
    with pytest.raises((TypeError, UnknownSubscriptionError)):
        table.unsubscribe(bad)
    assert snapshot(table) == before


def test_interfaces_are_a_read_only_mapping_of_names_to_ids(table: ForwardingTable) -> None:
    assert set(table.interfaces) == {"alice", "bob"}
    assert len(table.interfaces) == 2
    assert "alice" in table.interfaces
    assert table.interfaces.name_of(table.interfaces["bob"]) == "bob"
    with pytest.raises(TypeError):
        table.interfaces["carol"] = 5  # type: ignore[index]


def test_unknown_interfaces_are_named(table: ForwardingTable) -> None:
    with pytest.raises(UnknownInterfaceError):
        table.interfaces["carol"]
    for unknown in (99, -1, 2**40, 2**70, -(2**70)):
        with pytest.raises(UnknownInterfaceError) as raised:
            table.interfaces.name_of(unknown)
        assert raised.value.name_or_id == unknown
    assert table.interfaces.get("carol") is None


@pytest.mark.parametrize("bad", [0.9, "0", None])
def test_ids_of_interfaces_are_integers(table: ForwardingTable, bad: Any) -> None:
    with pytest.raises(TypeError, match="integer"):
        table.interfaces.name_of(bad)
    assert table.interfaces.name_of(table.match_ids({"price": 1})[0]) == "bob"


def test_subscriptions_are_listed_with_id_interface_and_predicate() -> None:
    table = ForwardingTable()
    number = table.subscribe("north", "b = 1 OR a = 1")
    assert list(table.subscriptions()) == [(number, "north", Predicate(parse("a = 1 OR b = 1")))]


def test_only_known_engines_exist() -> None:
    with pytest.raises(ValueError, match="counting"):
        ForwardingTable("magic")  # type: ignore[arg-type]
    assert ForwardingTable().engine == "access"
    assert ForwardingTable("selectivity", rounds=7).rounds == 7


@pytest.mark.parametrize("rounds", [-1, 2**32, 2**20_000], ids=["negative", "large", "enormous"])
def test_rounds_out_of_bounds_are_told_the_bounds(rounds: int) -> None:
    with pytest.raises(ValueError, match="rounds must be from 0 to 4,294,967,295"):
        ForwardingTable("selectivity", rounds=rounds)


@pytest.mark.parametrize("rounds", ["3", 1.5, None])
def test_rounds_are_an_integer(rounds: Any) -> None:
    with pytest.raises(TypeError, match="integer"):
        ForwardingTable("selectivity", rounds=rounds)


def test_the_limits_of_a_table_are_its_own() -> None:
    strict = ForwardingTable(limits=Limits(filters=2, constraints=2, set_values=2, depth=3, text_bytes=50))
    strict.subscribe("north", "a = 1 OR b = 1")
    for text in [
        "a = 1 OR b = 1 OR c = 1",
        "a=1 AND b=1 AND c=1",
        "a IN (1, 2, 3)",
        "((((a = 1))))",
        "a = 1" + " " * 50,
    ]:
        with pytest.raises(FilterLimitError):
            strict.subscribe("north", text)
    assert len(strict) == 1


@pytest.mark.parametrize("bad", [0, 5, False, {}, {"filters": 2}, Limits])
def test_limits_are_limits(bad: Any) -> None:
    with pytest.raises(TypeError, match="limits must be Limits, not"):
        ForwardingTable(limits=bad)
    ForwardingTable(limits=None).subscribe("north", "a = 1 OR b = 1")


def test_building_early_changes_nothing_but_the_time(table: ForwardingTable) -> None:
    before = snapshot(table)
    table.build()
    table.build()
    assert snapshot(table) == before
    table.subscribe("carol", "price = 1")
    assert sorted(table.match({"price": 1})) == ["bob", "carol"]
