"""Streams: no row is lost and none comes twice, whatever happens between two batches or within one."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

from penstock.errors import SchemaError, TableFileError
from penstock.spark import TableRef, compile_table, stream_forward


@dataclass
class Stream:
    """Message files that come in, a table that changes, and what was written, under one directory."""

    spark: SparkSession
    path: Path

    def send(self, ids: Iterable[int]) -> None:
        """One more file, which is one more batch."""
        (self.path / "in").mkdir(exist_ok=True)
        number = len(list((self.path / "in").iterdir()))
        columns = {"id": pa.array(ids, pa.int64()), "price": pa.array(ids, pa.int64())}
        file = self.path / "in" / f"{number}.parquet"
        pq.write_table(pa.table(columns), file)
        os.utime(file, (number, number))  # Spark takes the oldest first

    def subscribe(self, *subscriptions: tuple[str, str]) -> TableRef:
        """A new version of the table."""
        rows = self.spark.createDataFrame(subscriptions, "interface string, filter string")
        return compile_table(rows, self.path / "tables")

    def run(self, checkpoint: str = "checkpoint") -> None:
        """Process what is there, and end."""
        source = self.spark.readStream.schema("id long, price long").option("maxFilesPerTrigger", 1)
        query = stream_forward(
            source.parquet(str(self.path / "in")),
            self.path / "tables",
            self.path / "out",
            self.path / checkpoint,
            id_columns=["id"],
            available_now=True,
        )
        query.awaitTermination()

    def written(self) -> list[tuple[int, int, list[str]]]:
        """Every row: batch, id and interfaces."""
        rows = self.spark.read.parquet(str(self.path / "out")).collect()
        return sorted((row.batch, row.id, sorted(row.interfaces)) for row in rows)

    def lose_commit(self, batch: int) -> None:
        """What a crash between writing a batch and committing it leaves behind."""
        for name in (f"{batch}", f".{batch}.crc"):
            (self.path / "checkpoint" / "commits" / name).unlink()


@pytest.fixture
def stream(spark: SparkSession, tmp_path: Path) -> Stream:
    return Stream(spark, tmp_path)


def test_batches_see_changes_of_the_table_and_a_restart_goes_on(stream: Stream) -> None:
    stream.subscribe(("low", "price < 3"))
    stream.send([1, 2, 3])
    stream.run()
    stream.subscribe(("low", "price < 3"), ("even", "price IN (2, 4, 6)"))
    stream.send([4, 5])
    stream.send([6])
    stream.run()
    expected: list[Any] = [(0, 1, ["low"]), (0, 2, ["low"]), (0, 3, [])]
    expected += [(1, 4, ["even"]), (1, 5, []), (2, 6, ["even"])]
    assert stream.written() == expected
    stream.run()
    assert stream.written() == expected


def test_a_batch_that_was_written_but_not_committed_is_written_again_by_the_same_version(
    stream: Stream,
) -> None:
    first = stream.subscribe(("low", "price < 3"))
    stream.send([1, 2])
    stream.send([3, 4])
    stream.run()
    before = stream.written()
    stream.lose_commit(1)
    second = stream.subscribe(("high", "price >= 3"))
    stream.send([5])
    stream.run()
    assert before == [(0, 1, ["low"]), (0, 2, ["low"]), (1, 3, []), (1, 4, [])]
    assert stream.written() == [*before, (2, 5, ["high"])]
    pins = stream.spark.read.json(str(stream.path / "out" / "_tables")).collect()
    assert {row.batch: row.version for row in pins} == {0: first.version, 1: first.version, 2: second.version}


def test_a_batch_that_failed_is_tried_again_by_the_same_version(stream: Stream) -> None:
    # A table like no other: one that a worker holds from before would do without its file.
    table = stream.subscribe(("low", f"price < 3 OR name = '{stream.path}'"))
    stream.send([1, 5])
    hidden = table.shard(0).rename(stream.path / "hidden")
    with pytest.raises(StreamingQueryException):
        stream.run()
    stream.subscribe(("high", "price >= 3"))
    hidden.rename(table.shard(0))
    stream.run()
    assert stream.written() == [(0, 1, ["low"]), (0, 5, [])]


def test_two_streams_do_not_write_over_each_other(stream: Stream) -> None:
    stream.subscribe(("low", "price < 3"))
    stream.send([1])
    stream.run()
    with pytest.raises(StreamingQueryException, match="give each stream a directory of its own"):
        stream.run(checkpoint="another")
    assert stream.written() == [(0, 1, ["low"])]


def test_what_is_wrong_shows_before_the_stream_starts(stream: Stream) -> None:
    stream.send([1])
    source = stream.spark.readStream.schema("id long, price long").parquet(str(stream.path / "in"))
    places = (stream.path / "tables", stream.path / "out", stream.path / "checkpoint")
    with pytest.raises(TableFileError, match="holds no compiled table"):
        stream_forward(source, *places, id_columns=["id"])
    stream.subscribe(("low", "price < 3"))
    with pytest.raises(SchemaError, match="'key': is not there"):
        stream_forward(source, *places, id_columns=["key"])
    with pytest.raises(ValueError, match="must be a streaming DataFrame"):
        stream_forward(stream.spark.range(1), *places, id_columns=["id"])
