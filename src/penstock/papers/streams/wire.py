"""Stream fragments on a socket: a header of fixed length, the content descriptor, the payload.

What comes in is bounded before room is made for it; anything else than whole fragments is an error.
"""

import socket
import struct
from dataclasses import dataclass
from enum import IntEnum

from penstock.errors import WireError

__all__ = ["MAX_PAYLOAD", "MAX_TOPIC", "PATIENCE", "Fragment", "Kind", "receive", "send", "set_up"]

HEADER = struct.Struct("!BHIQ")
MAX_TOPIC = 2**16 - 1
MAX_PAYLOAD = 2**24
PATIENCE = 30.0  # seconds that one end waits for the other


class Kind(IntEnum):
    """What a fragment is for."""

    SUBSCRIBE = 1  #: its topic is a pattern; the broker sends it back once it is in force
    PUBLISH = 2
    DELIVER = 3


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a stream."""

    kind: Kind
    topic: str
    payload: bytes = b""
    matching: int = 0  #: nanoseconds that the broker took to compute its destinations


def set_up(link: socket.socket) -> socket.socket:
    """Write at once, and wait neither for packets to fill up nor for ever."""
    link.settimeout(PATIENCE)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def send(link: socket.socket, fragment: Fragment) -> None:
    """Write a whole fragment, as one piece: two would be two packets."""
    topic = fragment.topic.encode()
    if len(topic) > MAX_TOPIC or len(fragment.payload) > MAX_PAYLOAD:
        raise WireError(f"a topic has at most {MAX_TOPIC} bytes, a payload {MAX_PAYLOAD}")
    head = HEADER.pack(fragment.kind, len(topic), len(fragment.payload), fragment.matching)
    link.sendall(b"".join((head, topic, fragment.payload)))


def receive(link: socket.socket) -> Fragment | None:
    """Read a whole fragment; None when the other end has said all it has to say."""
    head = _read(link, HEADER.size, may_end=True)
    if not head:
        return None
    kind, topic_length, length, matching = HEADER.unpack(head)
    if length > MAX_PAYLOAD:
        raise WireError(f"a payload of {length} bytes; at most {MAX_PAYLOAD} are taken")
    try:
        topic = _read(link, topic_length).decode()
        return Fragment(Kind(kind), topic, _read(link, length), matching)
    except ValueError as error:  # no such kind, no UTF-8
        raise error if isinstance(error, WireError) else WireError(f"no fragment: {error}") from None


def _read(link: socket.socket, length: int, *, may_end: bool = False) -> bytes:
    room = bytearray(length)
    view, got = memoryview(room), 0
    while got < length:
        count = link.recv_into(view[got:])
        if not count:
            if may_end and not got:
                return b""
            raise WireError(f"the stream ends after {got} of {length} bytes")
        got += count
    return bytes(room)
