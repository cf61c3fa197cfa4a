"""How numbers, texts and rising ids become bytes: small, in one way only, and read with suspicion.

Every value has one encoding, and the reader refuses all others, so equal bytes and equal values are the same
thing. What is read is never larger than a fixed multiple of the bytes it is read from.
"""

from collections.abc import Iterator, Sequence

from penstock.errors import WireError

__all__ = [
    "MAX_ID",
    "MAX_IDS",
    "MAX_TEXT",
    "Reader",
    "read_id",
    "read_ids",
    "write_id",
    "write_ids",
    "write_number",
    "write_text",
]

MAX_ID = 2**63 - 1
MAX_IDS = 2**16  # of one header, or on one side of an id
MAX_TEXT = 2**16  # bytes of UTF-8, as in messages and filters

MORE = 0x80  # of a byte that another follows
LAST_SHIFT = 56  # of the ninth byte, which ends 63 bits


def write_number(out: bytearray, number: int) -> None:
    """Seven bits a byte, the lowest first."""
    if not 0 <= number <= MAX_ID:
        raise WireError(f"the number {number} is not between 0 and 2^63 - 1")
    while number >= MORE:
        out.append(number & 0x7F | MORE)
        number >>= 7
    out.append(number)


def write_text(out: bytearray, text: str) -> None:
    """UTF-8, its length first."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise WireError("a text holds half of a surrogate pair") from error
    if len(data) > MAX_TEXT:
        raise WireError(f"a text of {len(data):,} bytes is over the limit of {MAX_TEXT:,}")
    write_number(out, len(data))
    out += data


def write_ids(ids: Sequence[int], limit: int = MAX_IDS) -> bytes:
    """Ids that rise, each as its distance from the one before; nothing says how many there are."""
    out = bytearray()
    last = -1
    for id_ in ids:
        step = id_ - last - 1
        last = id_
        if 0 <= step < MORE:
            out.append(step)
        elif step < 0:
            raise WireError(f"ids must rise from 0 on: {id_} does not")
        else:
            write_number(out, step)
    if len(ids) > limit or last > MAX_ID:
        raise WireError(f"{len(ids):,} ids up to {last} are over the limit of {limit:,} ids up to 2^63 - 1")
    return bytes(out)


def read_ids(data: bytes, limit: int = MAX_IDS) -> tuple[int, ...]:
    """What write_ids wrote, all of it: the routers' inner loop, hence no Reader."""
    ids: list[int] = []
    last, low, shift = -1, 0, 0
    for at, byte in enumerate(data):
        if byte >= MORE:
            low |= (byte & 0x7F) << shift
            shift += 7
            if shift > LAST_SHIFT:
                raise WireError("a number goes on beyond 63 bits", at)
            continue
        if shift:
            if not byte:
                raise WireError("a number ends in a byte that adds nothing", at)
            last += (low | byte << shift) + 1
            low = shift = 0
        else:
            last += byte + 1
        ids.append(last)
    if shift:
        raise WireError("ends within a number", len(data))
    if len(ids) > limit or last > MAX_ID:
        raise WireError(f"{len(ids):,} ids up to {last} are over the limit of {limit:,} ids up to 2^63 - 1")
    return tuple(ids)


def write_id(id_: int) -> bytes:
    """One id alone."""
    out = bytearray()
    write_number(out, id_)
    return bytes(out)


def read_id(data: bytes) -> int:
    """What write_id wrote."""
    reader = Reader(data)
    id_ = reader.number()
    reader.end()
    return id_


class Reader:
    """Takes bytes apart from front to back; `end` must find nothing left."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        """The next byte."""
        if self.at >= len(self.data):
            raise WireError("ends too early", self.at)
        self.at += 1
        return self.data[self.at - 1]

    def number(self, most: int = MAX_ID, what: str = "number") -> int:
        """A number as write_number puts it, of at most so much."""
        start, number, shift = self.at, 0, 0
        while (byte := self.byte()) >= MORE:
            number |= (byte & 0x7F) << shift
            shift += 7
            if shift > LAST_SHIFT:
                raise WireError("a number goes on beyond 63 bits", start)
        if shift and not byte:
            raise WireError("a number ends in a byte that adds nothing", self.at - 1)
        number |= byte << shift
        if number > most:
            raise WireError(f"a {what} of {number:,} is over the limit of {most:,}", start)
        return number

    def take(self, count: int) -> bytes:
        """So many bytes as they are."""
        end = self.at + count
        if end > len(self.data):
            raise WireError(f"ends {end - len(self.data):,} bytes too early", len(self.data))
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def text(self) -> str:
        """A text as write_text puts it."""
        start = self.at
        data = self.take(self.number(MAX_TEXT, "text's length"))
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise WireError("a text is not UTF-8", start) from error

    def rising(self, limit: int = MAX_IDS) -> Iterator[int]:
        """A count, and as many ids as distances: what `write_number` and `write_ids` put together."""
        last = -1
        for _ in range(self.number(limit, "count of ids")):
            last += self.number() + 1
            if last > MAX_ID:
                raise WireError("ids rise beyond 2^63 - 1", self.at)
            yield last

    def end(self) -> None:
        """Nothing may be left."""
        if self.at != len(self.data):
            raise WireError(f"{len(self.data) - self.at:,} bytes too many", self.at)
