"""The values that everything else speaks of: a message, and the constraints, filters and predicates about it.

Vocabulary and values are defined once, in the core; here they only get their public home.
All of them are frozen, canonical and hashable: what means the same by construction is equal.
"""

from collections.abc import Mapping
from typing import TypeAlias

from penstock._core import Constraint, Filter, Limits, Operator, Predicate, Type

__all__ = ["Constraint", "Filter", "Limits", "Message", "Operator", "Predicate", "Type"]

# What a message may look like from Python: None is absence, a nested mapping flattens to dotted names.
Message: TypeAlias = Mapping[str, "str | int | float | bool | Message | None"]
