"""Maximal entries: as if found anew where covering is transitive, and nothing is lost where it is not."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from networks import plain_maximal
from penstock.network.maximal import Maximal
from penstock.structures import CONTENT, ContentProcessor

bounds = st.tuples(st.sampled_from(["<", "<=", "=", ">"]), st.integers(0, 4)).map(
    lambda c: f"a {c[0]} {c[1]}"
)
conjunctions = st.lists(
    bounds | st.sampled_from(["b = 1", "EXISTS b", "a >= 2"]), min_size=1, max_size=2
).map(" AND ".join)


@given(st.lists(st.tuples(st.booleans(), conjunctions), max_size=25))
def test_maximal_entries_are_kept_as_if_found_anew(changes: list[tuple[bool, str]]) -> None:
    kept = Maximal(CONTENT)
    held: list[Any] = []
    for is_added, text in changes:
        (entry,) = ContentProcessor().subscribe(text)
        before = set(kept.entries)
        if is_added:
            changed = kept.add(entry)
            held.append(entry)
        elif entry in held:
            changed = kept.remove(entry)
            held.remove(entry)
        else:
            continue
        assert set(kept.entries) == plain_maximal(held, CONTENT)
        assert before ^ kept.entries <= set(changed)
        assert all(entry in kept for entry in kept.entries)


class Unsure:
    """A format whose covering forgets: knowing of two steps, it may not know of both at once."""

    def __init__(self, known: set[tuple[int, int]]) -> None:
        self._known = known

    def covers(self, one: int, other: int) -> bool:
        return one == other or (one, other) in self._known

    def encode_entry(self, entry: int) -> bytes:
        return bytes([entry])


entries = st.integers(0, 6)


@given(st.sets(st.tuples(entries, entries)), st.lists(st.tuples(st.booleans(), entries), max_size=25))
def test_what_is_left_out_is_always_covered_by_what_is_kept(
    known: set[tuple[int, int]], changes: list[tuple[bool, int]]
) -> None:
    format_: Any = Unsure(known)
    kept: Maximal[int] = Maximal(format_)
    held: list[int] = []
    for is_added, entry in changes:
        before = set(kept.entries)
        if is_added:
            changed = kept.add(entry)
            held.append(entry)
        elif entry in held:
            changed = kept.remove(entry)
            held.remove(entry)
        else:
            continue
        assert kept.entries <= set(held)
        assert all(any(format_.covers(over, each) for over in kept.entries) for each in held)
        assert before ^ kept.entries <= set(changed)
