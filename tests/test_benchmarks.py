"""What the benchmarks stand on: workloads that are what they say, and figures judged the right way round."""

import re
from random import Random

import pytest

from access.batch import one_type
from access.events import FILTERS_A_VALUE, event, subscription
from access.figure import Figures
from access.growth import KINDS, Copy
from access.live import Live
from columns import to_columns
from common import Message, Spread
from penstock import Constraint, Filter, ForwardingTable, Operator, parse
from penstock.workload import Scenario2002, messages
from shapes import ONE_CONSTRAINT, SHAPES, Shape, Workload
from versus import Versus

COUNT, SENT, SEED = 400, 20, 7
BY_NAME = {shape.name: shape for shape in (*SHAPES, ONE_CONSTRAINT)}


def drawn(name: str) -> Workload:
    return BY_NAME[name].draw(COUNT, SENT, SEED)


def drawn_filters(name: str) -> list[Filter]:
    return [filter_ for text in drawn(name).texts for filter_ in parse(text)]


def constraints(name: str) -> list[Constraint]:
    return [constraint for filter_ in drawn_filters(name) for constraint in filter_]


@pytest.mark.parametrize("shape", BY_NAME.values(), ids=BY_NAME.keys())
def test_a_shape_is_drawn_alike_from_the_same_seed(shape: Shape) -> None:
    assert shape.draw(COUNT, SENT, SEED) == shape.draw(COUNT, SENT, SEED)
    assert shape.draw(COUNT, SENT, SEED) != shape.draw(COUNT, SENT, SEED + 1)


@pytest.mark.parametrize("shape", BY_NAME.values(), ids=BY_NAME.keys())
def test_a_shape_has_as_many_filters_and_messages_as_asked_for_and_matches(shape: Shape) -> None:
    workload = shape.draw(COUNT, SENT, SEED)
    assert (len(workload.texts), len(workload.sent)) == (COUNT, SENT)
    tables = Versus.load("selectivity", [f"i{n}" for n in range(COUNT)], workload.texts)
    assert tables.results(workload.sent) > 0


def test_only_ranges_are_in_the_shape_of_ranges() -> None:
    assert {each.operator for each in constraints("ranges only")} == {Operator.GE, Operator.LT}


def test_uniform_names_are_twenty() -> None:
    assert len({each.name for each in constraints("20 uniform names")}) == 20


def test_substrings_are_short() -> None:
    patterns = constraints("short substrings")
    assert {each.operator for each in patterns} == {Operator.SUBSTRING}
    assert {len(str(each.value)) for each in patterns} == {1, 2, 3}


def test_half_the_filters_share_the_hot_equality_and_every_message_has_it() -> None:
    workload = drawn("hot equality")
    assert sum("type = 'order' " in text for text in workload.texts) == COUNT // 2
    assert all(message["type"] == "order" for message in workload.sent)


def test_all_constraints_exclude_where_all_should() -> None:
    assert {each.operator for each in constraints("only !=")} == {Operator.NE}


def test_wrong_statistics_never_saw_the_most_common_name() -> None:
    workload = drawn("wrong statistics")
    common = Scenario2002(I=1).shape().attribute_names[0][0]
    assert any(common in message for message in workload.sent)
    assert workload.learned is not None
    assert not any(common in message for message in workload.learned)


def test_filters_of_one_constraint_have_one() -> None:
    assert {len(filter_) for filter_ in drawn_filters("one constraint")} == {1}


@pytest.mark.parametrize("kind", KINDS)
def test_copies_of_a_table_are_as_large_and_keep_out_of_each_others_messages(kind: str) -> None:
    copies: list[Copy] = [KINDS[kind](number, 1_000, SEED) for number in range(2)]
    assert len(copies[0].texts) == len(copies[1].texts)
    tables = [ForwardingTable() for _ in copies]
    for table, copy in zip(tables, copies, strict=True):
        table.subscribe_many(copy.interfaces, copy.texts)
    for first, second in zip(*(copy.sent[:100] for copy in copies), strict=True):
        assert sorted(tables[0].match(first)) == sorted(tables[1].match(second))
        assert tables[0].match(second) == tables[1].match(first) == []


@pytest.mark.parametrize(("numbers", "filters"), FILTERS_A_VALUE.items())
def test_an_event_has_about_ten_matches(numbers: int, filters: int) -> None:
    draw = Random(SEED)
    count = 4_000
    table = ForwardingTable()
    texts = [subscription(draw, count // filters) for _ in range(count)]
    table.subscribe_many([f"i{n}" for n in range(count)], texts)
    found = [len(table.match_ids(event(draw, count // filters, numbers))) for _ in range(300)]
    assert 8 < sum(found) / len(found) < 12


def test_split_names_carry_one_type_each_and_fit_into_columns() -> None:
    sent = messages(Scenario2002(I=1), SEED)
    split = [one_type(message) for message in sent]
    back: list[Message] = [
        {re.sub(r"\.n$", "", name): value for name, value in row.items() if value is not None}
        for row in to_columns(split).to_pylist()
    ]
    assert back == sent


def test_exchanged_filters_are_those_of_a_fresh_table() -> None:
    live = Live.load("counting", 50, SEED)
    live.exchange([(0, 3), (0, 4), (49, 3), (7, 0)])
    fresh = live.fresh()
    held = {(interface, predicate) for _, interface, predicate in live.table.subscriptions()}
    assert held == {(interface, predicate) for _, interface, predicate in fresh.subscriptions()}
    assert sorted(live.held + live.spare) == list(range(100))


def test_figures_are_judged_by_the_median_unless_a_quiet_machine_is_asked_for() -> None:
    figures = Figures()
    spread = Spread(1.0, 2.0, 4.0)
    figures.at_least(2, "x", "ratio", spread)
    figures.at_least(2.5, "x", "ratio", spread)
    figures.at_most(1.5, "µs", "time", spread)
    figures.at_most(1.5, "µs", "time", spread, by="min")
    figures.at_most(20, "bytes", "size", 20.5)
    assert [row["reached"] for row in figures.rows] == ["yes", "NO", "NO", "yes", "NO"]


def test_engines_that_disagree_are_not_timed() -> None:
    tables = Versus.load("selectivity", ["i"], ["a = 1"])
    assert tables.results([{"a": 1}]) == 1.0
    tables.subject.subscribe("j", "a = 1")
    with pytest.raises(AssertionError, match="disagrees"):
        tables.results([{"a": 1}])
