"""A directory that appears whole or not at all.

A run writes into a directory beside its goal and takes the goal's place at the end, in one step where the
system has one. A run that dies leaves the goal as it was, and a directory that the next run clears away.
Directories that hold anything but an earlier result are never replaced.
"""

import ctypes
import errno
import fcntl
import glob
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from penstock.errors import InputError

__all__ = ["MANIFEST", "check_goal", "staged", "write_manifest"]

MANIFEST = "_manifest.json"  # Spark passes over names that begin so
SIGNATURE = "penstock"

AT_FDCWD, RENAME_EXCHANGE = -100, 2


@contextmanager
def staged(goal: Path) -> Iterator[Path]:
    """A new directory that becomes `goal` when the block ends well, and vanishes otherwise."""
    goal = goal.absolute()
    check_goal(goal)
    try:
        goal.parent.mkdir(parents=True, exist_ok=True)
        _clear(goal)
        staging = goal.with_name(f".{goal.name}.staging-{uuid.uuid4().hex[:8]}")
        staging.mkdir()
    except OSError as error:
        raise InputError(str(goal), None, f"cannot be written: {error.strerror}") from None
    lock = os.open(staging, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)  # while it is held, nobody takes this for a leftover
        yield staging
        check_goal(goal)
        _replace(staging, goal)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        os.close(lock)


def check_goal(goal: Path) -> None:
    """Refuse a directory that is not ours to replace."""
    if not goal.exists():
        return
    if not goal.is_dir():
        raise InputError(str(goal), None, "is a file; the output is a directory")
    there = {entry.name for entry in goal.iterdir()}
    known = _entries(goal)
    if foreign := sorted(there - known):
        what = f"holds {foreign[0]}" + (f" and {len(foreign) - 1} more" if len(foreign) > 1 else "")
        raise InputError(
            str(goal), None, f"{what}, which an earlier run did not write; choose another directory"
        )


def write_manifest(staging: Path, content: dict[str, Any]) -> None:
    """Say what the directory holds: the last file of a run, by which later ones know their own."""
    entries = sorted({entry.name for entry in staging.iterdir()} | {MANIFEST})
    text = json.dumps({"made by": SIGNATURE, "entries": entries, **content}, indent=2)
    (staging / MANIFEST).write_text(text + "\n", encoding="utf-8")


def _entries(goal: Path) -> set[str]:
    """What an earlier run wrote into it."""
    try:
        manifest = json.loads((goal / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    if not isinstance(manifest, dict) or manifest.get("made by") != SIGNATURE:
        return set()
    return set(manifest.get("entries", ()))


def _replace(staging: Path, goal: Path) -> None:
    """Put the new result where the old one was; the old one goes."""
    if not goal.exists():
        staging.rename(goal)
    elif not _exchange(staging, goal):
        aside = goal.with_name(f".{goal.name}.staging-{uuid.uuid4().hex[:8]}")
        goal.rename(aside)
        staging.rename(goal)
        shutil.rmtree(aside, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two directories in one step; False where the system or its file system cannot."""
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    if renameat2(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
        return False
    raise OSError(code, os.strerror(code), str(other))


def _clear(goal: Path) -> None:
    """Remove what runs that died have left; what a living one holds stays."""
    for leftover in goal.parent.glob(f".{glob.escape(goal.name)}.staging-*"):
        with suppress(OSError):
            lock = os.open(leftover, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(leftover)
            finally:
                os.close(lock)
