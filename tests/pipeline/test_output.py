"""A result appears whole or not at all, whatever happens to the run, and replaces only its own kind."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from penstock.errors import InputError
from penstock.pipeline import output
from penstock.pipeline.output import MANIFEST, check_goal, staged, write_manifest


def publish(goal: Path, text: str, disturb: Callable[[], None] = lambda: None) -> None:
    with staged(goal) as staging:
        (staging / "data").mkdir()
        (staging / "data" / "part").write_text(text)
        write_manifest(staging, {"counts": {}})
        disturb()


def fail(goal: Path, error: type[BaseException]) -> None:
    with staged(goal) as staging:
        (staging / "data").mkdir()
        raise error


def names_in(directory: Path) -> set[str]:
    return {entry.name for entry in directory.iterdir()}


@pytest.fixture(params=["exchange", "two steps"])
def goal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    if request.param == "two steps":  # as on file systems that cannot swap
        monkeypatch.setattr(output, "_exchange", lambda _one, _other: False)
    return tmp_path / "some where" / "out"


def test_a_result_is_there_when_the_block_ends(goal: Path) -> None:
    with staged(goal) as staging:
        (staging / "data").touch()
        write_manifest(staging, {})
        assert not goal.exists()
    assert names_in(goal) == {MANIFEST, "data"}
    assert names_in(goal.parent) == {"out"}


def test_a_second_run_replaces_the_first(goal: Path) -> None:
    publish(goal, "one")
    publish(goal, "two")
    assert (goal / "data" / "part").read_text() == "two"
    assert names_in(goal.parent) == {"out"}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_run_that_fails_leaves_what_was_there(goal: Path, error: type[BaseException]) -> None:
    with pytest.raises(error):
        fail(goal, error)
    assert not goal.exists()
    publish(goal, "one")
    with pytest.raises(error):
        fail(goal, error)
    assert (goal / "data" / "part").read_text() == "one"
    assert names_in(goal.parent) == {"out"}


def test_an_empty_directory_may_be_there(goal: Path) -> None:
    goal.mkdir(parents=True)
    publish(goal, "one")
    assert (goal / "data" / "part").read_text() == "one"


def test_other_peoples_files_are_never_replaced(goal: Path) -> None:
    goal.mkdir(parents=True)
    (goal / "thesis.tex").write_text("precious")
    with pytest.raises(InputError, match=r"holds thesis\.tex, which an earlier run did not write"):
        publish(goal, "one")
    (goal / "thesis.tex").unlink()
    publish(goal, "one")
    (goal / "notes").touch()
    (goal / "more").touch()
    with pytest.raises(InputError, match="holds more and 1 more"):
        check_goal(goal)


@pytest.mark.parametrize("manifest", ["", "[]", "{", '{"made by": "someone", "entries": ["data"]}'])
def test_a_manifest_of_somebody_else_is_no_licence(goal: Path, manifest: str) -> None:
    goal.mkdir(parents=True)
    (goal / MANIFEST).write_text(manifest)
    (goal / "data").touch()
    with pytest.raises(InputError):
        check_goal(goal)


def test_files_that_come_while_a_run_is_under_way_are_safe(goal: Path) -> None:
    publish(goal, "one")
    with pytest.raises(InputError):
        publish(goal, "two", disturb=(goal / "thesis.tex").touch)
    assert (goal / "thesis.tex").exists()


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match="is a file"):
        publish(tmp_path / "out", "one")
    with pytest.raises(InputError, match="cannot be written"):
        publish(tmp_path / "out" / "below", "one")


HELD = """
import sys
from collections.abc import Callable
from pathlib import Path
from penstock.pipeline.output import staged
with staged(Path(sys.argv[1])) as staging:
    (staging / "half").touch()
    print(staging, flush=True)
    sys.stdin.read()
"""


def start(goal: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", HELD, str(goal)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_what_a_killed_run_leaves_is_cleared_away_by_the_next(goal: Path) -> None:
    publish(goal, "one")
    with start(goal) as process:
        assert process.stdout
        left = Path(process.stdout.readline().strip())
        process.send_signal(signal.SIGKILL)
    assert (goal / "data" / "part").read_text() == "one"
    assert (left / "half").exists()
    publish(goal, "two")
    assert names_in(goal.parent) == {"out"}


def test_what_a_living_run_holds_stays(goal: Path) -> None:
    with start(goal) as process:
        assert process.stdout
        held = Path(process.stdout.readline().strip())
        publish(goal, "mine")
        assert (held / "half").exists()
        process.send_signal(signal.SIGKILL)
    assert (goal / "data" / "part").read_text() == "mine"


def test_the_manifest_names_every_entry(tmp_path: Path) -> None:
    publish(tmp_path / "out", "one")
    os.utime(tmp_path / "out")
    check_goal(tmp_path / "out")
    assert f'"{MANIFEST}",\n    "data"' in (tmp_path / "out" / MANIFEST).read_text()
