"""How far a run is: a bar on a terminal, plain lines elsewhere, nothing when nobody asked.

The bar shows the tasks of the stage that Spark is at. Classic sessions are asked for them; those of Spark
Connect tell them. Where neither works, there is a clock.
"""

import io
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from penstock.cli.check import counted
from penstock.pipeline.stage import Silent, Stage, Watcher

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Bar", "Lines", "show_progress", "watch_tasks"]

WIDTH = 24
EIGHTHS = " ▏▎▍▌▋▊▉"
INTERVAL = 0.1


@contextmanager
def show_progress(*, quiet: bool, json: bool) -> Iterator[Watcher]:
    """Who is told of the stages, as the options and the terminal would have it."""
    if quiet:
        yield Silent()
    elif sys.stderr.isatty():
        with Bar(_own_stream()) as bar:
            yield bar
    else:
        yield Silent() if json else Lines(sys.stderr)


def watch_tasks(watcher: Watcher, spark: "SparkSession") -> None:
    """Let a bar see what the session is doing."""
    if isinstance(watcher, Bar):
        watcher.tasks = _tasks_of(spark)


def describe(stage: Stage) -> str:
    """`forwarding messages: 336,776 messages, 12.1 s, 27,832/s`."""
    parts = [] if stage.rows is None else [counted(stage.rows, stage.unit)]
    parts.append(f"{stage.seconds:.1f} s")
    if stage.rate is not None and stage.rows:
        parts.append(f"{stage.rate:,.0f}/s")
    return f"{stage.label}: {', '.join(parts)}"


class Lines:
    """A line for each stage that is done."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def begin(self, stage: Stage) -> None:
        """Say so: it may take long."""
        print(f"{stage.label} …", file=self._stream, flush=True)

    def end(self, stage: Stage) -> None:
        """What it came to."""
        print(describe(stage), file=self._stream, flush=True)


class Bar:
    """One line that is redrawn, and one for each stage that is done."""

    def __init__(self, stream: TextIO) -> None:
        self.tasks: Any = None  # a function that gives done and all, once there is a session
        self._stream = stream
        self._stage: Stage | None = None
        self._since = 0.0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._painter = threading.Thread(target=self._paint, daemon=True)

    def __enter__(self) -> "Bar":
        self._painter.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._painter.join()
        self._write("\r\x1b[K")
        with suppress(OSError):
            self._stream.close()

    def begin(self, stage: Stage) -> None:
        """Draw it from now on."""
        with self._lock:
            self._stage, self._since = stage, time.monotonic()

    def end(self, stage: Stage) -> None:
        """Leave a line behind."""
        with self._lock:
            self._stage = None
            self._write(f"\r\x1b[K\x1b[32m✓\x1b[0m {describe(stage)}\n")

    def _paint(self) -> None:
        while not self._over.wait(INTERVAL):
            done = self._progress()
            with self._lock:
                if self._stage is not None:
                    self._write("\r\x1b[K" + self._line(self._stage.label, done))

    def _progress(self) -> float | None:
        if self.tasks is None or self._stage is None:
            return None
        try:
            done, total = self.tasks()
        except Exception:  # a bar is no reason to fail
            return None
        return done / total if total else None

    def _line(self, label: str, done: float | None) -> str:
        seconds = time.monotonic() - self._since
        if done is None:
            shown = f"  {label} … {seconds:.0f} s"
        else:
            shown = f"  {label}  {_bar(done)} {done:4.0%}  {seconds:.0f} s"
        return shown[: shutil.get_terminal_size().columns - 1]

    def _write(self, text: str) -> None:
        with suppress(OSError):  # the terminal has gone
            self._stream.write(text)
            self._stream.flush()


def _bar(done: float) -> str:
    eighths = round(min(max(done, 0), 1) * WIDTH * 8)
    full, part = divmod(eighths, 8)
    return ("█" * full + EIGHTHS[part] * (part > 0)).ljust(WIDTH, "·")


def _own_stream() -> TextIO:
    """Standard error as it is now: while Spark starts, it is elsewhere."""
    try:
        descriptor = os.dup(sys.stderr.fileno())
    except (OSError, io.UnsupportedOperation):
        return sys.stderr
    return open(descriptor, "w", encoding="utf-8", errors="replace")  # noqa: PTH123 (closed by the bar)


def _tasks_of(spark: "SparkSession") -> Any:
    with suppress(Exception):
        return _told(spark)
    with suppress(Exception):
        return _asked(spark)
    return None


def _told(spark: "SparkSession") -> Any:
    """Of Spark Connect, which calls a handler."""
    latest = [0, 0]

    def handle(**told: Any) -> None:
        stages = told["stages"]
        latest[:] = [sum(each.num_completed_tasks for each in stages), sum(each.num_tasks for each in stages)]

    handler: Any = handle
    spark.registerProgressHandler(handler)
    return lambda: tuple(latest)


def _asked(spark: "SparkSession") -> Any:
    """Of a classic session: the stages that are active now."""
    tracker = spark.sparkContext.statusTracker()

    def ask() -> tuple[int, int]:
        stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
        known = [stage for stage in stages if stage is not None]
        return sum(each.numCompletedTasks for each in known), sum(each.numTasks for each in known)

    return ask
