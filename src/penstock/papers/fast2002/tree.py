"""A tree of routers with as many interfaces each as wanted, and the way of a message from one end of it.

Two halves are joined at their roots. A router has one link up (the roots: to each other); its other
interfaces are links down and destinations. Destinations are numbered so that those below a router are a
range: what lies in a direction is a slice of the list of filters.

Messages enter at the first router of the lowest level, so that the farthest destinations are behind twice as
many routers as a half has levels. A router holds the filters of every direction but the one that messages
come from.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Router", "Tree", "Way", "plant"]


@dataclass(frozen=True, slots=True, eq=False)
class Router:
    """The destinations from `first` to `last` are its own, up to `own`, or lie below its children."""

    first: int
    own: int
    last: int
    children: tuple["Router", ...]


@dataclass(frozen=True, slots=True)
class Way:
    """A direction: the name of the interface, the destinations that lie there, and what comes next."""

    name: str
    beyond: tuple[range, ...]
    goal: Router | int  #: the next router, or the destination itself


@dataclass(frozen=True, slots=True)
class Tree:
    """Both halves, and the routers from the entrance up to the root of its half."""

    entrance: tuple[Router, ...]
    right: Router

    @property
    def destinations(self) -> int:
        """In all."""
        return self.right.last

    @property
    def hops(self) -> int:
        """Routers on the longest way."""
        return 2 * len(self.entrance)

    @property
    def routers(self) -> int:
        """In all."""
        waiting, found = [self.entrance[-1], self.right], 0
        while waiting:
            found += 1
            waiting += waiting.pop().children
        return found

    def ways(self, router: Router) -> list[Way]:
        """Where messages may go from a router; never back where they came from."""
        found = [Way(f"d{n}", (range(n, n + 1),), n) for n in range(router.first, router.own)]
        found += [
            Way(f"r{child.first}", (range(child.first, child.last),), child)
            for child in router.children
            if child not in self.entrance
        ]
        if router in self.entrance:
            above = (*self.entrance, self.right)[self.entrance.index(router) + 1]
            outside = (range(router.first), range(router.last, self.destinations))
            found.append(Way("up", tuple(each for each in outside if each), above))
        return found


def plant(children: Sequence[int], interfaces: int = 20) -> Tree:
    """A tree in which routers of level n have children[n] links down, and those of the last level none."""
    left = _grow(children, interfaces, 0)
    entrance = [left]
    while entrance[0].children:
        entrance.insert(0, entrance[0].children[0])
    return Tree(tuple(entrance), _grow(children, interfaces, left.last))


def _grow(children: Sequence[int], interfaces: int, first: int) -> Router:
    count = children[0] if children else 0
    own = last = first + interfaces - 1 - count
    below = []
    for _ in range(count):
        below.append(_grow(children[1:], interfaces, last))
        last = below[-1].last
    return Router(first, own, last, tuple(below))
