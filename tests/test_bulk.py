"""A refused bulk leaves no trace: no rows, no used-up ids, no error without its row."""

from typing import Any

import pytest

from penstock import Constraint, Filter, ForwardingTable, Operator, Predicate


@pytest.mark.parametrize(
    ("interfaces", "filters", "row"),
    [
        (["a", "b"], ["x = 1", "x ="], 1),
        (["a", 3], ["x = 1", "x = 2"], 1),
        (["a", "b", "c"], ["x = 1", None, "x = 3"], 1),
        (["\ud800"], ["x = 1"], 0),
        (["a", "b"], ["x = 1", Constraint("x", Operator.IN, range(10_001))], 1),
    ],
)
def test_a_refused_bulk_leaves_no_trace(interfaces: Any, filters: Any, row: int) -> None:
    table = ForwardingTable()
    kept = table.subscribe("kept", "x = 1")
    with pytest.raises((TypeError, ValueError)) as caught:
        table.subscribe_many(interfaces, filters)
    assert vars(caught.value)["row"] == row
    assert list(table.interfaces) == ["kept"]
    assert table.match({"x": 1}) == ["kept"]
    assert table.stats().constraints == 1
    assert table.subscribe("next", "x = 2") == kept + 1


def test_collections_of_values_hold_their_own_kind() -> None:
    with pytest.raises(TypeError, match="a Filter holds Constraints, not str"):
        Filter(["a = 1"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="a Predicate holds Filters, not Constraint"):
        Predicate([Constraint("a", Operator.EQ, 1)])  # type: ignore[list-item]


def test_interfaces_have_ids_in_the_order_of_their_rows_although_some_filters_are_known() -> None:
    table = ForwardingTable()
    table.subscribe_many(["north"], ["a = 1"])
    table.subscribe_many(["south", "west"], ["a = 1", "b = 2"])
    assert [table.interfaces.name_of(number) for number in range(3)] == ["north", "south", "west"]
    assert sorted(table.match({"a": 1})) == ["north", "south"]
