"""The dictionary of the synthetic workloads: 4,000 English words in a fixed random order.

Invariant: what a name or a value set of a given size contains depends on the size alone, never on a seed,
so filters and messages drawn from different seeds still speak of the same things.
"""

from functools import cache
from importlib.resources import files

__all__ = ["dictionary", "names", "strings"]


@cache
def dictionary() -> tuple[str, ...]:
    """All words: distinct, lower-case ASCII, none of them reserved in the filter language."""
    return tuple(files(__package__).joinpath("words.txt").read_text(encoding="ascii").split())


def names(count: int) -> tuple[str, ...]:
    """The attribute names: the first `count` words."""
    return dictionary()[: _checked(count)]


def strings(count: int) -> tuple[str, ...]:
    """The string values: the last `count` words, from the end.

    Both papers take names and values from one dictionary. A name never meets a value in matching, so taking
    the two sets from opposite ends (disjoint up to 2,000 words each) changes no cost; it only reads better.
    """
    return dictionary()[: -_checked(count) - 1 : -1]


def _checked(count: int) -> int:
    if not 1 <= count <= len(dictionary()):
        raise ValueError(f"{count} words are wanted; the dictionary has 1 to {len(dictionary())} to give")
    return count
