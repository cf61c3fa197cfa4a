"""How far ahead we are: every row against the best of our own that starts from the same thing.

Engines that read JSON text are compared with `match_json`, all others with `match_ids` on a dict: also those
that get an event ready made, which spares them what our row includes.
"""

from collections.abc import Iterable
from statistics import median
from typing import Any

__all__ = ["OURS", "best", "comparable", "is_reached", "wanted"]

OURS = ("dict", "json")
LARGE = 10_000


def comparable(way: str) -> str:
    """Which of our rows a way of taking events is compared with."""
    return "json" if way in ("json", "text") else "dict"


def best(results: Iterable[dict[str, Any]]) -> dict[str, float]:
    """Our best seconds for an event, by way; nothing when we have not been measured."""
    measured = list(results)
    return {
        way: min(median(result["ways"][way]["seconds"]) for result in measured) for way in OURS if measured
    }


def wanted(size: int) -> float:
    """How many times as long a peer should take, at least."""
    return 5.0 if size >= LARGE else 1.0


def is_reached(ratio: float, size: int) -> bool:
    """Whether a peer is as far behind as it should be; a draw is not ahead."""
    return ratio >= wanted(size) if size >= LARGE else ratio > wanted(size)
