"""Distribution functions as small explicit values, and the one way in which anything is drawn.

Every draw inverts a cumulative distribution on `Generator.random`: the only method whose stream is as stable
as PCG64 itself, so a seed means the same workload whatever the version of numpy.
"""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Distribution", "Floats", "Ints", "Law", "Linear", "Mix", "Uniform", "Zipf", "draw", "draw_range"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Choice = TypeVar("Choice")


class Law(Protocol):
    """How probability falls over the ranks 0 .. count-1 of a set; weights need not add up to one."""

    def weights(self, count: int) -> Floats:
        """One weight for each rank."""
        ...


@dataclass(frozen=True, slots=True)
class Uniform:
    """Every element is as likely as every other."""

    def weights(self, count: int) -> Floats:
        """1, 1, 1, ..."""
        return np.ones(count)


@dataclass(frozen=True, slots=True)
class Zipf:
    """The element of rank k (from 1) has a weight of k to the power -s."""

    s: float = 1.0

    def weights(self, count: int) -> Floats:
        """1, 1/2, 1/3, ... for s = 1."""
        return np.arange(1, count + 1, dtype=np.float64) ** -self.s


@dataclass(frozen=True, slots=True)
class Linear:
    """The weight falls in equal steps and would be zero just after the last element."""

    def weights(self, count: int) -> Floats:
        """Count, count - 1, ..., 1."""
        return np.arange(count, 0, -1, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Distribution:
    """A law over a set of `count` elements: the 2002 paper's D_a = 1000 is the size of such a set."""

    count: int
    law: Law = Uniform()

    def weights(self) -> Floats:
        """One weight for each element."""
        return self.law.weights(self.count)


@dataclass(frozen=True, slots=True)
class Mix(Generic[Choice]):
    """A few named choices with their shares, as the papers print them: (("=", 60), ("<", 20), (">", 20))."""

    shares: tuple[tuple[Choice, float], ...]

    def __post_init__(self) -> None:
        if any(share < 0 for _, share in self.shares) or sum(share for _, share in self.shares) <= 0:
            raise ValueError(f"shares must not be negative and must not all be zero: {self.shares}")

    def choices(self) -> tuple[Choice, ...]:
        """What can be drawn."""
        return tuple(choice for choice, _ in self.shares)

    def weights(self) -> Floats:
        """One probability for each choice; they add up to one."""
        shares = np.array([share for _, share in self.shares], dtype=np.float64)
        return np.asarray(shares / shares.sum(), dtype=np.float64)


def draw(rng: np.random.Generator, weights: Floats, size: int) -> Ints:
    """Ranks, independent, with the given weights."""
    edges = np.cumsum(weights)
    edges /= edges[-1]  # the last edge is exactly 1 and a draw is below 1, so no rank is out of range
    return np.searchsorted(edges, rng.random(size), side="right").astype(np.int64, copy=False)


def draw_range(rng: np.random.Generator, numbers: range, size: int) -> Ints:
    """Whole numbers, uniform in a half-open range."""
    return np.int64(numbers.start) + (rng.random(size) * len(numbers)).astype(np.int64)
