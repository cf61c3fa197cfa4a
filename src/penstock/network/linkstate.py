"""The latest word of every router on itself: what flooding spreads, and what a router makes its graph of.

Words of routers that cannot be reached are kept: they do no harm, since a link needs both of its ends, and
are superseded when the router comes back. How many are kept is bounded.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from penstock.network.frame import LinkState, RouterId
from penstock.network.graph import Atlas, Graph

__all__ = ["LinkStates"]

MAX_ROUTERS: Final = 2**16
MAX_LINKS: Final = 2**20  # of all routers together


class Heard(NamedTuple):
    """What link states told: of which routers they are news, or known just so, and claims on the owner."""

    news: list[RouterId]
    same: list[RouterId]
    claims: list[LinkState]


class LinkStates(Mapping[RouterId, LinkState]):
    """Link states by router, each the latest that was heard."""

    __slots__ = ("_before", "_digest", "_links", "_owner", "_states")

    def __init__(self, owner: RouterId) -> None:
        self._owner = owner
        self._links = 0
        self._states: dict[RouterId, LinkState] = {}
        self._digest = 0
        self._before: dict[RouterId, LinkState | None] = {}  # what the digest still takes for the latest

    def __getitem__(self, router: RouterId) -> LinkState:
        return self._states[router]

    def __iter__(self) -> Iterator[RouterId]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def say(self, state: LinkState) -> None:
        """Take the word of the router that these states belong to."""
        self._take(self._states.get(self._owner), state)

    def hear(self, states: Iterable[LinkState]) -> Heard:
        """Take what is news of other routers; what is older than what is known says nothing."""
        heard = Heard([], [], [])
        latest = self._states
        for state in states:
            router = state.router
            known = latest.get(router)
            if known is state or (known is not None and known.age == state.age):
                heard.same.append(router)
            elif router == self._owner:
                heard.claims.append(state)
            elif (known is None or known.age < state.age) and self._has_room(known, state):
                self._take(known, state)
                heard.news.append(router)
        return heard

    def _has_room(self, known: LinkState | None, state: LinkState) -> bool:
        if known is None:
            return len(self._states) < MAX_ROUTERS and self._links + len(state.neighbours) <= MAX_LINKS
        return self._links + len(state.neighbours) - len(known.neighbours) <= MAX_LINKS

    def _take(self, known: LinkState | None, state: LinkState) -> None:
        self._before.setdefault(state.router, known)
        self._states[state.router] = state
        self._links += len(state.neighbours) - (0 if known is None else len(known.neighbours))

    def graph(self, atlas: Atlas) -> Graph:
        """The graph that the states make."""
        for router, known in self._before.items():
            self._digest ^= _digest(self._states[router]) ^ (0 if known is None else _digest(known))
        self._before.clear()
        return atlas.graph(self._digest, self._states)


def _digest(state: LinkState) -> int:
    return hash((state.router, state.incarnation, state.sequence))
