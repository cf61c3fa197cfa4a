"""A table as bytes: which link holds which entries, written in one way only, with a checksum.

A version, the name of the format, then links by name in order, each with its entries in the order of their
bytes. The checksum finds damage; whoever would forge a table has no need to.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, TypeVar
from zlib import crc32

from penstock.errors import WireError
from penstock.structures.format import Format
from penstock.structures.wire import Reader, write_number, write_text

__all__ = ["Holding", "read_holding", "write_holding"]

E = TypeVar("E", bound=Hashable)

Holding = Mapping[str, Iterable[E]]

VERSION: Final = 1
CHECKSUM: Final = 4  # bytes
MAX_LINKS: Final = 2**20
MAX_ENTRIES: Final = 2**20  # of one link
MAX_ENTRY: Final = 2**20  # bytes


def write_holding(held: Holding[E], format_: Format[E, Any]) -> bytes:
    """The entries of each link; a link without any is as good as none."""
    out = bytearray([VERSION])
    write_text(out, format_.name)
    encoded = {
        link: sorted({format_.encode_entry(entry) for entry in entries}) for link, entries in held.items()
    }
    links = sorted(link for link, entries in encoded.items() if entries)
    write_number(out, len(links))
    for link in links:
        write_text(out, link)
        write_number(out, len(encoded[link]))
        for entry in encoded[link]:
            write_number(out, len(entry))
            out += entry
    return bytes(out) + crc32(out).to_bytes(CHECKSUM, "little")


def read_holding(data: bytes, format_: Format[E, Any]) -> dict[str, list[E]]:
    """What write_holding wrote; WireError for everything else."""
    body, checksum = data[:-CHECKSUM], data[-CHECKSUM:]
    if len(checksum) < CHECKSUM or crc32(body).to_bytes(CHECKSUM, "little") != checksum:
        raise WireError("the checksum is wrong")
    reader = Reader(body)
    if (version := reader.byte()) != VERSION:
        raise WireError(f"version {version} is not understood, only {VERSION}", 0)
    if (name := reader.text()) != format_.name:
        raise WireError(f"a table of the format {name!r}, not {format_.name!r}")
    links = [
        (reader.text(), list(_entries(reader))) for _ in range(reader.number(MAX_LINKS, "number of links"))
    ]
    reader.end()
    if any(one >= other for (one, _), (other, _) in pairwise(links)):
        raise WireError("names of links must rise")
    return {link: [format_.decode_entry(entry) for entry in entries] for link, entries in links}


def _entries(reader: Reader) -> Iterator[bytes]:
    last: bytes | None = None
    count = reader.number(MAX_ENTRIES, "number of entries")
    if not count:
        raise WireError("a link without entries", reader.at)
    for _ in range(count):
        at = reader.at
        entry = reader.take(reader.number(MAX_ENTRY, "length of an entry"))
        if last is not None and entry <= last:
            raise WireError("entries must rise", at)
        yield entry
        last = entry
