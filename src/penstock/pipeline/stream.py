"""Files that keep coming: each is forwarded once, by the version of the table that is current then.

Every row of a file is a row of the output, with the interfaces that want it or the reason why it was refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from penstock.pipeline.feed import read_feed
from penstock.pipeline.messages import Reading
from penstock.pipeline.source import Source
from penstock.spark import stream_forward

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

__all__ = ["Batch", "Pace", "follow", "start_stream"]

INTERVAL = 1  # seconds between looks at what is done


@dataclass(frozen=True, slots=True)
class Pace:
    """When batches start: one after the other as files come, at intervals, or until all files are done."""

    once: bool = False
    every: str | None = None
    files: int | None = None  #: in a batch, at most


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of the messages of a batch."""

    number: int
    messages: int  #: that Spark has read
    matched: int
    unmatched: int
    rejected: int
    seconds: float

    @property
    def adds_up(self) -> bool:
        """Whether every message that was read was written."""
        return self.messages == self.matched + self.unmatched + self.rejected


def start_stream(
    spark: SparkSession,
    source: Source,
    table: Path,
    out: Path,
    *,
    checkpoint: Path,
    reading: Reading,
    pace: Pace,
) -> "StreamingQuery":
    """Start to forward what is in a directory, and what comes."""
    feed = read_feed(spark, source, reading, pace.files)
    where = [f"file://{path.absolute()}" for path in (out, checkpoint)]
    return stream_forward(
        feed.frame,
        table,
        *where,
        id_columns=feed.carried,
        json=feed.json,
        available_now=pace.once,
        processing_time=pace.every,
    )


def follow(query: "StreamingQuery", out: Path) -> Iterator[Batch]:
    """The batches that are done, as they are, until the query ends; if it failed, that is raised then."""
    last = -1
    is_over = False
    while not is_over:
        is_over = bool(query.awaitTermination(INTERVAL))
        for progress in query.recentProgress:
            told: Any = progress
            directory = out / f"batch={told.batchId}"
            if told.batchId > last and directory.exists():
                last = told.batchId
                yield _count(directory, last, told.numInputRows, told.batchDuration / 1000)


def _count(directory: Path, number: int, read: int, seconds: float) -> Batch:
    rows = pq.ParquetDataset(directory).read(columns=["interfaces", "error"])
    sizes: Any = pc.list_value_length(rows["interfaces"])
    matched = int(pc.sum(pc.greater(sizes, pa.scalar(0))).as_py() or 0)
    rejected = rows.num_rows - rows["error"].null_count
    return Batch(number, read, matched, rows.num_rows - matched - rejected, rejected, seconds)
