"""Explanations agree with match and with the oracle, put first what matters most, and read well."""

import dataclasses
import json
import math
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import MAKERS, every_engine
from penstock import Filter, ForwardingTable, MessageError, Type, parse
from penstock.errors import UnknownInterfaceError
from penstock.explain import Explanation, Reason
from penstock.model import Predicate
from penstock.oracle import matches
from strategies import interfaces, is_same_value, messages_near, predicates

Maker = Callable[[], ForwardingTable]
subscriptions = st.lists(st.tuples(interfaces, predicates), min_size=1, max_size=8)


def explain(text: str, message: Any, **options: Any) -> Explanation:
    table = ForwardingTable()
    table.subscribe("it", text)
    return table.explain(message, "it", **options)


def flat(message: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in message.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return found


@given(subscriptions, st.data())
def test_explanations_agree_with_match_and_with_the_oracle(
    wanted: Sequence[tuple[str, Predicate]], data: st.DataObject
) -> None:
    message = data.draw(messages_near([predicate for _, predicate in wanted]))
    for make in MAKERS.values():
        table = make()
        ids = [table.subscribe(interface, predicate) for interface, predicate in wanted]
        matched = set(table.match(message))
        for interface in table.interfaces:
            found = table.explain(message, interface, limit=None)
            assert found.matched == (interface in matched)
            of = {id_: each for id_, (name, each) in zip(ids, wanted, strict=True) if name == interface}
            check(found, of, message)


def check(found: Explanation, wanted: dict[int, Predicate], message: Mapping[str, Any]) -> None:
    attributes = flat(message)
    assert {verdict.filter for verdict in found.filters} == {f for each in wanted.values() for f in each}
    assert found.total == len(found.filters)
    assert found.matching == sum(verdict.matched for verdict in found.filters)
    for verdict in found.filters:
        assert verdict.subscriptions == tuple(
            sorted(id_ for id_, predicate in wanted.items() if verdict.filter in predicate.filters)
        )
        assert verdict.matched == matches(verdict.filter, message)
        assert tuple(each.constraint for each in verdict.constraints) == verdict.filter.constraints
        for each in verdict.constraints:
            assert each.holds == matches(each.constraint, message)
            value = attributes.get(each.constraint.name)
            assert is_same_value(each.value, value) or (value is None and each.value is None)


@given(predicates, st.data(), st.integers(0, 4))
def test_a_limit_keeps_the_head_of_the_whole(predicate: Predicate, data: st.DataObject, limit: int) -> None:
    message = data.draw(messages_near([predicate]))
    table = ForwardingTable()
    table.subscribe("it", predicate)
    whole = table.explain(message, "it", limit=None)
    # Sorted means: by failures, and in the predicate's own order among equals.
    ranks = [(len(each.failures), predicate.filters.index(each.filter)) for each in whole.filters]
    assert ranks == sorted(ranks)
    some = table.explain(message, "it", limit=limit)
    kept = [each.filter for each in some.filters]
    assert kept == [each.filter for each in whole.filters][:limit]
    assert (some.matched, some.matching, some.total) == (whole.matched, whole.matching, whole.total)
    assert some.omitted == whole.total - len(kept)


@given(predicates, st.data())
def test_every_explanation_prints_on_short_lines_and_goes_through_json(
    predicate: Predicate, data: st.DataObject
) -> None:
    message = data.draw(messages_near([predicate]))
    table = ForwardingTable()
    table.subscribe("it", predicate)
    found = table.explain(message, "it")
    for line in str(found).splitlines():
        assert line == line.rstrip()
        assert len(line) < 200
    back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert back["matched"] == found.matched
    for verdict, plain in zip(found.filters, back["filters"], strict=True):
        assert parse(plain["filter"]) == Predicate([verdict.filter])
        assert [each["holds"] for each in plain["constraints"]] == [
            each.holds for each in verdict.constraints
        ]


@pytest.mark.parametrize(
    ("text", "message", "reason", "value", "finding"),
    [
        ("a < 5", {"a": 4}, Reason.HOLDS, 4, ""),
        ("a < 5", {"a": 5}, Reason.VALUE, 5, "a is 5"),
        ("a < 5", {"a": 5.0}, Reason.VALUE, 5.0, "a is 5.0"),
        ("a = 'x'", {"a": "it's"}, Reason.VALUE, "it's", "a is 'it''s'"),
        ("a = true", {"a": False}, Reason.VALUE, False, "a is false"),
        ("a < 5", {"a": math.inf}, Reason.VALUE, math.inf, "a is INFINITY"),
        ("a < 5", {}, Reason.ABSENT, None, "a is absent"),
        ("a < 5", {"a": None}, Reason.ABSENT, None, "a is absent"),
        ("EXISTS a", {}, Reason.ABSENT, None, "a is absent"),
        ("NOT EXISTS a", {}, Reason.HOLDS, None, ""),
        ("NOT EXISTS a", {"a": True}, Reason.PRESENT, True, "a is present: true"),
        ("NOT EXISTS a", {"a": -math.inf}, Reason.PRESENT, -math.inf, "a is present: -INFINITY"),
        ("a < 5", {"a": "4"}, Reason.TYPE, "4", "a is the string '4', not a number"),
        ("a = 'x'", {"a": 4}, Reason.TYPE, 4, "a is the int 4, not a string"),
        ("a = true", {"a": 1}, Reason.TYPE, 1, "a is the int 1, not a bool"),
        ("int a < 5", {"a": 4.0}, Reason.TYPE, 4.0, "a is the float 4.0, not an int"),
        ("float a < 5", {"a": 4}, Reason.TYPE, 4, "a is the int 4, not a float"),
        ("EXISTS int a", {"a": True}, Reason.TYPE, True, "a is the bool true, not an int"),
        ("a.b = 1", {"a": {"b": 2}}, Reason.VALUE, 2, "a.b is 2"),
        ("`and` = 1", {"and": 2}, Reason.VALUE, 2, "`and` is 2"),
        ("a = 'x'", {"a": "\x1b[2J"}, Reason.VALUE, "\x1b[2J", "a is '�[2J'"),
        ("a = 'x'", {"a": "y" * 99}, Reason.VALUE, "y" * 99, "a is '" + "y" * 38 + "…"),
    ],
)
def test_a_verdict_says_what_was_found(
    text: str, message: Any, reason: Reason, value: object, finding: str
) -> None:
    (verdict,) = explain(text, message).filters[0].constraints
    assert (verdict.reason, verdict.holds) == (reason, reason is Reason.HOLDS)
    assert is_same_value(verdict.value, value) or verdict.value is value is None
    assert verdict.finding == finding


def test_nan_is_a_reason_of_its_own() -> None:
    (verdict,) = explain("a != 5", {"a": math.nan}).filters[0].constraints
    assert (verdict.reason, verdict.type, verdict.finding) == (Reason.NAN, Type.FLOAT, "a is NaN")
    assert verdict.to_dict() == {
        "constraint": "a != 5", "holds": False, "reason": "nan", "value": "NaN", "type": "float",
    }  # fmt: skip


def test_a_near_miss_names_the_first_constraint_that_failed() -> None:
    (near,) = explain("a = 1 AND b = 2 AND c = 3", {"a": 1, "b": 0, "c": 0}).filters
    assert near.first_failure is not None
    assert str(near.first_failure.constraint) == "b = 2"
    assert [str(each.constraint) for each in near.failures] == ["b = 2", "c = 3"]
    (hit,) = explain("a = 1", {"a": 1}).filters
    assert (hit.first_failure, hit.failures) == (None, ())


def test_an_explanation_reads_well() -> None:
    table = ForwardingTable()
    table.subscribe("alice", "dest = 'MXP' AND price < 500 AND NOT EXISTS upgrade")
    table.subscribe("alice", "carrier = 'UA'")
    table.subscribe("alice", "TRUE")
    table.subscribe("alice", "price > 600 AND dest IN ('LIN', 'MXP')")
    table.subscribe("alice", "carrier = 'UA' OR price > 7000")
    message = {"dest": "MXP", "price": 612, "upgrade": "yes"}
    assert (
        str(table.explain(message, "alice", limit=4))
        == """\
✓ alice: 2 of 5 filters matched

✓ subscription 2
  ✓ TRUE

✓ subscription 3
  ✓ dest IN ('LIN', 'MXP')
  ✓ price > 600

✗ subscriptions 1, 4
  ✗ carrier = 'UA'    carrier is absent

✗ subscription 4
  ✗ price > 7000    price is 612

… and 1 more filter"""
    )
    assert str(table.explain(message, "alice", limit=None)).endswith("""\
✗ subscription 0
  ✓ dest = 'MXP'
  ✗ price < 500           price is 612
  ✗ NOT EXISTS upgrade    upgrade is present: 'yes'""")


def test_a_predicate_that_wants_nothing_says_so() -> None:
    found = explain("FALSE", {})
    assert (found.matched, found.total, found.filters) == (False, 0, ())
    assert str(found) == "✗ it: no filters; FALSE wants no message"


def test_long_filters_and_crowds_of_subscriptions_are_cut() -> None:
    table = ForwardingTable()
    text = " AND ".join(f"n{n:02} = {n}" for n in range(40))
    table.subscribe_many(["it"] * 8, [text] * 8)
    shown = str(table.explain({f"n{n:02}": n for n in range(39)}, "it")).splitlines()
    assert shown[2] == "✗ subscriptions 0, 1, 2, 3, 4 and 3 more"
    assert shown[3] == "  ✗ n39 = 39    n39 is absent"
    assert shown[4] == "  ✓ n00 = 0"
    assert shown[-1] == "  … and 28 more constraints"
    wide = str(explain(f"a IN ({', '.join(map(str, range(500)))})", {"a": -1}))
    assert wide.endswith("…    a is -1")
    assert max(map(len, wide.splitlines())) < 80


@every_engine
def test_an_unknown_interface_is_an_error(make_table: Maker) -> None:
    table = make_table()
    number = table.subscribe("alice", "a = 1")
    unknown: list[Any] = ["bob", "", "\ud800", 0, None]
    for name in unknown:
        with pytest.raises(UnknownInterfaceError):
            table.explain({"a": 1}, name)
    table.unsubscribe(number)
    with pytest.raises(UnknownInterfaceError, match="no interface is named 'alice'"):
        table.explain({"a": 1}, "alice")


@pytest.mark.parametrize("message", [{"a": [1]}, {"a": 2**63}, {"a": "\ud800"}, {"a.b": 1, "a": {"b": 2}}])
def test_a_bad_message_is_an_error_as_in_match(message: Any) -> None:
    with pytest.raises(MessageError):
        explain("a = 1", message)
    with pytest.raises(TypeError, match="a message is a mapping"):
        explain("a = 1", [message])


def test_a_limit_is_a_size() -> None:
    assert explain("a = 1 OR a = 2", {"a": 1}, limit=0).filters == ()
    assert len(explain("a = 1 OR a = 2", {"a": 1}, limit=2**80).filters) == 2
    with pytest.raises(ValueError, match="limit must be 0 or more"):
        explain("a = 1", {}, limit=-1)


def test_changes_need_no_build_to_be_explained() -> None:
    table = ForwardingTable()
    table.subscribe("it", "a = 1")
    table.build()
    number = table.subscribe("it", "a = 2")
    assert table.explain({"a": 2}, "it").matched
    table.unsubscribe(number)
    assert not table.explain({"a": 2}, "it").matched


def test_a_hostile_message_may_change_the_table_while_it_is_read() -> None:
    table = ForwardingTable()
    number = table.subscribe("alice", "a = 1")

    class Treacherous(Mapping[str, int]):
        def __len__(self) -> int:
            return 1

        def __iter__(self) -> Iterator[str]:
            if number in table:
                table.unsubscribe(number)
                table.subscribe("bob", "a = 1")  # takes over the id
            return iter(["a"])

        def __getitem__(self, name: str) -> int:
            return 1

    with pytest.raises(UnknownInterfaceError):
        table.explain(Treacherous(), "alice")
    assert table.explain(Treacherous(), "bob").matched


def test_explanations_are_frozen_values() -> None:
    found = explain("a = 1 AND b = 'x'", {"a": 2})
    assert found == explain("b = 'x' AND a = 1.0", {"a": 2})
    assert pickle.loads(pickle.dumps(found)) == found
    assert len({found, explain("a = 1 AND b = 'x'", {"a": 2})}) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.total = 5  # type: ignore[misc]


def test_many_filters_are_judged_and_few_are_kept() -> None:
    table = ForwardingTable()
    count = 20_000
    texts = [f"a = {n} AND b = {n % 7} AND c > {n}" for n in range(count)]
    table.subscribe_many(["it"] * count, texts)
    found = table.explain({"a": 12_345, "b": 12_345 % 7, "c": 0}, "it", limit=3)
    assert (found.matched, found.total, found.omitted) == (False, count, count - 3)
    best = found.filters[0]
    assert best.filter == Filter(parse(texts[12_345]).filters[0].constraints)
    assert [len(each.failures) for each in found.filters] == [1, 2, 2]
