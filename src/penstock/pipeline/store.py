"""Parquet on a file system that driver and workers share: written by Spark, counted without it."""

from pathlib import Path

import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from penstock.pipeline.source import spark_path

__all__ = ["count_parquet", "in_order", "read_parquet", "write_parquet"]


def write_parquet(frame: DataFrame, directory: Path) -> None:
    """Write a directory of files; it is complete when the call returns."""
    frame.write.parquet(f"file://{directory.absolute()}")  # and in no file system of a cluster's own


def read_parquet(spark: SparkSession, directory: Path) -> DataFrame:
    """What write_parquet wrote."""
    return spark.read.parquet(spark_path(directory.absolute()))


def in_order(rejections: DataFrame) -> DataFrame:
    """One file, as a reader would go through it; a sort over many would look at everything twice."""
    return rejections.coalesce(1).sortWithinPartitions("input", "file", "line")


def count_parquet(directory: Path) -> int:
    """The rows in its files, by the files' own account."""
    return sum(pq.read_metadata(file).num_rows for file in directory.glob("*.parquet"))
