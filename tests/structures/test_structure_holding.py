"""Tables as bytes: what is written is read again, and everything else is refused with WireError."""

from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_structure_wire import ENTRIES, FORMATS, every_format

from penstock.errors import WireError
from penstock.structures import GRAPH, LIST, OVERLAPPING, Format
from penstock.structures.holding import read_holding, write_holding

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


def sealed(body: bytes) -> bytes:
    """With the right checksum, so that the rest is looked at."""
    return body + crc32(body).to_bytes(4, "little")


@every_format
@given(data=st.data())
def test_a_table_is_read_as_it_was_written(format_: Format[Any, Any], data: st.DataObject) -> None:
    held = data.draw(
        st.dictionaries(names, st.lists(ENTRIES[format_.name], unique=True, max_size=4), max_size=4)
    )
    written = write_holding(held, format_)
    again = read_holding(written, format_)
    assert {link: set(entries) for link, entries in again.items()} == {
        link: set(entries) for link, entries in held.items() if entries
    }
    assert write_holding(again, format_) == written
    shuffled = {link: entries[::-1] for link, entries in reversed(held.items())}
    assert write_holding(shuffled, format_) == written


@given(st.sampled_from(FORMATS), st.binary(max_size=40), st.booleans())
def test_hostile_bytes_are_refused_or_are_a_table(
    format_: Format[Any, Any], body: bytes, has_head: bool
) -> None:
    head = write_holding({}, format_)[:-5] if has_head else b""
    data = sealed(head + body)
    try:
        held = read_holding(data, format_)
    except WireError:
        return
    assert write_holding(held, format_) == data


@given(st.data())
def test_damage_is_found(data: st.DataObject) -> None:
    written = write_holding({"n1": [1, 5, 300], "@alice": [2]}, LIST)
    place = data.draw(st.integers(0, len(written) - 1))
    with pytest.raises(WireError):
        read_holding(written[:place], LIST)
    changed = bytearray(written)
    changed[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(WireError, match="checksum"):
        read_holding(bytes(changed), LIST)


WRONG = {
    "version 2": b"\x02\x04list\x00",
    "format 'graph', not 'list'": write_holding({}, GRAPH)[:-4],
    "format 'overlapping'": write_holding({"a": [1]}, OVERLAPPING)[:-4],
    "names of links must rise": b"\x01\x04list\x02\x01b\x01\x01\x01\x01a\x01\x01\x01",
    "names of links must rise ?": b"\x01\x04list\x02\x01a\x01\x01\x01\x01a\x01\x01\x01",
    "without entries": b"\x01\x04list\x01\x01a\x00",
    "entries must rise": b"\x01\x04list\x01\x01a\x02\x01\x02\x01\x01",
    "1 bytes too many": b"\x01\x04list\x00\x00",
    "ends too early": b"\x01\x04list\x01",
    "over the limit": b"\x01\x04list\x01\x01a\xff\xff\xff\x01",
}


@pytest.mark.parametrize(("words", "body"), WRONG.items())
def test_what_is_written_otherwise_is_refused(words: str, body: bytes) -> None:
    with pytest.raises(WireError, match=words):
        read_holding(sealed(body), LIST)
