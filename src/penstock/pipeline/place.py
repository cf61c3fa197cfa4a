"""The place of a row in its input, as a person gives it: the file and the line, or the row of a Parquet file.

Spark reads a file in blocks, in any order. A row carries three numbers: its file (a hash of the name), where
its block begins, and a count that rises by one from row to row of a block. Once all rows are there, the lines
before a block can be counted, and the numbers become a file and a line. No row may be left out before that.
Parquet files know the numbers of their rows, so there is nothing to count.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as f

from penstock.errors import LedgerError

__all__ = ["LINE", "NAME", "PLACE", "Places", "place_columns"]

FILE, BLOCK, ROW = PLACE = ("__file", "__block", "__row")
NAME, LINE = "__name", "__line"


def place_columns(*, numbered: bool) -> list[Column]:
    """The three columns, for a frame that reads files; `numbered` where these know their rows."""
    row = f.col("_metadata.row_index") if numbered else f.monotonically_increasing_id()
    block = f.lit(0).cast("long") if numbered else f.col("_metadata.file_block_start")
    return [f.xxhash64("_metadata.file_path").alias(FILE), block.alias(BLOCK), row.alias(ROW)]


@dataclass(frozen=True, slots=True)
class Places:
    """Which file and line the three numbers stand for."""

    blocks: tuple[
        tuple[int, int, str, int], ...
    ]  # file, block, the file's name, line of a row less its count

    @classmethod
    def numbered(cls, names: dict[int, str]) -> "Places":
        """Of files that know the numbers of their rows, from 0."""
        return cls(tuple((file, 0, name, 1) for file, name in names.items()))

    @classmethod
    def counted(cls, rows: DataFrame, names: dict[int, str]) -> "Places":
        """Count the rows in each block of a frame that holds them all."""
        counted = rows.groupBy(FILE, BLOCK).agg(
            f.min(ROW).alias("first"), f.max(ROW).alias("last"), f.count(f.lit(1)).alias("count")
        )
        return cls(tuple(_shifts(sorted(counted.collect()), names)))

    def on(self, rows: DataFrame) -> DataFrame:
        """The frame with two more columns, NAME and LINE."""
        schema = f"{FILE} long, {BLOCK} long, {NAME} string, __shift long"
        blocks = f.broadcast(rows.sparkSession.createDataFrame(list(self.blocks), schema))
        placed = rows.join(blocks, [FILE, BLOCK])
        return placed.withColumn(LINE, f.col(ROW) + f.col("__shift")).drop("__shift")


def _shifts(blocks: list[Row], names: dict[int, str]) -> Iterable[tuple[int, int, str, int]]:
    before: dict[int, int] = {}
    for file, block, first, last, count in blocks:
        if last - first + 1 != count:
            raise LedgerError([f"{names[file]}: rows between {first} and {last} are missing"])
        line = before.get(file, 0) + 1
        before[file] = before.get(file, 0) + count
        yield file, block, names[file], line - first
