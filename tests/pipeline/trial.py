"""What the tests of the pipeline share: a run on files of the test's own, and its results as plain values."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from penstock.pipeline.job import Job, Result, run_job
from penstock.pipeline.messages import Reading
from penstock.pipeline.source import Source
from penstock.pipeline.stage import Stages

WISHES = (
    "alice\tdest = 'MXP' AND price < 500\n"
    "bob\tprice > 1000 OR seen STARTS WITH '2013'\n"
    "carol\tdetail.state = 'delayed'\n"
    "dave\tcode = '007' AND paid = TRUE\n"
)
BLOCK = "spark.sql.files.maxPartitionBytes"


@dataclass(frozen=True, slots=True)
class Trial:
    """A run and what it wrote, sorted."""

    result: Result
    deliveries: list[tuple[Any, ...]]
    unmatched: list[tuple[Any, ...]]
    rejected: list[tuple[Any, ...]]


def forward_files(spark: SparkSession, messages: str, wishes: str = WISHES, **reading: Any) -> Trial:
    """Forward the files at a path to the wishes; the result is in `out`."""
    Path("wishes.filters").write_text(wishes)
    job = Job(Source.find(messages), Source.find("wishes.filters"), reading=Reading(**reading))
    result = run_job(spark, job, Path("out"), Stages())
    return Trial(result, *(rows_of(Path("out", name)) for name in ("deliveries", "unmatched", "rejected")))


def rows_of(directory: Path) -> list[tuple[Any, ...]]:
    """The rows of Parquet files, in order."""
    rows = pq.ParquetDataset(directory).read().to_pylist()
    return sorted((tuple(row.values()) for row in rows), key=repr)


@contextmanager
def small_blocks(spark: SparkSession) -> Iterator[None]:
    """Blocks of 256 bytes, so that a file of some lines is read in many pieces."""
    before = spark.conf.get(BLOCK)
    spark.conf.set(BLOCK, "256")
    yield
    spark.conf.set(BLOCK, before or "")
