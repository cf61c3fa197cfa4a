"""The report's endless list of filters: the same for all interfaces, dealt evenly, never repeated."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.papers.experiment import Point
from penstock.papers.fast2001.workload import AT_ONCE, part, parts, sent, sizes, stages


def texts(names: int, interfaces: int, first: int, last: int) -> list[str]:
    return [str(text) for rows in parts(names, interfaces, first, last) for text in rows["filter"]]


def test_the_filters_are_the_same_for_every_number_of_interfaces() -> None:
    assert texts(100, 2, 0, 300) == texts(100, 500, 0, 300) == texts(100, 0, 0, 300)


@given(st.integers(1, 20), st.lists(st.integers(1, 50), min_size=1, max_size=4))
def test_all_interfaces_hold_as_many_at_every_length(interfaces: int, steps: list[int]) -> None:
    held: Counter[str] = Counter({f"i{n}": 0 for n in range(interfaces)})
    length = 0
    for step in steps:
        held.update(map(str, part(100, interfaces, length, length + step)["interface"]))
        length += step
        assert held.total() == length
        assert max(held.values()) - min(held.values()) <= 1


def test_with_no_interfaces_every_filter_has_one_of_its_own() -> None:
    assert part(100, 0, 40, 43)["interface"].to_pylist() == ["i40", "i41", "i42"]


def test_stretches_of_the_list_are_drawn_apart() -> None:
    assert texts(1000, 1, 0, 50) != texts(1000, 1, 50, 100)


def test_only_a_part_is_drawn_at_a_time() -> None:
    lengths = [rows.num_rows for rows in parts(50, 2, 0, AT_ONCE + 10)]
    assert lengths == [AT_ONCE, 10]


def test_stages_lead_from_each_size_to_the_next() -> None:
    assert stages(Point("", {"sizes": sizes((10, 30, 90))})) == [(0, 10), (10, 30), (30, 90)]


@pytest.mark.parametrize("names", [50, 1000])
def test_messages_speak_of_the_names_of_the_filters(names: int) -> None:
    asked = {
        constraint.split(" ")[1] for text in texts(names, 1, 0, 20_000) for constraint in text.split(" AND ")
    }
    assert {name for message in sent(names, 100) for name in message} <= asked
