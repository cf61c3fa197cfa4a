"""What a router has learned: In(i) for each neighbour, the entries of its hosts, and the table of both.

The table's links are hosts, neighbours, and *branches* of neighbours: a neighbour's entries that are meant
for some sources only. So one table serves the trees of all sources. Each entry is in the table once for
each link that holds it.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from penstock.errors import NetworkError
from penstock.network.frame import ALL, NONE, RouterId, Sources
from penstock.network.group import LOCAL, Groups
from penstock.structures.format import Format

__all__ = ["Branch", "Host", "Learned"]

E = TypeVar("E", bound=Hashable)
H = TypeVar("H")

Host: TypeAlias = str


class Branch(NamedTuple):
    """The entries of a neighbour that are meant for these sources, and not for all: a link of the table."""

    link: RouterId
    sources: frozenset[RouterId]


class Learned(Generic[E, H]):
    """In(i), and the table; what changes is passed on to the groups that Out is made of."""

    __slots__ = ("_groups", "_hosts", "_links", "_local", "table")

    def __init__(self, format_: Format[E, H], groups: Groups[E]) -> None:
        self.table = format_.table()
        self._groups = groups
        self._links: dict[RouterId, dict[E, Sources]] = {}
        self._hosts: dict[Host, dict[E, int]] = {}
        self._local: dict[E, int] = {}  # how many hosts hold it

    def of(self, link: RouterId) -> Mapping[E, Sources]:
        """In(link): each entry with the sources that it is meant for."""
        return self._links.get(link, {})

    @property
    def hosts(self) -> Mapping[Host, Mapping[E, int]]:
        """The entries of each host, with how often it holds each."""
        return self._hosts

    def put(self, link: RouterId, entry: E, sources: Sources) -> None:
        """Let a neighbour's entry be meant for these sources; for none: forget it."""
        held = self._links.setdefault(link, {})
        before = held.get(entry, NONE)
        if sources == before:
            return
        if before != NONE:
            self.table.remove(_table_link(link, before), entry)
            self._groups.remove((link, before), entry)
            del held[entry]
        if sources != NONE:
            self.table.add(_table_link(link, sources), entry)
            self._groups.add((link, sources), entry)
            held[entry] = sources

    def clear(self, link: RouterId) -> None:
        """Forget all that a neighbour has told."""
        for entry in list(self._links.get(link, ())):
            self.put(link, entry, NONE)
        self._links.pop(link, None)

    def attach(self, host: Host) -> None:
        """Take in a host."""
        if host in self._hosts:
            raise NetworkError(f"a host named {host!r} is attached already")
        self._hosts[host] = {}

    def detach(self, host: Host) -> None:
        """Let a host go, with all that it holds."""
        for entry, count in list(self.held(host).items()):
            self.unsubscribe(host, [entry] * count)
        del self._hosts[host]

    def held(self, host: Host) -> dict[E, int]:
        """The entries of a host."""
        try:
            return self._hosts[host]
        except KeyError:
            raise NetworkError(f"no host named {host!r} is attached") from None

    def subscribe(self, host: Host, entries: Iterable[E]) -> None:
        """Let a host hold entries, once more each."""
        held = self.held(host)
        for entry in entries:
            count = held[entry] = held.get(entry, 0) + 1
            if count > 1:
                continue
            self.table.add(host, entry)
            hosts = self._local[entry] = self._local.get(entry, 0) + 1
            if hosts == 1:
                self._groups.add((LOCAL, ALL), entry)

    def unsubscribe(self, host: Host, entries: Iterable[E]) -> None:
        """Let a host hold entries once less each: all of them, or none if one is not held as often."""
        held = self.held(host)
        less: dict[E, int] = {}
        for entry in entries:
            less[entry] = less.get(entry, 0) + 1
            if held.get(entry, 0) < less[entry]:
                raise NetworkError(f"host {host!r} does not hold {entry!r}, or not as often")
        for entry, count in less.items():
            held[entry] -= count
            if not held[entry]:
                del held[entry]
                self._drop(host, entry)

    def _drop(self, host: Host, entry: E) -> None:
        self.table.remove(host, entry)
        self._local[entry] -= 1
        if not self._local[entry]:
            del self._local[entry]
            self._groups.remove((LOCAL, ALL), entry)


def _table_link(link: RouterId, sources: Sources) -> Any:
    return link if sources is ALL else Branch(link, sources)
