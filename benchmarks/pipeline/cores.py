"""This process and all that it has started, on so many cores.

A task in Spark is more than a thread: the JVM reads and writes, compiles and collects garbage while a worker
matches, so `local[1]` keeps nearly two cores busy. How a job scales shows when each run has as many cores as
it has tasks.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["confined"]


@contextmanager
def confined(cores: int) -> Iterator[None]:
    """For a while; what is started meanwhile stays there until then."""
    all_cores = os.sched_getaffinity(0)
    _confine(set(sorted(all_cores)[:cores]))
    try:
        yield
    finally:
        _confine(all_cores)


def _confine(cores: set[int]) -> None:
    for process in _descendants(os.getpid()):
        try:
            threads = [int(task.name) for task in Path(f"/proc/{process}/task").iterdir()]
        except FileNotFoundError:  # it has ended
            continue
        for thread in threads:
            try:
                os.sched_setaffinity(thread, cores)
            except ProcessLookupError:
                continue


def _descendants(process: int) -> list[int]:
    children = defaultdict(list)
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name comes in parentheses and may hold anything.
            parent = int(status.read_text("ascii", "replace").rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        children[parent].append(int(status.parent.name))
    found = [process]
    for each in found:  # grows meanwhile
        found += children[each]
    return found
