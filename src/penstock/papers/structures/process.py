"""One router process: frames in, frames out to a function that sends them.

All formats share this code: it reads a header, asks the table, and writes a header for each link. Frames
begin with a length of two bytes: that of the header, or of each entry.
"""

from collections.abc import Callable, Iterable
from socket import AF_INET, SOCK_DGRAM, socket
from types import TracebackType
from typing import Any

from penstock.structures import Format, Link

__all__ = ["Loopback", "RouterProcess", "Send", "drop", "message_frame", "subscription_frame"]

LENGTH = 2
Send = Callable[[Link, bytes], object]


def message_frame(header: bytes, payload: bytes) -> bytes:
    """The length of the header, the header, the payload."""
    return len(header).to_bytes(LENGTH) + header + payload


def subscription_frame(entries: Iterable[bytes]) -> bytes:
    """The length of each entry, and the entry."""
    return b"".join(len(entry).to_bytes(LENGTH) + entry for entry in entries)


class RouterProcess:
    """A table between frames that come and frames that go."""

    def __init__(self, format_: Format[Any, Any], send: Send) -> None:
        self._format = format_
        self._send = send
        self._held: dict[Link, set[Any]] = {}
        self._table = format_.table()
        self.ask = self._table.forward

    def subscribe(self, arrived: tuple[Link, bytes]) -> None:
        """Take in the entries of a frame; the source's router passes nothing on."""
        link, frame = arrived
        held = self._held.setdefault(link, set())
        at = 0
        while at < len(frame):
            start = at + LENGTH
            at = start + int.from_bytes(frame[at:start])
            entry = self._format.decode_entry(frame[start:at])
            if entry not in held:
                held.add(entry)
                self._table.add(link, entry)

    def forward(self, frame: bytes) -> None:
        """Send a message on."""
        end = LENGTH + int.from_bytes(frame[:LENGTH])
        header, payload = self._format.decode_header(frame[LENGTH:end]), frame[end:]
        encode, send = self._format.encode_header, self._send
        for link, sent in self.ask(header).items():
            send(link, message_frame(encode(sent), payload))


def drop(link: Link, frame: bytes) -> None:
    """Send nowhere: what remains is the work of the router itself."""


class Loopback:
    """Sends every frame through a UDP socket to this machine; what nobody reads, the system drops."""

    def __init__(self) -> None:
        self._receiver, self._sender = socket(AF_INET, SOCK_DGRAM), socket(AF_INET, SOCK_DGRAM)
        self._receiver.bind(("127.0.0.1", 0))
        self._sender.connect(self._receiver.getsockname())

    def __enter__(self) -> "Loopback":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sender.close()
        self._receiver.close()

    def send(self, link: Link, frame: bytes) -> None:  # noqa: ARG002 - one socket stands for all links
        """Send a frame."""
        self._sender.send(frame)

    def receive(self) -> bytes:
        """The oldest frame that has arrived."""
        return self._receiver.recv(2**16)
