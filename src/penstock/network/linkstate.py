"""The latest word of every router on itself: what flooding spreads, and what a router makes its graph of.

Words of routers that cannot be reached are kept: they do no harm, since a link needs both of its ends, and
are superseded when the router comes back. How many are kept is bounded.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from penstock.network.frame import LinkState, RouterId
from penstock.network.graph import Atlas, Graph

__all__ = ["LinkStates"]

MAX_ROUTERS: Final = 2**16


class LinkStates(Mapping[RouterId, LinkState]):
    """Link states by router, each the latest that was offered."""

    __slots__ = ("_digest", "_states")

    def __init__(self) -> None:
        self._states: dict[RouterId, LinkState] = {}
        self._digest = 0

    def __getitem__(self, router: RouterId) -> LinkState:
        return self._states[router]

    def __iter__(self) -> Iterator[RouterId]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def offer(self, state: LinkState) -> bool:
        """Take the state if it is news; False if it is old, or of one router too many."""
        known = self._states.get(state.router)
        if known is None:
            if len(self._states) >= MAX_ROUTERS:
                return False
        elif known.incarnation > state.incarnation or (
            known.incarnation == state.incarnation and known.sequence >= state.sequence
        ):
            return False
        else:
            self._digest ^= _digest(known)
        self._states[state.router] = state
        self._digest ^= _digest(state)
        return True

    def graph(self, atlas: Atlas) -> Graph:
        """The graph that the states make."""
        return atlas.graph(self._digest, self._states)


def _digest(state: LinkState) -> int:
    return hash((state.router, state.incarnation, state.sequence))
