"""Labels keep apart, keep their order and stay within bounds; numbers are short."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.papers.label import exactly, part, place, precise, short

SLACK = 1e-9


@given(st.lists(st.floats(-1, 2), max_size=12), st.floats(0.01, 0.5))
def test_labels_keep_a_gap_their_order_and_the_bounds(places: list[float], gap: float) -> None:
    parted = part(places, gap, 0, 1)
    assert len(parted) == len(places)
    room = min(gap, 1 / max(1, len(places) - 1))
    order = sorted(range(len(places)), key=lambda each: places[each])
    assert all(parted[b] - parted[a] >= room - SLACK for a, b in pairwise(order))
    assert all(-SLACK <= each <= 1 + SLACK for each in parted)


@given(st.lists(st.integers(0, 10), unique=True, max_size=11))
def test_labels_that_are_apart_stay_where_they_are(tenths: list[int]) -> None:
    places = [each / 10 for each in tenths]
    assert part(places, 0.0999, 0, 1) == pytest.approx(places)


def test_neighbours_share_the_way() -> None:
    assert part([0.5, 0.5], 0.1, 0, 1) == pytest.approx([0.45, 0.55])
    assert part([1.0, 1.0, 1.0], 0.1, 0, 1) == pytest.approx([0.8, 0.9, 1.0])


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.03412, "0.0341"), (12.5, "12.5"), (999.6, "1k"), (1234, "1.23k"), (5e6, "5M"), (2e9, "2G")],
)
def test_numbers_in_drawings_are_short(value: float, shown: str) -> None:
    assert short(value) == shown


def test_numbers_in_tables_are_as_precise_as_they_say_something() -> None:
    assert [precise(each) for each in (1234.56, 465.0, 12.345, 0.00123)] == [
        "1,235",
        "465",
        "12.3",
        "0.00123",
    ]
    assert [exactly(each) for each in (61423.5, 1000.0, 0.9)] == ["61,423.5", "1,000", "0.9"]
    assert [place(each) for each in ("8000000", "typical traffic", "0.5")] == [
        "8,000,000",
        "typical traffic",
        "0.5",
    ]
