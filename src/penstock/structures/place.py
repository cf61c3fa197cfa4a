"""An id and its place in an order: what entries of content graphs are.

A place names the ids above and below it that were live when it was made. Of two ids that were ever live
together the later thus knows how they stand, whatever lies between them and wherever they meet.
"""

from dataclasses import dataclass

from penstock.errors import WireError
from penstock.structures.wire import MAX_IDS, Reader, write_ids, write_number

__all__ = ["Place", "read_place", "write_place"]


@dataclass(frozen=True, slots=True)
class Place:
    """An id, and the ids that want more (`above`) or less (`below`) than it."""

    id: int
    above: frozenset[int] = frozenset()
    below: frozenset[int] = frozenset()

    def __hash__(self) -> int:
        return self.id  # alone it tells places apart, unless somebody lies


def write_place(place: Place) -> bytes:
    """The id, the count of ids above, these, and the same below."""
    out = bytearray()
    write_number(out, place.id)
    for ids in (place.above, place.below):
        write_number(out, len(ids))
        out += write_ids(sorted(ids))
    return bytes(out)


def read_place(data: bytes) -> Place:
    """What write_place wrote; an id that is above or below itself is refused."""
    reader = Reader(data)
    id_ = reader.number()
    above, below = frozenset(reader.rising(MAX_IDS)), frozenset(reader.rising(MAX_IDS))
    reader.end()
    if id_ in above or id_ in below or not above.isdisjoint(below):
        raise WireError(f"the place of {id_} contradicts itself")
    return Place(id_, above, below)
