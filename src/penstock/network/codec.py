"""Frames as bytes: a version, a kind, then the fields as varints and runs of bytes.

encode() is canonical as far as the format of entries and headers is, and decode() accepts nothing that
encode() would not write. Whatever the bytes are, decode() gives a frame or a typed error, and holds no more
memory than a small multiple of them.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from penstock.errors import PenstockError, WireError
from penstock.network.frame import (
    ALL,
    MAX_COPIES,
    MAX_COST,
    MAX_ENTRY,
    MAX_EPOCH,
    MAX_FRAME,
    MAX_HEADER,
    MAX_INCARNATION,
    MAX_NEIGHBOURS,
    MAX_PAYLOAD,
    MAX_ROUTER,
    MAX_SOURCES,
    Ack,
    Change,
    Frame,
    Hello,
    LinkState,
    Message,
    Sources,
    Update,
)
from penstock.structures.format import Format
from penstock.structures.wire import Reader, write_number

__all__ = ["decode", "encode"]

VERSION: Final = 1
HELLO, UPDATE, ACK, MESSAGE = range(4)
MAX_NAME: Final = 64
MAX_RECORDS: Final = 2**16
TOLD_NONE, TOLD_ALL = 0, 1


def encode(frame: Frame[Any, Any], format_: Format[Any, Any]) -> bytes:
    """The frame as bytes."""
    out = bytearray([VERSION])
    match frame:
        case Message():
            out.append(MESSAGE)
            for number in (frame.source, frame.incarnation, frame.number, frame.copy, frame.copies):
                write_number(out, number)
            _write_bytes(out, format_.encode_header(frame.header))
            _write_bytes(out, frame.payload)
        case Update():
            out.append(UPDATE)
            _write_session(out, frame)
            write_number(out, frame.sequence)
            write_number(out, len(frame.states))
            for state in frame.states:
                _write_state(out, state)
            write_number(out, len(frame.changes))
            for entry, sources in frame.changes:
                _write_bytes(out, format_.encode_entry(entry))
                _write_sources(out, sources)
        case Ack():
            out.append(ACK)
            _write_session(out, frame)
            write_number(out, frame.sequence)
        case Hello():
            out.append(HELLO)
            write_number(out, frame.router)
            _write_session(out, frame)
            _write_bytes(out, frame.format.encode())
    return bytes(out)


def decode(data: bytes, format_: Format[Any, Any]) -> Frame[Any, Any]:
    """The frame in the bytes; WireError if they are none, or whatever the format says of its own part."""
    if len(data) > MAX_FRAME:
        raise WireError(f"{len(data):,} bytes are more than a frame may have ({MAX_FRAME:,})")
    reader = FrameReader(bytes(data))
    if (version := reader.byte()) != VERSION:
        raise WireError(f"version {version} is not understood, only {VERSION}", 0)
    frame = _read(reader, reader.byte(), format_)
    reader.end()
    return frame


class FrameReader(Reader):
    """A reader that knows bounds and lengths: nothing is set aside before the bytes for it are seen."""

    __slots__ = ()

    def within(self, what: str, least: int, most: int) -> int:
        """A number within bounds."""
        start = self.at
        if (number := self.number(max(most, 0), what)) < least or number > most:
            raise WireError(f"a {what} of {number:,} is not from {least:,} to {most:,}", start)
        return number

    def count(self, what: str, most: int, size: int) -> int:
        """How many follow, each of at least so many bytes."""
        start = self.at
        number = self.number(most, f"number of {what}")
        if number * size > len(self.data) - self.at:
            raise WireError(f"{number:,} {what} do not fit into the bytes that are left", start)
        return number

    def run(self, what: str, most: int) -> bytes:
        """Bytes behind their length."""
        return self.take(self.number(most, f"length of the {what}"))

    def ascending(self, count: int, what: str) -> Iterator[int]:
        """So many ids, each as its distance from the one before; others may be read in between."""
        last = -1
        for _ in range(count):
            last += 1 + self.within(what, 0, MAX_ROUTER - last - 1)
            yield last


def _read(reader: FrameReader, kind: int, format_: Format[Any, Any]) -> Frame[Any, Any]:
    if kind == MESSAGE:
        return _read_message(reader, format_)
    if kind not in (HELLO, UPDATE, ACK):
        raise WireError(f"there is no frame of kind {kind}", 1)
    router = reader.number(MAX_ROUTER, "router") if kind == HELLO else 0
    epoch = reader.within("epoch", 1, MAX_EPOCH)
    echo = reader.within("epoch of the receiver", 0 if kind == HELLO else 1, MAX_EPOCH)
    if kind == HELLO:
        return Hello(router, epoch, echo, _read_name(reader))
    sequence = reader.number()
    if kind == ACK:
        return Ack(epoch, echo, sequence)
    states = tuple(_read_state(reader) for _ in range(reader.count("link states", MAX_RECORDS, 5)))
    changes = tuple(_read_change(reader, format_) for _ in range(reader.count("changes", MAX_RECORDS, 2)))
    return Update(epoch, echo, sequence, states, changes)


def _read_name(reader: FrameReader) -> str:
    start = reader.at
    try:
        return reader.run("name of the format", MAX_NAME).decode()
    except UnicodeDecodeError as error:
        raise WireError("the name of the format is not UTF-8", start) from error


def _read_message(reader: FrameReader, format_: Format[Any, Any]) -> Message[Any]:
    source = reader.number(MAX_ROUTER, "source")
    incarnation = reader.number(MAX_INCARNATION, "incarnation")
    number = reader.number()
    copy = reader.number(min(number, MAX_COPIES - 1), "copy")
    copies = reader.within("number of copies", copy + 1, MAX_COPIES)
    header = _read_part(reader, format_.decode_header, reader.run("header", MAX_HEADER))
    return Message(source, incarnation, number, copy, copies, header, reader.run("payload", MAX_PAYLOAD))


def _read_state(reader: FrameReader) -> LinkState:
    router = reader.number(MAX_ROUTER, "router")
    incarnation = reader.number(MAX_INCARNATION, "incarnation")
    sequence = reader.number()
    source = bool(reader.number(1, "mark of a source"))
    count = reader.count("neighbours", MAX_NEIGHBOURS, 2)
    neighbours = ((near, reader.within("cost", 1, MAX_COST)) for near in reader.ascending(count, "neighbour"))
    return LinkState(router, incarnation, sequence, source, tuple(neighbours))


def _read_change(reader: FrameReader, format_: Format[Any, Any]) -> Change[Any]:
    entry = _read_part(reader, format_.decode_entry, reader.run("entry", MAX_ENTRY))
    return Change(entry, _read_sources(reader))


def _read_sources(reader: FrameReader) -> Sources:
    told = reader.number(MAX_SOURCES + 1, "number of sources")
    if told == TOLD_ALL:
        return ALL
    return frozenset(reader.ascending(told - 1, "source"))


def _read_part(reader: FrameReader, read: Callable[[bytes], Any], data: bytes) -> Any:
    """What the format makes of its own part; its typed errors pass, Python's are not let through."""
    try:
        return read(data)
    except PenstockError:
        raise
    except (ValueError, RecursionError) as error:
        raise WireError(f"not of the format: {error}", reader.at) from error


def _write_bytes(out: bytearray, data: bytes) -> None:
    write_number(out, len(data))
    out += data


def _write_session(out: bytearray, frame: Hello | Update[Any] | Ack) -> None:
    write_number(out, frame.epoch)
    write_number(out, frame.echo)


def _write_state(out: bytearray, state: LinkState) -> None:
    write_number(out, state.router)
    write_number(out, state.incarnation)
    write_number(out, state.sequence)
    out.append(state.source)
    write_number(out, len(state.neighbours))
    last = -1
    for router, cost in state.neighbours:
        write_number(out, router - last - 1)
        write_number(out, cost)
        last = router


def _write_sources(out: bytearray, sources: Sources) -> None:
    """0 for none, 1 for all, else how many and one more, and each as its distance from the one before."""
    if sources is ALL:
        out.append(TOLD_ALL)
        return
    write_number(out, len(sources) + 1 if sources else TOLD_NONE)
    last = -1
    for source in sorted(sources):
        write_number(out, source - last - 1)
        last = source
