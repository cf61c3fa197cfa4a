"""A broker of streams: fragments come in by TCP and go out to those whose patterns match.

One thread takes one fragment at a time: it is read whole, its destinations are computed by a TopicTable, and
it is written to each of them that has a connection. A client that breaks the rules loses its connection, and
with it its subscriptions; nobody else notices.

`python -m penstock.papers.streams.broker SCHEME SUBSCRIPTIONS ATTRIBUTES SEED` listens on a free port of
127.0.0.1, prints it, and ends with its standard input.
"""

import selectors
import socket
import sys
import time
from contextlib import suppress
from typing import Protocol, cast

from penstock.errors import PenstockError
from penstock.papers.streams.wire import Fragment, Kind, receive, send, set_up
from penstock.papers.streams.workload import Workload, table_of
from penstock.topics import Scheme, TopicTable

__all__ = ["Broker", "listen", "main"]

CLIENTS = 8


class Stop(Protocol):
    """Whatever becomes readable when it is time to end."""

    def fileno(self) -> int:
        """Its number in the system."""


class Broker:
    """A table of patterns, and the connections of those who subscribed."""

    __slots__ = ("_held", "_links", "_table")

    def __init__(self, table: TopicTable) -> None:
        self._table = table
        self._links: dict[str, socket.socket] = {}
        self._held: dict[socket.socket, list[int]] = {}

    def serve(self, listener: socket.socket, stop: Stop) -> None:
        """Take connections and fragments until `stop` becomes readable."""
        with selectors.DefaultSelector() as waiting:
            waiting.register(stop, selectors.EVENT_READ)
            waiting.register(listener, selectors.EVENT_READ)
            try:
                while stop not in (ready := [key.fileobj for key, _ in waiting.select()]):
                    for each in ready:
                        if each is listener:
                            waiting.register(self._accept(listener), selectors.EVENT_READ)
                        elif (link := cast(socket.socket, each)) in self._held and not self._take(link):
                            waiting.unregister(link)
                            self._drop(link)
            finally:
                for link in list(self._held):
                    self._drop(link)

    def _accept(self, listener: socket.socket) -> socket.socket:
        link = set_up(listener.accept()[0])
        self._held[link] = []
        return link

    def _take(self, link: socket.socket) -> bool:
        """Read one fragment and do what it asks for; whether the connection is still of use."""
        try:
            fragment = receive(link)
            if fragment is None:
                return False
            if fragment.kind is Kind.SUBSCRIBE:
                self._subscribe(link, fragment)
            elif fragment.kind is Kind.PUBLISH:
                self._forward(fragment)
        except (OSError, PenstockError):
            return False
        return True

    def _subscribe(self, link: socket.socket, fragment: Fragment) -> None:
        name = f"connection {link.fileno()}"
        self._held[link].append(self._table.subscribe(fragment.topic, name))
        self._links[name] = link
        send(link, fragment)

    def _forward(self, fragment: Fragment) -> None:
        start = time.perf_counter_ns()
        names = self._table.match(fragment.topic)
        spent = time.perf_counter_ns() - start
        delivered = Fragment(Kind.DELIVER, fragment.topic, fragment.payload, spent)
        for name in names:
            if link := self._links.get(name):
                _deliver(link, delivered)

    def _drop(self, link: socket.socket) -> None:
        self._links.pop(f"connection {link.fileno()}", None)
        for subscription in self._held.pop(link):
            self._table.unsubscribe(subscription)
        link.close()


def _deliver(link: socket.socket, fragment: Fragment) -> None:
    try:
        send(link, fragment)
    except OSError:  # half a fragment may be out, so nothing more can be: its next read finds the end
        with suppress(OSError):
            link.shutdown(socket.SHUT_RDWR)


def listen() -> socket.socket:
    """A socket on a free port of this machine, for this machine."""
    return socket.create_server(("127.0.0.1", 0), backlog=CLIENTS)


def main(scheme: str, subscriptions: str, attributes: str, seed: str) -> None:
    """Hold so many subscriptions of others, and serve."""
    workload = Workload(int(subscriptions), int(attributes), "one wildcard", int(seed))
    table = table_of(cast(Scheme, scheme), workload.patterns())
    with listen() as listener:
        print(listener.getsockname()[1], flush=True)
        Broker(table).serve(listener, sys.stdin)


if __name__ == "__main__":
    main(*sys.argv[1:])
