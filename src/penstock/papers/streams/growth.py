"""How a quantity grows along curves and from curve to curve: what claims about growth are computed from."""

from collections.abc import Iterable

from penstock.papers.experiment import Readings

__all__ = ["largest", "last", "listed", "micro", "rise", "times"]


def largest(readings: Readings, quantity: str, series: str) -> str:
    """The greatest x of a curve."""
    return max(readings.xs(quantity, series), key=float)


def last(readings: Readings, quantity: str, series: str) -> float:
    """The value at the greatest x."""
    return readings.get(quantity, series, largest(readings, quantity, series))


def rise(readings: Readings, quantity: str, series: str) -> float:
    """The last value of a curve in terms of the first."""
    curve = readings.curve(quantity, series)
    return curve[-1][1] / curve[0][1]


def times(ratio: float) -> str:
    """A ratio as a reader likes it."""
    return f"{ratio:,.0f}x" if ratio >= 20 else f"{ratio:.3g}x"


def micro(spent: float) -> str:
    """Microseconds as a reader likes them."""
    return f"{spent:,.0f} µs" if spent >= 100 else f"{spent:.3g} µs"


def listed(parts: Iterable[str]) -> str:
    """Figures in a row."""
    return "; ".join(parts)
