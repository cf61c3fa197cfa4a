"""Where a message goes from here: down the tree of its source, to the links whose entries want it.

A message comes from the next hop towards its source or not at all, and once. Trees alone would do; the
windows are the backstop while routers do not yet agree on the graph.
"""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from penstock.network.frame import Frame, Message, RouterId
from penstock.network.learned import Branch, Host
from penstock.network.window import Window
from penstock.structures.format import Format, Table

__all__ = ["Action", "Deliver", "Forwarding", "Send"]

E = TypeVar("E", bound=Hashable)
H = TypeVar("H")

RECENT: Final = 1024  # messages in several copies that are remembered, so that a host gets one of them


class Send(NamedTuple):
    """Put the frame on the link to this neighbour."""

    link: RouterId
    frame: Frame[Any, Any]


class Deliver(NamedTuple):
    """Hand the message to this host."""

    host: Host
    message: Message[Any]


Action: TypeAlias = Send | Deliver


class Forwarding(Generic[E, H]):
    """The table in use, and what has passed through it of late."""

    __slots__ = ("_merge", "_recent", "_table", "_windows")

    def __init__(self, table: Table[E, H], format_: Format[E, H]) -> None:
        self._table = table
        self._merge = format_.merge  # headers for branches of one link
        self._windows: dict[RouterId, Window] = {}
        self._recent: OrderedDict[tuple[RouterId, int, int], set[Host]] = OrderedDict()

    def is_first(self, message: Message[H]) -> bool:
        """Whether the message has not been here before; it has from now on."""
        window = self._windows.get(message.source)
        if window is None:
            window = self._windows[message.source] = Window()
        return window.first(message.incarnation, message.number)

    def forward(
        self, message: Message[H], children: frozenset[RouterId], origin: Host | None, actions: list[Action]
    ) -> None:
        """Send the message to those after us in the tree, and to the hosts here but the one it comes from."""
        source = message.source
        merge = self._merge
        sent: dict[RouterId, H] = {}
        for link, header in self._table.forward(message.header).items():
            if type(link) is int:
                if link in children:
                    sent[link] = merge(sent[link], header) if link in sent else header
            elif type(link) is str:
                if link != origin and (message.copies == 1 or self._is_first_copy(message, link)):
                    actions.append(Deliver(link, message))
            elif type(link) is Branch and link.link in children and source in link.sources:
                near = link.link
                sent[near] = merge(sent[near], header) if near in sent else header
        for near, header in sent.items():
            actions.append(Send(near, message if header is message.header else message.carrying(header)))

    def _is_first_copy(self, message: Message[H], host: Host) -> bool:
        """Whether the host has had no other copy of the message."""
        key = message.source, message.incarnation, message.first
        hosts = self._recent.get(key)
        if hosts is None:
            hosts = self._recent[key] = set()
            if len(self._recent) > RECENT:
                self._recent.popitem(last=False)
        if host in hosts:
            return False
        hosts.add(host)
        return True
