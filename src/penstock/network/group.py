"""Out(n): what a router tells each neighbour, by the core rule, for the trees of all sources at once.

For a source s towards which n is the next hop, n is told the maximal entries of all that was learned from
elsewhere and is meant for s. Sources for which the same branches count form a group and share one set of
maximal entries; on a tree, and with a single source, that is one group for each neighbour. Groups follow
each entry as it comes and goes, and are formed anew when the graph changes or a branch appears.
"""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Final, Generic, TypeAlias, TypeVar

from penstock.network.frame import ALL, MAX_SOURCES, NONE, RouterId, Sources
from penstock.network.graph import Route
from penstock.network.maximal import Maximal
from penstock.structures.format import Format

__all__ = ["LOCAL", "Groups"]

E = TypeVar("E", bound=Hashable)

# A neighbour, or the hosts together, and the sources that these entries of it are meant for.
BranchKey: TypeAlias = tuple[RouterId, Sources]
GroupKey: TypeAlias = tuple[BranchKey, ...]

LOCAL: Final = -1
NOBODY: Final[frozenset[RouterId]] = frozenset()


class Groups(Generic[E]):
    """The groups of sources, their maximal entries, and which neighbour is told of which."""

    __slots__ = ("_branches", "_dirty", "_format", "_groups", "_some", "_tellings", "_users", "stale")

    def __init__(self, format_: Format[E, Any]) -> None:
        self._format = format_
        self._branches: dict[BranchKey, dict[E, None]] = {}  # none is empty
        self._some: dict[RouterId, dict[frozenset[RouterId], None]] = {}  # branches for some sources, by link
        self._groups: dict[GroupKey, Maximal[E]] = {}
        self._users: dict[BranchKey, list[GroupKey]] = {}  # the groups that a branch counts for
        self._tellings: dict[RouterId, dict[GroupKey, frozenset[RouterId]]] = {}
        self._dirty: dict[RouterId, dict[E, None]] = {}
        self.stale = False  #: a branch for some sources has come or gone since the groups were formed

    @property
    def is_empty(self) -> bool:
        """Whether there is no entry at all."""
        return not self._branches

    def add(self, branch: BranchKey, entry: E) -> None:
        """A branch has a new entry."""
        entries = self._branches.get(branch)
        if entries is None:
            entries = self._branches[branch] = {}
            link, sources = branch
            if sources is not ALL:
                self._some.setdefault(link, {})[sources] = None
                self.stale = True
        entries[entry] = None
        for key in self._users.get(branch, ()):
            self._mark(key, self._groups[key].add(entry))

    def remove(self, branch: BranchKey, entry: E) -> None:
        """A branch has lost an entry."""
        entries = self._branches[branch]
        del entries[entry]
        for key in self._users.get(branch, ()):
            self._mark(key, self._groups[key].remove(entry))
        if entries:
            return
        del self._branches[branch]
        link, sources = branch
        if sources is not ALL:
            del self._some[link][sources]
            self.stale = True

    def _mark(self, key: GroupKey, entries: list[E]) -> None:
        if entries:
            for neighbour, tellings in self._tellings.items():
                if key in tellings:
                    self._dirty.setdefault(neighbour, {}).update(dict.fromkeys(entries))

    def form(self, routes: Mapping[RouterId, Route]) -> list[RouterId]:
        """Form the groups for these places in the trees; the answer is the neighbours to be told anew."""
        tellings: dict[RouterId, dict[GroupKey, frozenset[RouterId]]] = {}
        for source, (parent, children) in routes.items():
            if parent is not None:
                key = tuple(self._counted(source, children))
                told = tellings.setdefault(parent, {})
                told[key] = told.get(key, NOBODY) | {source}
        groups: dict[GroupKey, Maximal[E]] = {}
        for key in (key for told in tellings.values() for key in told):
            groups[key] = self._groups.get(key) or groups.get(key) or self._gather(key)
        users: dict[BranchKey, list[GroupKey]] = {}
        for key in groups:
            for branch in key:
                users.setdefault(branch, []).append(key)
        before, self._tellings, self._groups, self._users = self._tellings, tellings, groups, users
        self.stale = False
        return sorted(
            near for near in before.keys() | tellings.keys() if before.get(near) != tellings.get(near)
        )

    def _counted(self, source: RouterId, children: frozenset[RouterId]) -> Iterator[BranchKey]:
        """The branches that count for a source; those for all sources may yet be empty."""
        yield LOCAL, ALL
        for link in sorted(children):
            yield link, ALL
            for sources in self._some.get(link, ()):
                if source in sources:
                    yield link, sources

    def _gather(self, key: GroupKey) -> Maximal[E]:
        return Maximal(self._format, (entry for branch in key for entry in self._branches.get(branch, ())))

    def take_dirty(self, neighbour: RouterId) -> dict[E, None]:
        """Entries that may have to be told to a neighbour in a new way, since this was asked last."""
        return self._dirty.pop(neighbour, {})

    def told(self, neighbour: RouterId) -> dict[E, None]:
        """All entries that a neighbour has to be told of."""
        groups = self._tellings.get(neighbour, ())
        return dict.fromkeys(entry for key in groups for entry in self._groups[key].entries)

    def wanted(self, neighbour: RouterId, entry: E) -> Sources:
        """The sources beyond a neighbour that an entry is to be told for."""
        tellings = self._tellings.get(neighbour)
        if not tellings:
            return NONE
        found = [sources for key, sources in tellings.items() if entry in self._groups[key]]
        if len(found) == len(tellings):
            return ALL
        sources = NOBODY.union(*found)
        # Too many to name: telling all costs traffic, never a message.
        return ALL if len(sources) > MAX_SOURCES else sources
