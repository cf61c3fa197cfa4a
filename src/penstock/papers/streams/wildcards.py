"""What the hashing scheme looks up: the beginnings of a topic, with every choice of wildcards seen so far.

Counted from the subscriptions, as section 3.3 describes the scheme: by first attribute, the levels at which
some subscription has a wildcard that is not a trailing one.
"""

from collections import defaultdict
from collections.abc import Iterable

__all__ = ["WildcardLevels"]


class WildcardLevels:
    """For each first attribute, the levels with wildcards."""

    __slots__ = ("_levels",)

    def __init__(self, patterns: Iterable[str]) -> None:
        self._levels: dict[str, set[int]] = defaultdict(set)
        for pattern in patterns:
            first, *others = pattern.split("/")
            while others and others[-1] == "*":
                others.pop()
            self._levels[first].update(at for at, level in enumerate(others, 2) if level == "*")

    def keys(self, topic: str) -> int:
        """How many look-ups find all subscriptions to a topic, none of which ends in a wildcard."""
        first, *others = topic.split("/")
        if first not in self._levels:
            return 0
        choices, found = 1, 1  # the first level alone
        for level in range(2, len(others) + 2):
            found += choices
            choices <<= level in self._levels[first]
        return found

    def complete(self, depth: int) -> float:
        """The share of first attributes with a wildcard at every level between the first and the last."""
        inner = set(range(2, depth))
        return sum(levels >= inner for levels in self._levels.values()) / max(len(self._levels), 1)
