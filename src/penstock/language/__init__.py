"""Filters as text: `parse` reads the language, `str(predicate)` writes it, and `Limits` bounds it.

Foreign notations are one module each (`siena`); all of them end in the same predicates.
"""

from penstock._core import Limits, parse

__all__ = ["Limits", "parse"]
