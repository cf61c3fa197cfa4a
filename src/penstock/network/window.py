"""Which of the recent numbers of a source have been seen: the backstop against duplicates.

Memory is bounded whatever arrives: a number that lies too far back counts as seen.
"""

from typing import Final

__all__ = ["Window"]

SIZE: Final = 1024


class Window:
    """The last numbers of one incarnation of one source, as bits below the highest."""

    __slots__ = ("_bits", "_high", "_incarnation")

    def __init__(self) -> None:
        self._incarnation = -1
        self._high = -1
        self._bits = 0

    def first(self, incarnation: int, number: int) -> bool:
        """Whether this number is seen for the first time; it counts as seen from now on."""
        if incarnation != self._incarnation:
            if incarnation < self._incarnation:
                return False
            self._incarnation, self._high, self._bits = incarnation, number, 1
            return True
        ahead = number - self._high
        if ahead > 0:
            self._high = number
            self._bits = (self._bits << ahead | 1) & MASK if ahead < SIZE else 1
            return True
        if ahead <= -SIZE or self._bits >> -ahead & 1:
            return False
        self._bits |= 1 << -ahead
        return True


MASK: Final = (1 << SIZE) - 1
