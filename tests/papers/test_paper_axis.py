"""Logarithmic axes have a few round ticks, however much or little they span."""

from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from penstock.papers.axis import log_ticks


def ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    axes = Figure().subplots()
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    log_ticks(axes.xaxis, (low, high), wanted)
    return [float(tick) for tick in axes.get_xticks()]


def test_ticks_are_powers_of_ten_or_between_them() -> None:
    assert ticks(1, 1000) == [1, 10, 100, 1000]
    assert ticks(1, 20) == [1, 3, 10]
    assert ticks(1, 6) == [1, 2, 5]
    assert ticks(1, 1e8, 5) == [1, 100, 1e4, 1e6, 1e8]


@given(st.floats(-6, 9), st.floats(0.02, 9), st.integers(3, 9))
def test_ticks_are_within_the_bounds_and_not_too_many(power: float, decades: float, wanted: int) -> None:
    low, high = 10**power, 10 ** (power + decades)
    found = ticks(low, high, wanted)
    assert 1 <= len(found) <= wanted
    assert found == sorted(set(found))
    assert all(low * (1 - 1e-9) <= tick <= high * (1 + 1e-9) for tick in found)
    if decades > 1:
        assert len(found) >= 2
