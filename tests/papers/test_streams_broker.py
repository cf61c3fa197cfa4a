"""Fragments on sockets, the broker between them, and the circuit that is timed."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.errors import ExperimentError, WireError
from penstock.papers.streams.broker import Broker, listen
from penstock.papers.streams.circuit import Circuit, open_circuit
from penstock.papers.streams.wire import HEADER, MAX_PAYLOAD, MAX_TOPIC, Fragment, Kind, receive, send, set_up
from penstock.topics import TopicTable

fragments = st.builds(
    Fragment, st.sampled_from(Kind), st.text(max_size=20), st.binary(max_size=200), st.integers(0, 2**64 - 1)
)


@contextmanager
def served(table: TopicTable) -> Iterator[tuple[str, int]]:
    """A broker in a thread, and its address."""
    stop, stopped = socket.socketpair()
    with listen() as listener, stop, stopped:
        thread = threading.Thread(target=Broker(table).serve, args=(listener, stopped))
        thread.start()
        try:
            yield listener.getsockname()
        finally:
            stop.send(b"!")
            thread.join()


@contextmanager
def circuit(address: tuple[str, int]) -> Iterator[Circuit]:
    with socket.create_connection(address) as producer, socket.create_connection(address) as consumer:
        yield Circuit(set_up(producer), set_up(consumer))


@given(st.lists(fragments, max_size=5))
def test_fragments_arrive_as_they_were_sent(sent: list[Fragment]) -> None:
    left, right = socket.socketpair()
    with left, right:
        for fragment in sent:
            send(left, fragment)
        left.shutdown(socket.SHUT_WR)
        assert [receive(right) for _ in sent] == sent
        assert receive(right) is None


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        (HEADER.pack(2, 1, 5, 0) + b"ahal", "the stream ends after 3 of 5 bytes"),
        (HEADER.pack(2, 1, 5, 0)[:4], "the stream ends after 4 of 15 bytes"),
        (HEADER.pack(2, 1, MAX_PAYLOAD + 1, 0), "at most"),
        (HEADER.pack(9, 1, 0, 0) + b"a", "no fragment: 9 is not a valid Kind"),
        (HEADER.pack(2, 1, 0, 0) + b"\xff", "no fragment: 'utf-8' codec"),
    ],
)
def test_anything_else_than_whole_fragments_is_an_error(sent: bytes, complaint: str) -> None:
    left, right = socket.socketpair()
    with left, right:
        left.sendall(sent)
        left.shutdown(socket.SHUT_WR)
        with pytest.raises(WireError, match=complaint):
            receive(right)


def test_what_is_too_long_is_not_sent() -> None:
    left, right = socket.socketpair()
    with left, right:
        for fragment in (
            Fragment(Kind.PUBLISH, "a" * (MAX_TOPIC + 1)),
            Fragment(Kind.PUBLISH, "a", bytes(MAX_PAYLOAD + 1)),
        ):
            with pytest.raises(WireError, match="at most"):
                send(left, fragment)
        left.close()
        assert receive(right) is None


def test_the_broker_forwards_to_whom_the_pattern_matches_and_to_nobody_else() -> None:
    table = TopicTable()
    table.subscribe("a", "somebody who is not connected")
    with served(table) as address, circuit(address) as one, circuit(address) as other:
        one.subscribe("a/*/c")
        other.subscribe("b")
        send(one.producer, Fragment(Kind.PUBLISH, "a/b/x", b"for nobody"))
        assert one.time_fragment("a/b/c", b"payload")[1] > 0
        other.time_fragment("b/c", bytes(1_000_000))


@pytest.mark.parametrize(
    "nonsense",
    [
        HEADER.pack(9, 0, 0, 0),
        HEADER.pack(Kind.SUBSCRIBE, 1, 0, 0) + b"*",
        HEADER.pack(Kind.PUBLISH, 1, 0, 0) + b"*",
        HEADER.pack(Kind.PUBLISH, 1, MAX_PAYLOAD + 1, 0),
    ],
)
def test_who_breaks_the_rules_loses_the_connection_and_nobody_else_notices(nonsense: bytes) -> None:
    with served(TopicTable()) as address, circuit(address) as good:
        good.subscribe("a")
        with socket.create_connection(address) as bad:
            bad.sendall(nonsense)
            assert set_up(bad).recv(1) == b""
        good.time_fragment("a/b", b"payload")


def test_subscriptions_go_with_the_connection() -> None:
    table = TopicTable()
    with served(table) as address, circuit(address) as good:
        good.subscribe("a")
        with circuit(address) as leaving:
            leaving.subscribe("a")
            assert len(table) == 2
        while len(table) > 1:
            good.time_fragment("a", b"")
        good.time_fragment("a", b"")
    assert len(table) == 0


def test_a_consumer_that_gets_something_else_is_an_error() -> None:
    left, right = socket.socketpair()
    with left, right:
        send(right, Fragment(Kind.DELIVER, "b"))
        with pytest.raises(ExperimentError, match="something else"):
            Circuit(left, left).time_fragment("a", b"")
        receive(right)
        send(right, Fragment(Kind.DELIVER, "b"))
        with pytest.raises(ExperimentError, match="a: the broker did not take the subscription"):
            Circuit(left, left).subscribe("a")


def test_a_circuit_runs_through_a_process_that_ends_with_it() -> None:
    with open_circuit("tree", 50, 3, 7) as opened:
        opened.subscribe("v0")
        spent, matching = opened.time_fragment("v0/v1/v2", b"payload")
        assert 0 < matching < spent
    assert opened.producer.fileno() == -1


def test_a_broker_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    with pytest.raises(ExperimentError, match="did not start"), open_circuit("tree", 0, 1, 7):
        pass


def test_the_broker_ends_with_its_standard_input() -> None:
    command = [sys.executable, "-W", "error", "-m", "penstock.papers.streams.broker", "radix", "0", "1", "7"]
    ended = subprocess.run(command, input="", capture_output=True, text=True, check=True)
    assert int(ended.stdout) > 0
    assert ended.stderr == ""
