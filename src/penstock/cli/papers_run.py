"""The measuring of `penstock papers run`: a stage for each experiment, saved as soon as it is done."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.progress import Bar
from penstock.pipeline.stage import Stage, Stages, Watcher

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.papers import Experiment, Scale

__all__ = ["run_all"]


def run_all(
    spark: "SparkSession", experiments: "Sequence[Experiment]", goal: Path, scale: "Scale", stages: Stages
) -> None:
    """Measure one after the other; points that fail are in the results."""
    from penstock.papers.result import begin, write_result  # noqa: PLC0415 - it takes a while
    from penstock.papers.runner import describe_run, run_experiment  # noqa: PLC0415

    begin(goal, scale)
    run = describe_run(spark, scale, shlex.join(["penstock", *sys.argv[1:]]))
    for experiment in experiments:
        with stages(experiment.key, f"{experiment.key}: {experiment.figure}") as stage:
            with _followed(stages.watcher, stage, alone=experiment.timed) as watch:
                result = run_experiment(spark, experiment, run, watch)
            write_result(goal, result)
            stage.count(len(result.readings), "reading")


@contextmanager
def _followed(watcher: Watcher, stage: Stage, *, alone: bool) -> Iterator[Callable[[int, int, str], None]]:
    """Let a bar show how many points are done, and which one is at hand.

    Points that run at once are the tasks of one job, which the bar sees by itself.
    """
    if not isinstance(watcher, Bar) or not alone:
        yield lambda _done, _all, _label: None
        return
    label, tasks, now = stage.label, watcher.tasks, (0, 1)

    def note(done: int, total: int, point: str) -> None:
        nonlocal now
        now, stage.label = (done, total), f"{label.split(':')[0]}: {point}"

    watcher.tasks = lambda: now
    try:
        yield note
    finally:
        watcher.tasks, stage.label = tasks, label
