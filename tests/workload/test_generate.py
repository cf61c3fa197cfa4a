"""What is generated has the statistics that the papers print; seeds are fixed, bounds are generous."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from penstock.workload import Distribution, Scenario2001, Scenario2002, filters, messages, sized
from penstock.workload.words import names, strings

CONSTRAINT = re.compile(
    r"(string|int|bool) ([a-z]+) (=|<|>|STARTS WITH|ENDS WITH|CONTAINS) ('[a-z]+'|\d+|true|false)"
)

LARGE_2002 = Scenario2002(I=20_000)
LARGE_2001 = Scenario2001(F=20_000, A=100)


def constraints(texts: list[str]) -> list[tuple[str, str, str, str]]:
    """Type, name, operator and literal of every constraint; fails on a text of any other form."""
    found = [CONSTRAINT.fullmatch(part) for text in texts for part in text.split(" AND ")]
    return (
        [(m[1], m[2], m[3], m[4]) for m in found if m] if all(found) else pytest.fail("not the strict form")
    )


def shares(items: list[str]) -> dict[str, float]:
    return {item: count / len(items) for item, count in Counter(items).items()}


def near(expected: dict[str, float]) -> object:
    return pytest.approx(expected, abs=0.015)


def lengths(texts: list[str]) -> Counter[int]:
    return Counter(text.count(" AND ") + 1 for text in texts)


def test_a_seed_means_the_same_workload_always() -> None:
    scenario = Scenario2002(I=2, M=1)
    assert filters(scenario, 1) == (
        ["i0", "i1"],
        [
            "string imposition ENDS WITH 'shower' AND string establishing = 'cow'",
            "string ht = 'unashamed' AND string feigning > 'damnable' AND string soled ENDS WITH 'symposium' "
            "AND int adulteress < 83 AND string hypothesize = 'agitators' AND string humanely "
            "ENDS WITH 'basest' AND int compress < 50 AND int wrier > 51 AND int aslant = 75",
        ],
    )
    message = {"accumulative": 34, "aslant": 40, "twentieths": 8}
    assert messages(scenario, 1) == [
        message | {"unbelief": "cookie", "imposition": "barb", "trumpeters": "nutria"}
    ]


@pytest.mark.parametrize("scenario", [Scenario2002(I=500, f_h=5), Scenario2001(F=500, I=7)])
def test_seeds_repeat_and_differ(scenario: Scenario2001 | Scenario2002) -> None:
    assert filters(scenario, 3) == filters(scenario, 3) != filters(scenario, 4)
    assert messages(scenario, 3) == messages(scenario, 3) != messages(scenario, 4)


def test_messages_do_not_depend_on_the_number_of_filters_nor_filters_on_that_of_messages() -> None:
    scenario = Scenario2002(I=50)
    assert messages(scenario, 5) == messages(replace(scenario, I=60), 5)
    assert filters(scenario, 5) == filters(replace(scenario, M=7), 5)


def test_interfaces_are_numbered_and_in_step_with_their_filters() -> None:
    interfaces, texts = filters(Scenario2002(I=300, f_l=1, f_h=4), 1)
    assert len(interfaces) == len(texts)
    owned = Counter(interfaces)
    assert list(owned) == [f"i{n}" for n in range(300)]
    assert set(owned.values()) == {1, 2, 3}
    assert len(texts) == pytest.approx(600, rel=0.15)


def test_filters_of_2001_are_dealt_out_evenly() -> None:
    owned = Counter(filters(Scenario2001(F=1003, I=50), 1)[0])
    assert len(owned) == 50
    assert Counter(owned.values()) == {21: 3, 20: 47}


def test_constraints_per_filter() -> None:
    of_2002 = lengths(filters(LARGE_2002, 1)[1])
    assert set(of_2002) == set(range(1, 10))
    assert sum(length * count for length, count in of_2002.items()) / 20_000 == pytest.approx(5, abs=0.1)
    of_2001 = lengths(filters(LARGE_2001, 1)[1])
    assert set(of_2001) == set(range(1, 6))
    assert sum(length * count for length, count in of_2001.items()) / 20_000 == pytest.approx(3, abs=0.06)


def test_types_and_operators_of_2002() -> None:
    drawn = constraints(filters(LARGE_2002, 1)[1])
    assert shares([type_ for type_, *_ in drawn]) == near({"string": 0.5, "int": 0.5})
    textual = [operator for type_, _, operator, _ in drawn if type_ == "string"]
    wanted = {"=": 0.35, "STARTS WITH": 0.15, "ENDS WITH": 0.15, "CONTAINS": 0.15, "<": 0.1, ">": 0.1}
    assert shares(textual) == near(wanted)
    numeric = [operator for type_, _, operator, _ in drawn if type_ == "int"]
    assert shares(numeric) == near({"=": 0.6, "<": 0.2, ">": 0.2})


def test_types_and_operators_of_2001() -> None:
    drawn = constraints(filters(LARGE_2001, 1)[1])
    assert shares([type_ for type_, *_ in drawn]) == near({"string": 0.4, "int": 0.4, "bool": 0.2})
    for asked in ("string", "int"):
        operators = [operator for type_, _, operator, _ in drawn if type_ == asked]
        assert shares(operators) == near({"=": 0.6, "<": 0.2, ">": 0.2})
    assert {operator for type_, _, operator, _ in drawn if type_ == "bool"} == {"="}
    assert shares([operator for _, _, operator, _ in drawn])["="] == pytest.approx(0.68, abs=0.015)


def test_constraint_names_of_2002_are_zipf_over_1000_words() -> None:
    drawn = Counter(name for _, name, _, _ in constraints(filters(LARGE_2002, 1)[1]))
    words = names(1000)
    assert set(drawn) <= set(words)
    first = drawn.total() / sum(1 / rank for rank in range(1, 1001))
    for rank in (1, 2, 3, 5, 10):
        assert drawn[words[rank - 1]] == pytest.approx(first / rank, rel=0.12)
    tail = sum(drawn[word] for word in words[500:])
    assert tail == pytest.approx(first * sum(1 / rank for rank in range(501, 1001)), rel=0.12)


def test_values_of_2002_are_uniform() -> None:
    drawn = constraints(filters(LARGE_2002, 1)[1])
    numbers = Counter(int(literal) for type_, *_, literal in drawn if type_ == "int")
    assert set(numbers) == set(range(100))
    assert list(numbers.values()) == pytest.approx([numbers.total() / 100] * 100, rel=0.25)
    texts = {literal.strip("'") for type_, *_, literal in drawn if type_ == "string"}
    assert texts == set(strings(1000))


def test_values_of_2001_fall_linearly() -> None:
    drawn = constraints(filters(LARGE_2001, 1)[1])
    numbers = Counter(int(literal) for type_, *_, literal in drawn if type_ == "int")
    # With weights 100, 99, ..., 1 the lower half holds 3,775 of 5,050.
    assert sum(numbers[n] for n in range(50)) / numbers.total() == pytest.approx(3775 / 5050, abs=0.02)
    tens = [sum(numbers[n] for n in range(start, start + 10)) for start in range(0, 100, 10)]
    assert all(lower > higher for lower, higher in pairwise(tens))
    booleans = shares([literal for type_, *_, literal in drawn if type_ == "bool"])
    assert booleans == pytest.approx({"true": 0.5, "false": 0.5}, abs=0.03)


def test_messages_of_2002() -> None:
    drawn = messages(replace(LARGE_2002, M=5000), 1)
    counts = Counter(len(message) for message in drawn)
    assert set(counts) == set(range(1, 19))
    total = sum(counts[n] * n for n in counts)
    assert total / 5000 == pytest.approx(9.5, abs=0.4)
    values = [value for message in drawn for value in message.values()]
    assert sum(type(value) is int for value in values) / total == pytest.approx(0.5, abs=0.02)
    assert {value for value in values if isinstance(value, str)} <= set(strings(1000))
    assert {value for value in values if isinstance(value, int)} == set(range(100))


def test_messages_of_2001() -> None:
    drawn = messages(replace(LARGE_2001, N=5000), 1)
    assert Counter(len(message) for message in drawn).keys() == set(range(3, 11))
    values = [type(value).__name__ for message in drawn for value in message.values()]
    assert shares(values) == near({"str": 0.4, "int": 0.4, "bool": 0.2})


def test_the_first_name_of_a_message_is_zipf_and_the_second_is_so_among_the_rest() -> None:
    scenario = Scenario2002(I=1, M=20_000, a_l=2, a_h=3, D_a=replace(LARGE_2002.D_a, count=3))
    pairs = Counter(tuple(message) for message in messages(scenario, 1))
    first, second, third = names(3)
    weight = {first: 6 / 11, second: 3 / 11, third: 2 / 11}
    expected = {(a, b): weight[a] * weight[b] / (1 - weight[a]) for a in weight for b in weight if a != b}
    assert {pair: count / 20_000 for pair, count in pairs.items()} == pytest.approx(expected, abs=0.02)


def test_a_message_can_use_every_name_there_is() -> None:
    drawn = messages(Scenario2002(I=1, M=20, a_l=19, a_h=20, D_a=Distribution(19)), 1)
    assert all(set(message) == set(names(19)) for message in drawn)


def test_texts_do_not_depend_on_how_many_are_joined_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = filters(Scenario2002(I=300), 2)
    monkeypatch.setattr("penstock.workload.generate._FILTERS_AT_ONCE", 7)
    assert filters(Scenario2002(I=300), 2) == whole


def test_interfaces_may_have_no_filter_at_all() -> None:
    assert filters(Scenario2002(I=5, f_l=0, f_h=1), 1) == ([], [])


@pytest.mark.parametrize("interfaces", [None, 20, 200])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_sized_scenario_has_about_the_constraints_asked_for(interfaces: int | None, seed: int) -> None:
    scenario = sized(50_000, interfaces, seed)
    owners, texts = filters(scenario, seed)
    assert sum(length * count for length, count in lengths(texts).items()) == pytest.approx(50_000, rel=0.04)
    assert len(set(owners)) == (interfaces or len(texts))
    assert scenario.f_l == 1
