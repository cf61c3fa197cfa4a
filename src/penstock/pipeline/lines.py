"""Text files as rows: one line each, with its place; and who counts them a second time.

Lines end with a line feed. A carriage return before it is left to the readers, since it is white space to all
of them; a byte order mark is taken away by Spark.
"""

from dataclasses import dataclass, field

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from penstock.pipeline.place import place_columns
from penstock.pipeline.source import Source

__all__ = ["TEXT", "Census", "count_lines", "count_rows", "is_blank", "read_lines"]

TEXT = "__text"


@dataclass(frozen=True, slots=True)
class Census:
    """How many rows each file has, counted by themselves; files go by the hashes of their names."""

    rows: dict[int, int]
    names: dict[int, str]
    first_lines: dict[int, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Rows in all files."""
        return sum(self.rows.values())


def read_lines(spark: SparkSession, source: Source) -> DataFrame:
    """The place and the text of every line."""
    return _text(spark, source).select(*place_columns(numbered=False), f.col("value").alias(TEXT))


def is_blank() -> Column:
    """Whether there is nothing on a line."""
    return f.trim(TEXT, f.lit(" \t\r")) == ""


def count_lines(spark: SparkSession, source: Source) -> Census:
    """A pass over text files that does nothing but count, and look at how they begin."""
    path, block = f.col("_metadata.file_path"), f.col("_metadata.file_block_start")
    lines = _text(spark, source).select(path, block, f.monotonically_increasing_id().alias("row"), "value")
    first = f.min_by("value", f.struct("file_block_start", "row")).alias("first")
    rows = lines.groupBy("file_path").agg(f.count(f.lit(1)).alias("count"), first)
    counted = rows.withColumn("hash", f.xxhash64("file_path")).collect()
    return Census(
        {row["hash"]: row["count"] for row in counted},
        {row["hash"]: source.show(row["file_path"]) for row in counted},
        {row["hash"]: row["first"] for row in counted},
    )


def count_rows(frame: DataFrame, source: Source) -> Census:
    """The same for files that know their rows."""
    counted = (
        frame.groupBy("_metadata.file_path").count().withColumn("hash", f.xxhash64("file_path")).collect()
    )
    return Census(
        {row["hash"]: row["count"] for row in counted},
        {row["hash"]: source.show(row["file_path"]) for row in counted},
    )


def _text(spark: SparkSession, source: Source) -> DataFrame:
    reader = spark.read.option("lineSep", "\n").option("recursiveFileLookup", "true")
    return reader.text(list(source.files))
