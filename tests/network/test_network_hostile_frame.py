"""Frames survive the wire, in one encoding only; hostile bytes give typed errors and take bounded memory."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from networks import PROCESSORS, alerts, interests
from penstock.errors import PenstockError, WireError
from penstock.network.codec import decode, encode
from penstock.network.frame import (
    MAX_COST,
    MAX_EPOCH,
    MAX_FRAME,
    MAX_INCARNATION,
    MAX_ROUTER,
    Ack,
    Change,
    Hello,
    LinkState,
    Message,
    Update,
)
from penstock.network.router import Router
from penstock.structures import CONTENT, Format

ALL_NAMES = sorted(PROCESSORS)
routers = st.integers(0, 9) | st.integers(0, MAX_ROUTER)
epochs = st.integers(1, 9) | st.integers(1, MAX_EPOCH)
numbers = st.integers(0, 300) | st.integers(0, 2**63 - 1)
incarnations = st.integers(0, MAX_INCARNATION)
sources = st.none() | st.frozensets(routers, max_size=5)
link_states = st.builds(
    LinkState,
    routers,
    incarnations,
    numbers,
    st.booleans(),
    st.dictionaries(routers, st.integers(1, MAX_COST), max_size=5).map(
        lambda costs: tuple(sorted(costs.items()))
    ),
)


@st.composite
def conversations(draw: st.DrawFn, names: Sequence[str] = ALL_NAMES) -> tuple[Format[Any, Any], Any]:
    """A format and a frame of it."""
    processor = PROCESSORS[draw(st.sampled_from(names))]()
    entries = [entry for each in draw(st.lists(interests, max_size=4)) for entry in processor.subscribe(each)]
    headers: Sequence[Any] = processor.headers(draw(alerts))
    updates = st.builds(
        Update,
        epochs,
        epochs,
        numbers,
        st.lists(link_states, max_size=3).map(tuple),
        st.tuples(*(st.builds(Change, st.just(entry), sources) for entry in entries)),
    )
    frames = [
        st.builds(Hello, routers, epochs, st.just(0) | epochs, st.text(max_size=16)),
        st.builds(Ack, epochs, epochs, numbers),
        updates,
    ]
    if headers:
        copy = draw(st.integers(0, 3))
        frames.append(
            st.builds(
                Message,
                routers,
                incarnations,
                st.integers(copy, 2**63 - 1),
                st.just(copy),
                st.integers(copy + 1, 5),
                st.sampled_from(headers),
                st.binary(max_size=20),
            )
        )
    return processor.format, draw(st.one_of(frames))


@given(conversations())
def test_a_frame_survives_the_wire(conversation: tuple[Format[Any, Any], Any]) -> None:
    format_, frame = conversation
    assert decode(encode(frame, format_), format_) == frame


@given(conversations(), st.data())
def test_hostile_bytes_are_a_frame_in_its_one_encoding_or_a_typed_error(
    conversation: tuple[Format[Any, Any], Any], data: st.DataObject
) -> None:
    format_, frame = conversation
    wire = bytearray(encode(frame, format_))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(wire)))
        match data.draw(st.sampled_from(["change", "cut", "insert", "remove"])):
            case "change" if at < len(wire):
                wire[at] = data.draw(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF]) | st.integers(0, 255))
            case "cut":
                del wire[at:]
            case "insert":
                wire[at:at] = data.draw(st.binary(min_size=1, max_size=9))
            case "remove":
                del wire[at : at + 1]
    assert_frame_or_error(bytes(wire), format_)


@given(st.binary(max_size=200), st.integers(0, 4), st.sampled_from(sorted(PROCESSORS)))
def test_hostile_noise_is_a_frame_or_a_typed_error(noise: bytes, kind: int, name: str) -> None:
    assert_frame_or_error(noise, PROCESSORS[name]().format)
    assert_frame_or_error(bytes([1, kind]) + noise, PROCESSORS[name]().format)


def assert_frame_or_error(wire: bytes, format_: Format[Any, Any]) -> None:
    """Nothing but a typed error, and nothing that encode would have written otherwise."""
    try:
        frame = decode(wire, format_)
    except PenstockError:
        return
    assert encode(frame, format_) == wire


LARGE = b"\xff\xff\xff\xff\x0f"  # 2^32 - 1
CLAIMS = {
    "link states": bytes([1, 1, 1, 1, 0]) + LARGE,
    "link states within the limit": bytes([1, 1, 1, 1, 0]) + b"\xff\xff\x03",
    "changes": bytes([1, 1, 1, 1, 0, 0]) + LARGE,
    "neighbours": bytes([1, 1, 1, 1, 0, 1, 0, 0, 0, 0]) + b"\xff\x1f" + bytes(50),
    "sources": bytes([1, 1, 1, 1, 0, 0, 1, 5]) + b"a = 1" + b"\xff\x1f" + bytes(10),
    "header": bytes([1, 3, 0, 0, 0, 0, 1]) + LARGE,
    "payload": bytes([1, 3, 0, 0, 0, 0, 1, 1, 0]) + b"\xff\xff\x0f",
    "a frame too long": bytes([1, 2]) * MAX_FRAME,
    "link states without end": bytes([1, 1, 1, 1, 0]) + b"\xff\xff\x03" + bytes(MAX_FRAME - 8),
}


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_hostile_claims_of_size_take_no_memory(claim: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(WireError):
            decode(claim, CONTENT)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100_000 + 64 * min(len(claim), MAX_FRAME)


WRONG = {
    "nothing": b"",
    "another version": b"\x02\x00",
    "no such kind": b"\x01\x09",
    "epoch 0": bytes([1, 2, 0, 1, 0]),
    "a session with nobody": bytes([1, 2, 1, 0, 0]),
    "bytes left over": bytes([1, 2, 1, 1, 0, 0]),
    "a number that is not in its shortest form": bytes([1, 2, 0x81, 0, 1, 0]),
    "a number of more than 63 bits": bytes([1, 2, *b"\xff" * 10, 1, 0]),
    "a name that is not UTF-8": bytes([1, 0, 1, 1, 0, 1, 0xFF]),
    "a copy beyond their number": bytes([1, 3, 0, 0, 5, 2, 2, 0, 0]),
    "a copy before the first message": bytes([1, 3, 0, 0, 1, 2, 3, 0, 0]),
    "a link that costs nothing": bytes([1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0]),
    "an entry that is no filter": bytes([1, 1, 1, 1, 0, 0, 1, 3, *b"a =", 1]),
}


@pytest.mark.parametrize("wire", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(wire: bytes) -> None:
    with pytest.raises(WireError) as raised:
        decode(wire, CONTENT)
    assert str(raised.value)


@given(st.lists(conversations(["content"]), max_size=8), st.data())
def test_hostile_frames_from_a_neighbour_never_stop_a_router(
    conversation: list[tuple[Format[Any, Any], Any]], data: st.DataObject
) -> None:
    router: Router[Any, Any] = Router(1, CONTENT, source=data.draw(st.booleans()))
    router.attach("alice")
    router.subscribe("alice", [])
    for link in (2, 3):
        router.link_up(link)
    router.receive(2, Hello(2, 5, 1, "content"))
    for _, frame in conversation:
        is_of_session = isinstance(frame, Update | Ack) and data.draw(st.booleans())
        router.receive(
            data.draw(st.sampled_from([2, 3])), replace(frame, epoch=5, echo=1) if is_of_session else frame
        )
        router.tick(data.draw(st.integers(0, 10)))
    assert 1 in router.routes or not router.is_source
