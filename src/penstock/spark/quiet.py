"""A JVM that starts without a word: Java itself says something that no setting of Spark's silences."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

__all__ = ["without_greeting"]

STANDARD_ERROR = 2
GREETING = b"WARNING: Using incubator modules: jdk.incubator.vector\n"


@contextmanager
def without_greeting() -> Iterator[None]:
    """Processes that are started within the block write their errors here as ever, but for the greeting."""
    try:
        sys.stderr.flush()
        terminal = os.dup(STANDARD_ERROR)
    except (AttributeError, OSError):  # there is no standard error to be kept clean
        yield
        return
    receiver, sender = os.pipe()
    os.dup2(sender, STANDARD_ERROR)
    os.close(sender)
    Thread(target=_pass_on, args=(receiver, terminal), daemon=True).start()
    try:
        yield
    finally:
        os.dup2(terminal, STANDARD_ERROR)


def _pass_on(receiver: int, terminal: int) -> None:
    """Until the last process that writes is gone; what is no whole line yet is not held back."""
    begin = True
    with os.fdopen(receiver, "rb", buffering=0) as errors, os.fdopen(terminal, "wb", buffering=0) as out:
        while piece := errors.read(1 << 16):
            out.write(piece.replace(GREETING, b"") if begin else piece)
            begin = begin and GREETING not in piece
