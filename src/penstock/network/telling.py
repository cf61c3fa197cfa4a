"""What the next update to a neighbour says: as much as fits into a frame, first the graph, then Out.

A change that fits is told whole. One that does not is told in several updates, additions before
withdrawals: at every moment the neighbour knows of all entries that are in both the old and the new Out, so
nothing is missed.
"""

from collections.abc import Hashable, Iterable
from itertools import islice
from typing import Any, Final, TypeVar

from penstock.network.frame import ALL, MAX_SOURCES, NONE, Change, LinkState, Sources
from penstock.network.group import Groups
from penstock.network.linkstate import LinkStates
from penstock.network.session import Session
from penstock.structures.format import Format

__all__ = ["next_changes", "next_states"]

E = TypeVar("E", bound=Hashable)

# Well below the limit of a frame: one record more than this still fits into it.
BUDGET: Final = 2**19
PER_ID: Final = 10  # bytes of an id and a cost, at most
RECORD: Final = 32  # bytes of a record beside its entry or ids, at most


def next_states(session: Session[Any], known: LinkStates) -> tuple[LinkState, ...]:
    """The link states that the neighbour may lack, as they are now; they no longer count as lacking."""
    if not session.states:
        return ()
    chosen = []
    room = BUDGET
    for router in session.states:
        state = known[router]
        chosen.append(state)
        room -= RECORD + PER_ID * len(state.neighbours)
        if room <= 0:
            break
    session.states = dict.fromkeys(islice(session.states, len(chosen), None))
    return tuple(chosen)


def next_changes(session: Session[E], groups: Groups[E], format_: Format[E, Any]) -> tuple[Change[E], ...]:
    """The changes of Out to tell next; they count as told."""
    session.dirty.update(groups.take_dirty(session.peer))
    pending: list[tuple[E, Sources, Sources]] = []
    for entry in session.dirty:
        before = session.told.get(entry, NONE)
        after = groups.wanted(session.peer, entry)
        if before != after:
            pending.append((entry, before, after))
    changes = _fitting([Change(entry, after) for entry, _, after in pending], format_)
    if len(changes) < len(pending):
        growth = [
            Change(entry, union)
            for entry, before, after in pending
            if (union := _union(before, after)) != before
        ]
        changes = _fitting(growth, format_) if growth else changes
        session.dirty = {entry: None for entry, _, _ in pending}
    else:
        session.dirty = {}
    for entry, sources in changes:
        if sources == NONE:
            del session.told[entry]
        else:
            session.told[entry] = sources
    return changes


def _union(one: Sources, other: Sources) -> Sources:
    if one is ALL or other is ALL or len(one | other) > MAX_SOURCES:
        return ALL
    return one | other


def _fitting(changes: Iterable[Change[E]], format_: Format[E, Any]) -> tuple[Change[E], ...]:
    """As many from the front as fit into a frame."""
    chosen: list[Change[E]] = []
    room = BUDGET
    for change in changes:
        if room <= 0:
            break
        chosen.append(change)
        room -= RECORD + len(format_.encode_entry(change.entry)) + PER_ID * len(change.sources or ())
    return tuple(chosen)
