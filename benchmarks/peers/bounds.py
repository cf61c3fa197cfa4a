"""A child process under bounds of time and memory.

Memory is watched from outside: a limit on the address space would stop runtimes that reserve more than they
use.
"""

import os
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

POLL = 0.2


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one process may use."""

    seconds: float
    bytes: int


def run_bounded(command: list[str], environment: Mapping[str, str], log: Path, bounds: Bounds) -> str | None:
    """Run to the end; the reason if it did not get there."""
    with log.open("wb") as output:
        child = subprocess.Popen(
            command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        try:
            stopped = _watch(child, bounds)
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
    if stopped is None and child.returncode != 0:
        return f"failed: {_last_line(log)}"
    return stopped


def _watch(child: subprocess.Popen[bytes], bounds: Bounds) -> str | None:
    end = time.monotonic() + bounds.seconds
    while True:
        try:
            child.wait(POLL)
        except subprocess.TimeoutExpired:
            if time.monotonic() > end:
                return f"stopped after {bounds.seconds:.0f} s"
            if _resident(child.pid) > bounds.bytes:
                return f"stopped above {bounds.bytes / 2**30:.1f} GiB"
        else:
            return None


def _resident(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS:")), 0)


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "no output"
