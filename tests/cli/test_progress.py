"""Progress: a bar that is redrawn on a terminal, plain lines elsewhere, nothing where nobody asked."""

import io
import os
import pty
import sys
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from penstock.cli import progress
from penstock.cli.progress import Bar, Lines, describe, show_progress, watch_tasks
from penstock.pipeline.stage import Silent, Stage, Stages


def test_a_stage_is_told_in_one_line() -> None:
    assert describe(Stage("a", "starting Spark", 11.26)) == "starting Spark: 11.3 s"
    stage = Stage("b", "writing", 2.0, 1_921_993, "delivery")
    assert describe(stage) == "writing: 1,921,993 deliveries, 2.0 s, 960,996/s"
    assert describe(Stage("b", "writing", 2.0, 1, "message")) == "writing: 1 message, 2.0 s, 0/s"
    assert describe(Stage("b", "writing", 2.0, 0, "message")) == "writing: 0 messages, 2.0 s"


def test_plain_lines_say_what_begins_and_what_it_came_to() -> None:
    out = io.StringIO()
    stages = Stages(Lines(out))
    with stages("read", "reading") as stage:
        stage.count(3, "row")
    first, second = out.getvalue().splitlines()
    assert (first, second.startswith("reading: 3 rows, 0.0 s, ")) == ("reading …", True)
    assert set(stages.seconds) == {"read"}


def test_a_stage_that_fails_is_not_told_as_done() -> None:
    out = io.StringIO()
    stages = Stages(Lines(out))
    with pytest.raises(ValueError, match="no"), stages("read", "reading"):
        raise ValueError("no")
    assert out.getvalue() == "reading …\n"
    assert stages.done == []


class Terminal:
    """A pseudo-terminal, and all that was written to it."""

    def __init__(self) -> None:
        self._ours, theirs = pty.openpty()
        self.stream = os.fdopen(theirs, "w", encoding="utf-8")
        self.text = b""
        self._seen = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            try:
                found = os.read(self._ours, 1024)
            except OSError:  # the other end is closed
                return
            with self._seen:
                self.text += found
                self._seen.notify_all()

    def wait_for(self, text: str) -> None:
        with self._seen:
            self._seen.wait_for(lambda: text.encode() in self.text)


def test_a_bar_is_redrawn_and_leaves_a_line_behind() -> None:
    terminal = Terminal()
    with Bar(terminal.stream) as bar:
        stages = Stages(bar)
        with stages("forward", "forwarding messages") as stage:
            terminal.wait_for("forwarding messages … 0 s")
            bar.tasks = lambda: (3, 4)
            terminal.wait_for("forwarding messages  ██████████████████······  75%")
            bar.tasks = lambda: (0, 0)
            terminal.wait_for("forwarding messages … ")
            stage.count(4, "message")
        terminal.wait_for("✓\x1b[0m forwarding messages: 4 messages, ")
    assert terminal.stream.closed


def test_tasks_that_cannot_be_told_are_no_reason_to_fail() -> None:
    terminal = Terminal()

    def fail() -> tuple[int, int]:
        raise ConnectionError

    with Bar(terminal.stream) as bar:
        bar.tasks = fail
        with Stages(bar)("a", "working"):
            terminal.wait_for("working … 0 s")


@pytest.mark.parametrize(
    ("done", "bar"), [(0, "·" * 24), (1, "█" * 24), (0.01, "▎" + "·" * 23), (7, "█" * 24)]
)
def test_bars_have_one_width(done: float, bar: str) -> None:
    assert progress._bar(done) == bar


def test_who_is_told_depends_on_the_options_and_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with show_progress(quiet=True, json=False) as watcher:
        assert isinstance(watcher, Silent)
    with show_progress(quiet=False, json=True) as watcher:
        assert isinstance(watcher, Silent)
    with show_progress(quiet=False, json=False) as watcher:
        assert isinstance(watcher, Lines)
    monkeypatch.setattr(sys, "stderr", Terminal().stream)
    for json in (False, True):
        with show_progress(quiet=False, json=json) as watcher:
            assert isinstance(watcher, Bar)
    assert not sys.stderr.closed


class Session:
    """As much of a session as a bar looks at."""

    def __init__(self, *, is_connect: bool) -> None:
        self.handler: Any = None
        self._is_connect = is_connect
        stages = {1: SimpleNamespace(numCompletedTasks=3, numTasks=8), 2: None}
        tracker = SimpleNamespace(getActiveStageIds=lambda: [1, 2], getStageInfo=stages.get)
        self.sparkContext = SimpleNamespace(statusTracker=lambda: tracker)

    def registerProgressHandler(self, handler: Any) -> None:  # noqa: N802 - Spark's name
        if not self._is_connect:
            raise RuntimeError("only supported with Spark Connect")
        self.handler = handler


def test_both_kinds_of_session_tell_their_tasks() -> None:
    bar = Bar(io.StringIO())
    classic: Any = Session(is_connect=False)
    watch_tasks(bar, classic)
    assert bar.tasks() == (3, 8)
    connect: Any = Session(is_connect=True)
    watch_tasks(bar, connect)
    stages = [
        SimpleNamespace(num_completed_tasks=1, num_tasks=2),
        SimpleNamespace(num_completed_tasks=0, num_tasks=2),
    ]
    connect.handler(stages=stages, inflight_tasks=2, operation_id="a", done=False)
    assert bar.tasks() == (1, 4)
    neither: Any = object()
    watch_tasks(bar, neither)
    assert bar.tasks is None
