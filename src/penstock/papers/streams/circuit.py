"""A producer, a broker and a consumer: the broker in a process of its own, the other two here, by one clock.

That is the paper's way too, whose producer and consumer share a machine and its clock. The broker lives as
long as its standard input is open, so it ends with the circuit however that ends.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from penstock.errors import ExperimentError
from penstock.papers.streams.wire import PATIENCE, Fragment, Kind, receive, send, set_up
from penstock.topics import Scheme

__all__ = ["Circuit", "open_circuit"]


@dataclass(frozen=True, slots=True)
class Circuit:
    """The two ends of a stream."""

    producer: socket.socket
    consumer: socket.socket

    def subscribe(self, pattern: str) -> None:
        """From now on the consumer gets what matches."""
        asked = Fragment(Kind.SUBSCRIBE, pattern)
        send(self.consumer, asked)
        if receive(self.consumer) != asked:
            raise ExperimentError("the broker did not take the subscription", pattern)

    def time_fragment(self, topic: str, payload: bytes) -> tuple[int, int]:
        """Nanoseconds from sending to having received, and those of them for computing destinations."""
        start = time.perf_counter_ns()
        send(self.producer, Fragment(Kind.PUBLISH, topic, payload))
        got = receive(self.consumer)
        spent = time.perf_counter_ns() - start
        if got is None or (got.kind, got.topic, got.payload) != (Kind.DELIVER, topic, payload):
            raise ExperimentError("the consumer got something else than was sent", topic)
        return spent, got.matching


@contextmanager
def open_circuit(scheme: Scheme, subscriptions: int, attributes: int, seed: int) -> Iterator[Circuit]:
    """Start a broker that holds so many subscriptions of others, and connect to it; stop it at the end."""
    settings = (scheme, subscriptions, attributes, seed)
    command = [sys.executable, "-m", "penstock.papers.streams.broker", *map(str, settings)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with ExitStack() as stack:
        broker = stack.enter_context(
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
            )
        )
        stack.callback(_stop, broker)
        assert broker.stdout is not None
        port = broker.stdout.readline().strip()
        if not port:
            raise ExperimentError("the broker did not start; what it had to say is on standard error")
        address = "127.0.0.1", int(port)
        yield Circuit(*(stack.enter_context(set_up(socket.create_connection(address))) for _ in range(2)))


def _stop(broker: subprocess.Popen[str]) -> None:
    assert broker.stdin is not None
    broker.stdin.close()
    try:
        broker.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        broker.kill()
