"""Readings answer what claims ask, and say what there is when they cannot."""

import pytest

from fake_papers import reading
from penstock.errors import ExperimentError
from penstock.papers import Reading, Readings
from penstock.papers.timing import calls, count, fill, samples, spread


def test_a_reading_is_found_by_quantity_series_and_x() -> None:
    found = Readings([reading(), reading(x="20", value=3.0), reading("b")])
    assert found.get("time", "a", 20) == found.get("time", "a", "20") == 3.0
    assert found.at("time", "a", "10") == reading()
    assert found.find("time", "b", 20) is None
    assert (found.quantities(), found.series("time"), found.xs("time", "a")) == (
        ["time"],
        ["a", "b"],
        ["10", "20"],
    )
    assert list(found) == [reading(), reading(x="20", value=3.0), reading("b")]
    assert len(found) == 3


def test_a_curve_is_sorted_by_number() -> None:
    found = Readings([reading(x=x, value=float(x)) for x in ("100", "9", "20")])
    assert found.curve("time", "a") == [(9, 9), (20, 20), (100, 100)]
    assert found.curve("time", "nobody") == []
    assert Readings([]).series("time") == []


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("space", "a", "10"), "no quantity 'space'; there are 'time'"),
        (("time", "c", "10"), "no series of time 'c'; there are 'a', 'b'"),
        (("time", "a", "11"), "no x '11'; there are '10'"),
    ],
)
def test_what_is_missing_is_told_with_what_there_is(asked: tuple[str, str, str], says: str) -> None:
    with pytest.raises(KeyError, match=says):
        Readings([reading(), reading("b")]).get(*asked)


def test_nothing_is_measured_twice() -> None:
    with pytest.raises(ExperimentError, match="time of a at 10 was measured twice"):
        Readings([reading(), reading()])


def test_repeats_become_a_median_with_the_lowest_and_the_highest() -> None:
    assert spread("a", 7, "time", "ms", [3.0, 1.0, 2.0], each=1e3) == Reading(
        "a", "7", "time", "ms", 2000.0, 1000.0, 3000.0
    )
    assert count("a", 7, "ids", 465) == Reading("a", "7", "ids", "", 465, 465, 465)


def test_passes_call_a_function_for_each_item() -> None:
    called: list[int] = []
    assert calls(called.append, [1, 2])(3) >= 0
    assert called == [1, 2] * 3
    assert len(samples(called.clear, 4)) == 4


def test_a_measurement_is_as_many_passes_as_fill_a_slice() -> None:
    asked: list[int] = []

    def measure(passes: int) -> float:
        asked.append(passes)
        return 0.01

    assert fill(measure, 2, slice_=0.1) == [0.01, 0.01]
    assert asked == [1, 10, 10]
