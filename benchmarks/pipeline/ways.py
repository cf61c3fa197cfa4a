"""The ways of a message: through ours, through nothing at all, and through what Spark itself offers.

Each takes a session and a workload and gives a DataFrame that has not run yet.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from penstock.spark import TableRef, deliveries, forward, forward_parquet
from pipeline.workload import Workload

__all__ = ["WAYS", "Job", "count_deliveries"]


@dataclass(frozen=True, slots=True)
class Job:
    """What a way needs."""

    spark: SparkSession
    workload: Workload
    table: TableRef

    def rows(self) -> DataFrame:
        """The messages."""
        return self.workload.read(self.spark)


def nothing(job: Job) -> DataFrame:
    """All columns go to the workers, which give back the ids."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield batch.select([0])

    return job.rows().mapInArrow(run, "id long")


def forward_ids(job: Job) -> DataFrame:
    """Interfaces as numbers."""
    return forward(job.rows(), job.table, id_columns=["id"], names=False)


def forward_names(job: Job) -> DataFrame:
    """Interfaces by name."""
    return forward(job.rows(), job.table, id_columns=["id"])


def parquet_ids(job: Job) -> DataFrame:
    """The workers read the files themselves."""
    return forward_parquet(job.spark, job.workload.path, job.table, id_columns=["id"], names=False)


def parquet_names(job: Job) -> DataFrame:
    """The same by name."""
    return forward_parquet(job.spark, job.workload.path, job.table, id_columns=["id"])


def join(job: Job) -> DataFrame:
    """The best that plain Spark does: the subscriptions of the message's key, then the ranges."""
    wanted = f.broadcast(job.workload.wanted(job.spark))
    matches = (f.col("key") == f.col("wanted")) & (f.col("a") >= f.col("low")) & (f.col("b") < f.col("high"))
    return job.rows().join(wanted, matches).select("id", "interface")


def explode_and_count(job: Job) -> DataFrame:
    """Constraints as rows: count those that hold, and compare with how many there are."""
    attributes = job.rows().selectExpr(
        "id", "stack(3, 'key', key, NULL, 'a', NULL, a, 'b', NULL, b) AS (name, text, number)"
    )
    triples = "'key', wanted, NULL, NULL, 'a', NULL, low, NULL, 'b', NULL, NULL, high"
    constraints = job.workload.wanted(job.spark).selectExpr(
        "interface", f"stack(3, {triples}) AS (asked, equal, low, high)"
    )
    holds = f.expr("name = asked AND (text = equal OR number >= low OR number < high)")
    counted = attributes.join(f.broadcast(constraints), holds).groupBy("id", "interface").count()
    return counted.where("count = 3").select("id", "interface")


def count_deliveries(way: str, job: Job) -> int:
    """How many pairs of a message and an interface the way finds."""
    frame = WAYS[way](job)
    return (deliveries(frame) if "error" in frame.columns else frame).count()


WAYS: dict[str, Callable[[Job], DataFrame]] = {
    "nothing": nothing,
    "forward": forward_ids,
    "forward, names": forward_names,
    "forward_parquet": parquet_ids,
    "forward_parquet, names": parquet_names,
    "join": join,
    "explode and count": explode_and_count,
}
