"""Every engine gives the oracle's answer, for messages that lie close to the filters."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import Phase, event, find, given, settings
from hypothesis import strategies as st

from engines import MAKERS, every_engine
from penstock import ForwardingTable
from penstock.model import Constraint, Filter, Message, Operator, Predicate, Type
from penstock.oracle import matches
from strategies import EQUALITY, ORDER, SETS, TEXT_PARTS, constraints, interfaces, messages_near, predicates

Subscriptions = Sequence[tuple[str, Predicate]]
subscriptions = st.lists(st.tuples(interfaces, predicates), max_size=8)


def expected(wanted: Subscriptions, message: Message) -> list[str]:
    return sorted({interface for interface, predicate in wanted if matches(predicate, message)})


def fill(table: ForwardingTable, wanted: Subscriptions) -> None:
    for interface, predicate in wanted:
        table.subscribe(interface, predicate)


@given(subscriptions, st.data())
def test_every_engine_equals_the_oracle(wanted: Subscriptions, data: st.DataObject) -> None:
    tables = {name: make() for name, make in MAKERS.items()}
    for table in tables.values():
        fill(table, wanted)
    predicates_of = [predicate for _, predicate in wanted]
    for message in data.draw(st.lists(messages_near(predicates_of), min_size=1, max_size=6)):
        answer = expected(wanted, message)
        event(f"{len(answer)} interfaces match")
        for name, table in tables.items():
            assert sorted(table.match(message)) == answer, (name, message)


@given(constraints, st.data())
def test_every_engine_equals_the_oracle_on_one_constraint(
    constraint: Constraint, data: st.DataObject
) -> None:
    message = data.draw(messages_near([constraint]))
    event(f"{constraint.operator.name} {constraint.type.name}: {matches(constraint, message)}")
    for name, make in MAKERS.items():
        table = make()
        table.subscribe("it", constraint)
        assert table.match(message) == ["it"] * matches(constraint, message), name


# Every operator with every type that has it.
TEXTUAL = [*ORDER, *TEXT_PARTS, *SETS, Operator.LIKE, Operator.NOT_LIKE, Operator.TOPIC, Operator.NOT_TOPIC]
FORMS: list[tuple[Operator, Type, Any]] = [(operator, Type.STRING, "x/*_a") for operator in TEXTUAL]
FORMS += [(operator, Type.NUMBER, 5) for operator in [*ORDER, *SETS]]
FORMS += [(operator, Type.INT, 5) for operator in [*ORDER, *SETS]]
FORMS += [(operator, Type.FLOAT, 5.5) for operator in [*ORDER, *SETS]]
FORMS += [(operator, Type.BOOL, True) for operator in EQUALITY]
FORMS += [(Operator.EXISTS, asked, None) for asked in Type]
FORMS += [(Operator.NOT_EXISTS, Type.ANY, None)]


@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize(("operator", "asked", "operand"), FORMS)
def test_the_drawn_messages_reach_both_answers(
    operator: Operator, asked: Type, operand: Any, answer: bool
) -> None:
    """The tests above would say little if the messages never, or always, satisfied a constraint."""
    value = [operand, operand * 2] if operator in SETS else operand
    constraint = Constraint("a", operator, value, asked)
    assert (constraint.operator, constraint.type) == (operator, asked)
    quickly = settings(database=None, phases=[Phase.generate], max_examples=1000)
    find(
        messages_near([constraint]), lambda message: matches(constraint, message) is answer, settings=quickly
    )


@given(wanted=subscriptions, data=st.data())
def test_ids_are_the_names(wanted: Subscriptions, data: st.DataObject) -> None:
    message = data.draw(messages_near([predicate for _, predicate in wanted]))
    for make_table in MAKERS.values():
        table = make_table()
        fill(table, wanted)
        ids = table.match_ids(message)
        assert str(ids.dtype) == "uint32"
        assert [table.interfaces.name_of(int(each)) for each in ids] == table.match(message)


@given(subscriptions, st.data())
def test_no_rounds_equal_counting(wanted: Subscriptions, data: st.DataObject) -> None:
    counting, selectivity = ForwardingTable("counting"), ForwardingTable("selectivity", rounds=0)
    fill(counting, wanted)
    fill(selectivity, wanted)
    message = data.draw(messages_near([predicate for _, predicate in wanted]))
    assert counting.match_ids(message).tolist() == selectivity.match_ids(message).tolist()


@every_engine
def test_many_filters_on_few_values_equal_the_oracle(make_table: Callable[[], ForwardingTable]) -> None:
    """Enough of everything to fill whatever the engines group, sort and cut into blocks."""
    table = make_table()
    for number in range(3000):
        text = (
            f"a >= {number % 50} AND a < {number % 50 + 3} AND b != {number % 7} AND c IN ('x', 'y{number}')"
        )
        table.subscribe(f"i{number % 300}", text)
    rows = [(interface, predicate) for _, interface, predicate in table.subscriptions()]
    for a in range(-1, 55, 5):
        message: Mapping[str, int | str] = {"a": a, "b": a % 7, "c": "x" if a % 2 else f"y{a}"}
        assert sorted(table.match(message)) == expected(rows, message)


@every_engine
def test_an_interface_is_named_once_however_many_of_its_filters_match(
    make_table: Callable[[], ForwardingTable],
) -> None:
    table = make_table()
    table.subscribe("north", "a > 1 OR a > 2 OR EXISTS a")
    table.subscribe("north", "a > 3")
    assert table.match({"a": 5}) == ["north"]


@every_engine
def test_an_empty_filter_matches_every_message(make_table: Callable[[], ForwardingTable]) -> None:
    table = make_table()
    table.subscribe("all", Filter())
    table.subscribe("none", Predicate())
    assert table.match({}) == table.match({"a": 1}) == ["all"]


@every_engine
def test_only_absence_matches_the_empty_message(make_table: Callable[[], ForwardingTable]) -> None:
    table = make_table()
    table.subscribe("absent", "NOT EXISTS a AND NOT EXISTS b")
    table.subscribe("present", "EXISTS a")
    assert table.match({}) == ["absent"]
    assert table.match({"a": 1}) == ["present"]
    assert table.match({"b": 1}) == []
