"""The streams paper's second scheme (section 3.2): one compiled expression after the other.

Each subscription has its own expression, under its own id; a subscription whose destination is found already
is not evaluated. Slow, and too simple to be wrong.
"""

import re
import sys
from dataclasses import dataclass, field

__all__ = ["RegexMatcher", "expression"]


def expression(pattern: str) -> str:
    """A regular expression for the whole of a topic: `*` is anything up to the next slash."""
    levels = ("[^/]*" if level == "*" else re.escape(level) for level in pattern.split("/"))
    return "/".join(levels) + "(/.*)?"


@dataclass(slots=True)
class RegexMatcher:
    """Expressions and destinations by subscription."""

    _held: dict[int, tuple[re.Pattern[str], int]] = field(default_factory=dict)

    def add(self, subscription: int, pattern: str, destination: int) -> None:
        """Compile, and keep."""
        self._held[subscription] = re.compile(expression(pattern), re.DOTALL), destination

    def remove(self, subscription: int) -> None:
        """Forget; the subscription must be there."""
        del self._held[subscription]

    def match(self, topic: str) -> list[int]:
        """The destinations, each once."""
        found: dict[int, None] = {}
        for compiled, destination in self._held.values():
            if destination not in found and compiled.fullmatch(topic):
                found[destination] = None
        return list(found)

    def bytes(self) -> int:
        """What the expressions take, as far as Python can tell."""
        return sys.getsizeof(self._held) + sum(
            sys.getsizeof(held) + sys.getsizeof(held[0]) + sys.getsizeof(held[0].pattern)
            for held in self._held.values()
        )
