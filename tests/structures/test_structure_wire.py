"""Entries and headers as bytes: what is written is read again, everything else is refused with WireError."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from penstock.errors import WireError
from penstock.model import Constraint, Filter, Operator
from penstock.structures import CONTENT, DISJOINT, GRAPH, LIST, OVERLAPPING, Format, Place
from penstock.structures.attributes import MAX_ATTRIBUTES, flatten
from penstock.structures.content import MAX_FILTER
from penstock.structures.wire import (
    MAX_ID,
    MAX_IDS,
    MAX_TEXT,
    Reader,
    read_ids,
    write_ids,
    write_number,
    write_text,
)
from strategies import is_same_value

FORMATS: list[Format[Any, Any]] = [CONTENT, DISJOINT, GRAPH, LIST, OVERLAPPING]
every_format = pytest.mark.parametrize("format_", FORMATS, ids=lambda each: each.name)

ids = (
    st.integers(0, 300)
    | st.sampled_from([127, 128, 2**14, 2**62, MAX_ID - 1, MAX_ID])
    | st.integers(0, MAX_ID)
)
id_sets = st.frozensets(ids, max_size=20)


@st.composite
def places(draw: st.DrawFn) -> Place:
    id_, above, below = draw(ids), draw(id_sets), draw(id_sets)
    return Place(id_, above - {id_}, below - above - {id_})


id_lists = id_sets.map(lambda each: tuple(sorted(each)))
ENTRIES: dict[str, st.SearchStrategy[Any]] = {
    "content": strategies.filters, "disjoint": ids, "graph": places(), "list": ids, "overlapping": ids,
}  # fmt: skip
HEADERS: dict[str, st.SearchStrategy[Any]] = {
    "content": strategies.messages.map(flatten), "disjoint": ids, "graph": id_lists, "list": id_lists,
    "overlapping": ids,
}  # fmt: skip
# Text that is nearly a filter, numbers that nearly end, and what a few changed bytes make of the real thing.
HOSTILE = st.binary(max_size=40) | st.lists(st.sampled_from([0, 1, 2, 3, 127, 128, 255]), max_size=24).map(
    bytes
)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_same_value(one[name], other[name]) for name in one)
    return bool(one == other)


@every_format
@given(data=st.data())
def test_an_entry_is_read_as_it_was_written(format_: Format[Any, Any], data: st.DataObject) -> None:
    entry = data.draw(ENTRIES[format_.name])
    again = format_.decode_entry(format_.encode_entry(entry))
    assert again == entry
    assert hash(again) == hash(entry)


@every_format
@given(data=st.data())
def test_a_header_is_read_as_it_was_written(format_: Format[Any, Any], data: st.DataObject) -> None:
    header = data.draw(HEADERS[format_.name])
    assert same(format_.decode_header(format_.encode_header(header)), header)


@every_format
@given(data=st.data())
def test_hostile_bytes_are_refused_or_are_the_one_way_to_write_an_entry(
    format_: Format[Any, Any], data: st.DataObject
) -> None:
    written = data.draw(HOSTILE | changed(ENTRIES[format_.name].map(format_.encode_entry)))
    try:
        entry = format_.decode_entry(written)
    except WireError:
        return
    assert format_.encode_entry(entry) == written


@every_format
@given(data=st.data())
def test_hostile_bytes_are_refused_or_are_the_one_way_to_write_a_header(
    format_: Format[Any, Any], data: st.DataObject
) -> None:
    written = data.draw(HOSTILE | changed(HEADERS[format_.name].map(format_.encode_header)))
    try:
        header = format_.decode_header(written)
    except WireError:
        return
    assert format_.encode_header(header) == written
    format_.table().forward(header)  # what is read, a table can take


@st.composite
def changed(draw: st.DrawFn, originals: st.SearchStrategy[bytes]) -> bytes:
    """The real thing with a few bytes cut out and others put in."""
    data = draw(originals)
    start = draw(st.integers(0, len(data)))
    end = draw(st.integers(start, min(len(data), start + 3)))
    return data[:start] + draw(st.binary(max_size=3)) + data[end:]


@given(id_lists)
def test_a_header_of_small_steps_takes_a_byte_an_id(header: tuple[int, ...]) -> None:
    steps = [id_ - last - 1 for last, id_ in zip((-1, *header), header, strict=False)]
    assert len(write_ids(header)) == sum(max(1, math.ceil(step.bit_length() / 7)) for step in steps)


REFUSED_NUMBERS = {
    "ends too early": b"",
    "ends within": b"\x80",
    "adds nothing": b"\x80\x00",
    "beyond 63 bits": b"\x80" * 9 + b"\x01",
    "too many": b"\x01\x01",
}


@pytest.mark.parametrize("data", REFUSED_NUMBERS.values(), ids=REFUSED_NUMBERS)
def test_there_is_one_way_to_write_an_id(data: bytes) -> None:
    with pytest.raises(WireError):
        OVERLAPPING.decode_entry(data)


REFUSED_IDS = {
    "within a number": b"\x05\x80",
    "adds nothing": b"\x80\x00",
    "beyond 63 bits": b"\xff" * 9 + b"\x01",
    r"up to 2\^63 - 1": write_ids((MAX_ID,)) + b"\x00",
}


@pytest.mark.parametrize(("why", "data"), REFUSED_IDS.items())
def test_there_is_one_way_to_write_ids(why: str, data: bytes) -> None:
    with pytest.raises(WireError, match=why):
        read_ids(data)


@pytest.mark.parametrize("ids", [(1, 1), (2, 1), (-1,), (MAX_ID + 1,), (0, MAX_ID + 1)])
def test_ids_that_do_not_rise_within_63_bits_are_not_written(ids: tuple[int, ...]) -> None:
    with pytest.raises(WireError):
        write_ids(ids)


def test_headers_and_places_have_a_limit_that_the_writer_keeps_too() -> None:
    most = tuple(range(MAX_IDS))
    assert read_ids(write_ids(most)) == most
    with pytest.raises(WireError, match="over the limit of 65,536 ids"):
        write_ids((*most, MAX_IDS))
    with pytest.raises(WireError, match="over the limit of 65,536 ids"):
        read_ids(write_ids(most) + b"\x00")
    with pytest.raises(WireError, match="over the limit"):
        GRAPH.encode_entry(Place(MAX_IDS + 1, frozenset(range(MAX_IDS + 1))))


PLACES = {
    "above itself": b"\x01\x01\x01\x00",
    "below itself": b"\x01\x00\x01\x01",
    "above and below": b"\x01\x01\x02\x01\x02",
}


@pytest.mark.parametrize("data", PLACES.values(), ids=PLACES)
def test_a_place_does_not_contradict_itself(data: bytes) -> None:
    with pytest.raises(WireError, match="contradicts itself"):
        GRAPH.decode_entry(data)


def test_a_count_promises_no_memory() -> None:
    out = bytearray(b"\x01")
    write_number(out, MAX_IDS)
    with pytest.raises(WireError, match="too early"):
        GRAPH.decode_entry(bytes(out))
    with pytest.raises(WireError, match="65,537 is over the limit"):
        GRAPH.decode_entry(b"\x01\x81\x80\x04")


NOT_FILTERS = {
    "no UTF-8": b"\xff",
    "no filter at all": b"FALSE",
    "two filters": b"a = 1 OR b = 2",
    "no sentence": b"a =",
    "other spaces": b"a  =  1",
    "other order": b"b = 1 AND a = 1",
    "too long": b"x" * (MAX_FILTER + 1),
}


@pytest.mark.parametrize("data", NOT_FILTERS.values(), ids=NOT_FILTERS)
def test_a_filter_is_one_filter_as_it_prints_itself(data: bytes) -> None:
    with pytest.raises(WireError):
        CONTENT.decode_entry(data)


def test_a_filter_has_room_for_long_lists_but_not_for_any() -> None:
    values = [f"value number {n}" for n in range(10_000)]
    filter_ = Filter([Constraint("a", Operator.IN, values)])
    assert CONTENT.decode_entry(CONTENT.encode_entry(filter_)) == filter_
    with pytest.raises(WireError, match="over the limit"):
        CONTENT.encode_entry(Filter([Constraint("a", Operator.IN, [value * 10 for value in values])]))


NOT_MESSAGES: dict[str, Any] = {
    "a lone surrogate": {"a": "\ud800"},
    "an int over 64 bits": {"a": 2**63},
    "a list": {"a": [1]},
    "too long a text": {"a": "x" * (MAX_TEXT + 1)},
    "too long a name": {"x" * (MAX_TEXT + 1): 1},
    "too many attributes": {str(n): n for n in range(MAX_ATTRIBUTES + 1)},
}


@pytest.mark.parametrize("header", NOT_MESSAGES.values(), ids=NOT_MESSAGES)
def test_what_no_table_can_take_is_not_written(header: Any) -> None:
    with pytest.raises(WireError):
        CONTENT.encode_header(header)


BROKEN_MESSAGES = {
    "names that do not rise": b"\x02\x01b\x01\x01a\x01",
    "a name twice": b"\x02\x01a\x01\x01a\x00",
    "no such type": b"\x01\x01a\x06",
    "half a float": b"\x01\x01a\x03\x00\x00",
    "a text that ends early": b"\x01\x01a\x02\x05ab",
    "bytes at the end": b"\x01\x01a\x01\x00",
}


@pytest.mark.parametrize("data", BROKEN_MESSAGES.values(), ids=BROKEN_MESSAGES)
def test_a_message_is_read_with_suspicion(data: bytes) -> None:
    with pytest.raises(WireError):
        CONTENT.decode_header(data)


@pytest.mark.parametrize("value", [-(2**63), -1, 0, 2**63 - 1])
def test_every_int_of_64_bits_has_room(value: int) -> None:
    assert CONTENT.decode_header(CONTENT.encode_header({"a": value})) == {"a": value}


def test_an_error_says_where() -> None:
    out = bytearray()
    write_text(out, "a")
    reader = Reader(bytes(out) + b"\x80")
    assert reader.text() == "a"
    with pytest.raises(WireError, match="byte 3: ends too early") as raised:
        reader.number()
    assert raised.value.at == 3
