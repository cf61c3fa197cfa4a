"""Experiments on Spark: a task for each point.

Points of timed experiments are jobs of one task, one after the other, so that nothing of ours runs beside
them; those of the others are the tasks of one job. Workers get the function that measures and the points as
JSON, and nothing of the session. A job that dies with its worker is done again point by point, so that the
point which kills workers is found and the others are not lost.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from penstock.errors import ExperimentError
from penstock.papers.experiment import Experiment, Scale
from penstock.papers.machine import describe_commit, describe_machine
from penstock.papers.measuring import COLUMNS, Measuring, pack
from penstock.papers.result import Result, Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["describe_run", "run_experiment"]

ROWS = (
    "point int, label string, series string, x string, quantity string, unit string, "
    "value double, low double, high double, seconds double, error string"
)
Watch = Callable[[int, int, str], None]


def describe_run(spark: "SparkSession", scale: Scale, command: str) -> Run:
    """Here and now."""
    return Run(
        scale=scale,
        **describe_machine(),
        penstock=version("penstock"),
        commit=describe_commit(Path(__file__)),
        when=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        spark=spark.version,
        command=command,
    )


def run_experiment(
    spark: "SparkSession", experiment: Experiment, run: Run, watch: Watch = lambda _done, _all, _label: None
) -> Result:
    """Measure every point; `watch` is told before each how many are done, and which comes next."""
    points = list(experiment.sweep(run.scale))
    if not points:
        raise ExperimentError("its sweep has no points", experiment.key)
    measuring = Measuring(experiment.measure, [pack(point) for point in points])
    groups: Iterable[range] = [range(len(points))]
    if experiment.timed:
        groups = [range(number, number + 1) for number in range(len(points))]
    found = []
    for group in groups:
        label = points[group[0]].label if len(group) == 1 else f"{len(group)} points"
        watch(group.start, len(points), label)
        found += _measure(spark, measuring, group)
    table = pa.Table.from_batches(found, pa.schema(list(COLUMNS.items())))
    return Result(experiment, run, table.sort_by("point"))


def _measure(spark: "SparkSession", measuring: Measuring, group: range) -> list[pa.RecordBatch]:
    """One job, with a task for each point of the group."""
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # noqa: PLC0415 - it takes a while
    from pyspark.errors import PySparkException  # noqa: PLC0415

    numbers = spark.range(group.start, group.stop, 1, len(group))
    try:
        rows = numbers.mapInArrow(measuring.run, ROWS).toArrow()
    except (PySparkException, Py4JError) as error:
        if len(group) == 1:
            return [measuring.fail(group.start, f"its worker died: {_first_line(error)}")]
        alone = [range(number, number + 1) for number in group]
        return [batch for each in alone for batch in _measure(spark, measuring, each)]
    return rows.cast(pa.schema(list(COLUMNS.items()))).to_batches()


def _first_line(error: Exception) -> str:
    """What Spark says, without the stack."""
    text = str(error).strip()
    crashed = "Python worker exited unexpectedly"
    return crashed if crashed in text else text.partition("\n")[0]
