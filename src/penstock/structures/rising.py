"""Headers of several ids, rising: what content lists and content graphs have in common."""

from penstock.structures.wire import read_ids, write_ids

__all__ = ["RisingIds", "merged"]


class RisingIds:
    """The half of a format that is about headers."""

    __slots__ = ()

    def encode_header(self, header: tuple[int, ...]) -> bytes:
        """Write rising ids."""
        return write_ids(header)

    def decode_header(self, data: bytes) -> tuple[int, ...]:
        """Read rising ids."""
        return read_ids(data)

    def merge(self, one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
        """The ids of both."""
        return merged(one, other)

    def size(self, header: tuple[int, ...]) -> int:
        """How many ids there are."""
        return len(header)


def merged(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The ids of both, rising."""
    return tuple(sorted({*one, *other}))
