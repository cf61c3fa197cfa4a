"""The maximal entries of a collection, under covering, kept up to date entry by entry.

Every entry that is not maximal stands under a maximal one that covers it, so leaving it out loses nothing,
even where covering does not see all it could. Where covering is transitive, the result depends on the
entries alone and not on their order: of those that cover each other, the least by encoding is the maximal
one.
"""

from collections.abc import Callable, Hashable, Iterable, KeysView
from typing import Any, Generic, TypeVar

from penstock.structures.format import Format

__all__ = ["Maximal"]

E = TypeVar("E", bound=Hashable)


class Maximal(Generic[E]):
    """A multiset of entries that knows which of them are maximal."""

    __slots__ = ("_above", "_below", "_counts", "_covers", "_encode")

    def __init__(self, format_: Format[E, Any], entries: Iterable[E] = ()) -> None:
        self._covers: Callable[[E, E], bool] = format_.covers
        self._encode: Callable[[E], bytes] = format_.encode_entry
        self._counts: dict[E, int] = {}
        self._above: dict[E, E] = {}  # of each that is not maximal: the maximal one over it
        self._below: dict[E, dict[E, None]] = {}  # of each maximal one: those that stand under it
        for entry in entries:
            self.add(entry)

    def __contains__(self, entry: object) -> bool:
        return entry in self._below

    @property
    def entries(self) -> KeysView[E]:
        """The maximal ones."""
        return self._below.keys()

    def add(self, entry: E) -> list[E]:
        """Add one; the answer holds all that thereby became maximal, or is so no longer."""
        count = self._counts.get(entry, 0)
        self._counts[entry] = count + 1
        return [] if count else self._place(entry)

    def remove(self, entry: E) -> list[E]:
        """Take one away; the answer holds all that thereby became maximal, or is so no longer."""
        count = self._counts[entry] - 1
        if count:
            self._counts[entry] = count
            return []
        del self._counts[entry]
        if entry in self._above:
            del self._below[self._above.pop(entry)][entry]
            return []
        changed = [entry]
        for orphan in self._below.pop(entry):
            del self._above[orphan]
            changed += self._place(orphan)
        return changed

    def _place(self, entry: E) -> list[E]:
        """Put a new entry under a maximal one, or over those that it covers."""
        if self._shelter(entry):
            return []
        changed = [entry, *(other for other in self._below if self._covers(entry, other))]
        orphans = [orphan for other in changed[1:] for orphan in self._below.pop(other)]
        self._below[entry] = dict.fromkeys(changed[1:])
        self._above.update(dict.fromkeys(changed[1:], entry))
        for orphan in orphans:
            if self._covers(entry, orphan):
                self._above[orphan] = entry
                self._below[entry][orphan] = None
                continue
            # Covering is not sure of what it was sure of in two steps. No others give way to an orphan: each
            # could make orphans again, without end.
            del self._above[orphan]
            if not self._shelter(orphan):
                self._below[orphan] = {}
                changed.append(orphan)
        return changed

    def _shelter(self, entry: E) -> bool:
        """Put an entry under a maximal one, if one covers it and would not rather be put under it."""
        covers = self._covers
        for over in self._below:
            if covers(over, entry) and not (covers(entry, over) and self._encode(entry) < self._encode(over)):
                self._above[entry] = over
                self._below[over][entry] = None
                return True
        return False
