"""The stages of a run: how long each took, how much went through it, and who is told.

Times are those of a clock on the wall, since that is what a user waits for.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["Silent", "Stage", "Stages", "Watcher"]


@dataclass(slots=True)
class Stage:
    """One stage, under way or done."""

    name: str
    label: str  #: what it does, for people
    seconds: float = 0.0
    rows: int | None = None  #: how many went through it, where that says something
    unit: str = "row"  #: one of them

    @property
    def rate(self) -> float | None:
        """Rows per second."""
        return None if self.rows is None or not self.seconds else self.rows / self.seconds

    def count(self, rows: int, unit: str) -> None:
        """Note how many went through."""
        self.rows, self.unit = rows, unit


class Watcher(Protocol):
    """Who is told of stages: a progress bar, a log, nobody."""

    def begin(self, stage: Stage) -> None:
        """A stage starts."""

    def end(self, stage: Stage) -> None:
        """It is done; not called when it fails."""


class Silent:
    """A watcher that says nothing."""

    def begin(self, stage: Stage) -> None:
        """Nothing."""

    def end(self, stage: Stage) -> None:
        """Nothing."""


@dataclass(slots=True)
class Stages:
    """The stages so far."""

    watcher: Watcher = field(default_factory=Silent)
    done: list[Stage] = field(default_factory=list)

    @contextmanager
    def __call__(self, name: str, label: str) -> Iterator[Stage]:
        """Time a block; what it counts is told at its end."""
        stage = Stage(name, label)
        self.watcher.begin(stage)
        start = time.perf_counter()
        yield stage
        stage.seconds = time.perf_counter() - start
        self.done.append(stage)
        self.watcher.end(stage)

    @property
    def seconds(self) -> dict[str, float]:
        """By stage, in the order in which they ran, to the millisecond."""
        return {stage.name: round(stage.seconds, 3) for stage in self.done}
