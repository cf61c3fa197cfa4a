"""One run of `penstock compile`: a version of a table, and beside it the rows that could not be used.

Both are made beside their goal. The version is published when every row is accounted for, and not before.
"""

import shutil
from dataclasses import replace
from pathlib import Path

from pyspark.sql import SparkSession

from penstock.errors import LedgerError
from penstock.pipeline.output import staged, write_manifest
from penstock.pipeline.source import Source
from penstock.pipeline.stage import Stages
from penstock.pipeline.store import count_parquet, in_order, write_parquet
from penstock.pipeline.subscriptions import Compiled, compile_subscriptions
from penstock.spark import TableRef
from penstock.spark.layout import Layout, write_text
from penstock.table import Engine

__all__ = ["compile_files"]


def compile_files(
    spark: SparkSession, source: Source, table: Path, stages: Stages, *, shards: int, engine: Engine
) -> Compiled:
    """Compile a version of `table`, and put what it refused into `table/rejected`."""
    with staged(table / "rejected") as staging:
        work = staging / "_work"
        with stages("compile", "compiling subscriptions") as stage:
            compiled = compile_subscriptions(
                spark, source, work / "table", work / "rows", shards=shards, engine=engine
            )
            stage.count(compiled.counts.rows - compiled.counts.skipped, "subscription")
        with stages("reject", "writing rejected rows") as stage:
            write_parquet(in_order(compiled.rejections), staging / "rows")
            stage.count(count_parquet(staging / "rows"), "row")
        _check(compiled, stage.rows)
        for file in (staging / "rows").glob("*.parquet"):
            file.rename(staging / file.name)
        version = _publish(compiled.table, table)
        shutil.rmtree(staging / "rows")
        shutil.rmtree(work)
        write_manifest(staging, {"version": version.version})
    return replace(compiled, table=version)


def _check(compiled: Compiled, written: int | None) -> None:
    wrong = compiled.counts.discrepancies()
    if written != compiled.counts.rejected:
        wrong.append(f"rejected {compiled.counts.rejected:,} ≠ written {written:,}")
    if wrong:
        raise LedgerError(wrong)


def _publish(compiled: TableRef, goal: Path) -> TableRef:
    """Make a version of one table a version of another, and its current one."""
    layout = Layout.at(goal)
    target = layout.version(compiled.version)
    if not (target / "manifest.json").exists():
        shutil.rmtree(target, ignore_errors=True)  # somebody died while writing it
        target.parent.mkdir(parents=True, exist_ok=True)
        compiled.directory.rename(target)
    write_text(layout.latest, f"{compiled.version}\n")
    return TableRef.open(goal, compiled.version)
