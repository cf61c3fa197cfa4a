"""A stream of messages through a table that changes: a batch sees one version, also when it is tried again.

Spark may process a batch more than once: when a query dies between writing and committing it, the batch comes
again after the restart. So the version is pinned to the batch before anything is done, and the output of a
batch takes the place of an earlier try.
"""

from __future__ import annotations

import json as jsonlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from penstock.errors import PenstockError
from penstock.spark.forward import forward
from penstock.spark.plan import plan
from penstock.spark.reference import TableRef

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

__all__ = ["stream_forward"]

PIN = "query string, version string"


def stream_forward(
    messages: DataFrame,
    tables: str | os.PathLike[str],
    out: str | os.PathLike[str],
    checkpoint: str | os.PathLike[str],
    *,
    id_columns: Sequence[str],
    json: str | None = None,
    names: bool = True,
    available_now: bool = False,
    processing_time: str | None = None,
) -> StreamingQuery:
    """Forward a stream of messages, by the version of the table that is current when a batch begins.

    `tables` is where compile_table puts its versions. What forward() gives for a batch goes to `out`, as
    Parquet under batch=<number>; started again with the same `checkpoint`, the stream goes on where it was.
    `available_now` processes what is there and ends; `processing_time` ("10 seconds") starts batches at that
    pace instead of one after the other.
    """
    if not messages.isStreaming:
        raise ValueError("messages must be a streaming DataFrame; forward() takes the others")
    # What is wrong with the columns or the tables shall show now, not in the first batch.
    table = TableRef.open(tables)
    plan(messages.schema, table, id_columns, json, names)
    each = _Batches(table.path, os.fspath(out), os.fspath(checkpoint), tuple(id_columns), json, names)

    def process(batch: DataFrame, number: int) -> None:
        each.process(batch, number)

    writer = messages.writeStream.foreachBatch(process).option("checkpointLocation", os.fspath(checkpoint))
    if available_now:
        writer = writer.trigger(availableNow=True)
    elif processing_time is not None:
        writer = writer.trigger(processingTime=processing_time)
    return writer.start()


@dataclass(slots=True)
class _Batches:
    tables: str
    out: str
    checkpoint: str
    id_columns: tuple[str, ...]
    json: str | None
    names: bool
    query: str | None = field(default=None, init=False)  # its id, which lasts as long as the checkpoint

    def process(self, batch: DataFrame, number: int) -> None:
        """Write the answer for one batch, in the place of whatever an earlier try has written."""
        table = TableRef.open(self.tables, self._pinned(batch.sparkSession, number))
        forwarded = forward(batch, table, id_columns=self.id_columns, json=self.json, names=self.names)
        forwarded.write.mode("overwrite").parquet(f"{self.out}/batch={number}")

    def _pinned(self, spark: SparkSession, number: int) -> str:
        """The version for a batch: that of an earlier try, or else the current one, from now on."""
        if self.query is None:
            lines = spark.read.text(f"{self.checkpoint}/metadata").collect()
            self.query = str(jsonlib.loads(lines[0].value)["id"])
        # Spark passes over what begins with an underscore when it reads `out`.
        place = f"{self.out}/_tables/batch={number}"
        for pin in _read_pin(spark, place):
            if pin[0] != self.query:
                raise PenstockError(
                    f"{self.out} holds batch {number} of a stream with another checkpoint than "
                    f"{self.checkpoint}; give each stream a directory of its own"
                )
            return pin[1]
        version = TableRef.open(self.tables).version
        spark.createDataFrame([(self.query, version)], PIN).coalesce(1).write.mode("overwrite").json(place)
        return version


def _read_pin(spark: SparkSession, place: str) -> list[tuple[str, str]]:
    try:
        return [(row.query, row.version) for row in spark.read.schema(PIN).json(place).collect()]
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return []
