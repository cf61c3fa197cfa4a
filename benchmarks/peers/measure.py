"""What a runner does, for those in Python: arguments, the first pass, timing, memory, the result file.

Every runner is called with `SUBSCRIPTIONS EVENTS RESULT CHECK WARM SLICE REPEATS` and writes one JSON object;
the README of the folder describes both. Standard library only: peers come with their own packages.
"""

import ctypes
import gc
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

Event = dict[str, Any]
# What an engine takes as an event: a dictionary, or its text.
Taken = TypeVar("Taken")
# Seconds for so many passes over these events.
Pass = Callable[[Sequence[Taken], int], float]


@dataclass(frozen=True, slots=True)
class Job:
    """What a runner is asked for."""

    subscriptions: Path
    events: Path
    result: Path
    check: float  #: seconds after which the first pass stops
    warm: float  #: seconds of warm-up
    slice: float  #: seconds that one measurement should take
    repeats: int

    @classmethod
    def of(cls, arguments: Sequence[str]) -> "Job":
        """Read the command line."""
        subscriptions, events, result, check, warm, slice_, repeats = arguments
        files = Path(subscriptions), Path(events), Path(result)
        return cls(*files, float(check), float(warm), float(slice_), int(repeats))


def lines(file: Path) -> list[Any]:
    """The values of a file with one JSON value a line."""
    with file.open(encoding="utf-8") as text:
        return [json.loads(line) for line in text]


def first_pass(
    match: Callable[[Event], Iterable[int]], events: Sequence[Event], limit: float
) -> list[list[int]]:
    """The ids that each event matches; slow engines stop at the limit."""
    found: list[list[int]] = []
    stop = time.perf_counter() + limit
    for event in events:
        found.append(sorted(set(match(event))))
        if time.perf_counter() > stop:
            break
    return found


def calls(match: Callable[[Taken], object]) -> Pass[Taken]:
    """Passes that call `match` for each event."""

    def run(events: Sequence[Taken], passes: int) -> float:
        gc.collect()
        gc.disable()
        try:
            start = time.perf_counter()
            for _ in range(passes):
                for event in events:
                    match(event)
            return time.perf_counter() - start
        finally:
            gc.enable()

    return run


def timed(run: Pass[Taken], events: Sequence[Taken], job: Job) -> dict[str, Any]:
    """Seconds for an event, measured several times after a warm-up.

    The warm-up doubles the number of events until they fill a slice: slow engines are timed on the first few.
    """
    count, spent = 1, 0.0
    while True:
        seconds = run(events[:count], 1)
        spent += seconds
        if spent >= job.warm:
            break
        if seconds < job.slice:
            count = min(2 * count, len(events))
    passes = max(1, round(job.slice / seconds))
    samples = [run(events[:count], passes) / (passes * count) for _ in range(job.repeats)]
    return {"events": count, "seconds": samples}


def resident() -> int:
    """Bytes of this process that are in memory, after what is free was given back."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc alone has it
    if trim is not None:
        trim(0)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def write(file: Path, **result: Any) -> None:
    """Hand in the result."""
    file.write_text(json.dumps(result), encoding="utf-8")
