"""Shapes of curves, for claims: how fast one grows, where it ends, and where several stand together."""

import math
from collections.abc import Iterable, Sequence

from penstock.papers.experiment import Readings

__all__ = ["abreast", "growth", "largest"]


def growth(curve: Sequence[tuple[float, float]], since: float = 0.0) -> float:
    """The power of x that a curve grows with from its first point at or after `since` to its last one.

    1 is linear, 0 is flat.
    """
    (x, y), *_, (last_x, last_y) = [point for point in curve if point[0] >= since]
    return math.log(last_y / y) / math.log(last_x / x)


def largest(readings: Readings, quantity: str, series: str) -> tuple[float, float]:
    """The end of a curve: its x, and the value there."""
    return readings.curve(quantity, series)[-1]


def abreast(readings: Readings, quantity: str, series: Iterable[str]) -> tuple[float, list[float]]:
    """The last x at which all of these curves were measured, and their values there."""
    curves = [dict(readings.curve(quantity, each)) for each in series]
    x = max(set.intersection(*(set(curve) for curve in curves)))
    return x, [curve[x] for curve in curves]
