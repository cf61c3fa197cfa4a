"""One run of `penstock forward`, from its inputs to a directory that holds all results, or nothing."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from penstock.pipeline.forward import forward_messages, write_outputs
from penstock.pipeline.ledger import Ledger
from penstock.pipeline.messages import Intake, Reading, read_messages
from penstock.pipeline.observe import observe
from penstock.pipeline.output import staged, write_manifest
from penstock.pipeline.source import Source
from penstock.pipeline.stage import Stages
from penstock.pipeline.subscriptions import Compiled, compile_subscriptions
from penstock.spark import TableRef
from penstock.table import Engine

__all__ = ["Job", "Result", "run_job"]


@dataclass(frozen=True, slots=True)
class Job:
    """What to forward to whom: `subscriptions` are compiled, or `table` was compiled before."""

    messages: Source
    subscriptions: Source | None = None
    table: Path | None = None
    reading: Reading = field(default_factory=Reading)
    shards: int = 1
    engine: Engine = "access"


@dataclass(frozen=True, slots=True)
class Result:
    """What a run came to; `directory` is where the results lie while it is not yet over."""

    intake: Intake
    table: TableRef
    ledger: Ledger
    directory: Path


Finish = Callable[[Result], dict[str, Any]]


def run_job(
    spark: SparkSession, job: Job, goal: Path, stages: Stages, finish: Finish | None = None
) -> Result:
    """Run it. `finish` may add files before the result is published, and gives more for metrics.json."""
    with staged(goal) as staging:
        result = run_staged(spark, job, staging, stages, finish)
    return replace(result, directory=goal)


def run_staged(
    spark: SparkSession, job: Job, staging: Path, stages: Stages, finish: Finish | None = None
) -> Result:
    """The same into a directory that somebody else publishes."""
    work = staging / "_work"
    with stages("read", "reading messages") as stage:
        intake = read_messages(spark, job.messages, job.reading)
        stage.count(intake.census.total, "row")
    compiled, table = _compile(spark, job, staging / "table", work / "subscriptions", stages)
    if compiled is not None:
        with stages("observe", "looking at some messages") as stage:
            stage.count(observe(table, intake), "message")
    with stages("forward", "forwarding messages") as stage:
        done = forward_messages(spark, intake, table, work)
        stage.count(done.ledger.messages, "message")
    with stages("deliver", "writing the results") as stage:
        ledger = write_outputs(done, compiled, staging)
        stage.count(ledger.deliveries, "delivery")
    ledger.check()
    result = Result(intake, table, ledger, staging)
    extra = finish(result) if finish else {}
    shutil.rmtree(work)
    metrics = {**ledger.to_dict(), "interfaces": table.interfaces, "seconds": stages.seconds, **extra}
    (staging / "metrics.json").write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf-8")
    write_manifest(staging, {"counts": ledger.to_dict()})
    return result


def _compile(
    spark: SparkSession, job: Job, goal: Path, work: Path, stages: Stages
) -> tuple[Compiled | None, TableRef]:
    if job.subscriptions is None:
        assert job.table is not None, "a job has subscriptions or a table"
        return None, TableRef.open(job.table)
    with stages("compile", "compiling subscriptions") as stage:
        compiled = compile_subscriptions(
            spark, job.subscriptions, goal, work, shards=job.shards, engine=job.engine
        )
        stage.count(compiled.counts.rows, "subscription")
    return compiled, compiled.table
