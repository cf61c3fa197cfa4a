"""Subscriptions from files to a compiled table; what could not be used, with its place and the reason."""

from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from penstock.errors import InputError
from penstock.pipeline.csv import Dialect, columns_of, parse_lines
from penstock.pipeline.ledger import SubscriptionCounts
from penstock.pipeline.lines import TEXT, Census, count_lines, count_rows, is_blank, read_lines
from penstock.pipeline.messages import check_columns, read_parquet_files
from penstock.pipeline.place import LINE, NAME, PLACE, Places, place_columns
from penstock.pipeline.source import Source
from penstock.pipeline.store import read_parquet, write_parquet
from penstock.pipeline.subscription_line import PARSED, line_parser
from penstock.pipeline.types import FAULT
from penstock.spark import TableRef, compile_table
from penstock.table import Engine

__all__ = ["Compiled", "compile_subscriptions"]

NEEDED = ("interface", "filter")
PLACED = ", ".join(f"{name} long" for name in PLACE)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A table, the accounts of what went in, and the rows that did not: input, file, line, row, error."""

    table: TableRef
    counts: SubscriptionCounts
    rejections: DataFrame


def compile_subscriptions(
    spark: SparkSession,
    source: Source,
    table: Path,
    work: Path,
    *,
    shards: int = 1,
    engine: Engine = "access",
) -> Compiled:
    """Read, compile, and account for every row; `work` is a directory for what is read meanwhile."""
    census, rows, skipped = _read(spark, source, work)
    unnamed = f.when(f.col("interface") == "", "the interface is empty")
    rows = rows.withColumn(FAULT, f.coalesce(FAULT, unnamed))
    compiled = compile_table(rows.where(f.col(FAULT).isNull()), table, shards=shards, engine=engine)
    faults = rows.where(f.col(FAULT).isNotNull()).select("id", f.col(FAULT).alias("error"))
    errors = compiled.rejections(spark).select("id", "error").unionByName(faults)
    refused = compiled.rejected + faults.count()
    place = [f.col(NAME).alias("file"), f.col(LINE).alias("line")]
    row = f.make_valid_utf8(TEXT).alias("row")
    found = rows.join(f.broadcast(errors), "id")
    rejections = found.select(f.lit("subscriptions").alias("input"), *place, row, "error")
    return Compiled(
        compiled, SubscriptionCounts(census.total, compiled.subscriptions, refused, skipped), rejections
    )


def _read(spark: SparkSession, source: Source, work: Path) -> tuple[Census, DataFrame, int]:
    """The rows that are subscriptions, with their places and their ids, and how many others there are."""
    key = f.concat_ws(":", NAME, LINE)
    if source.format == "parquet":
        rows, census = _parquet(spark, source)
        return census, Places.numbered(census.names).on(rows).withColumn("id", key), 0
    lines, census = _lines(spark, source)
    write_parquet(lines, work / "rows")
    kept = read_parquet(spark, work / "rows")
    placed = Places.counted(kept, census.names).on(kept).withColumn("id", key)
    says_nothing = f.col(LINE) == 1 if source.format == "csv" else f.col(TEXT).startswith("#")
    nothing = says_nothing | is_blank()
    return census, placed.where(~nothing), placed.where(nothing).count()


def _lines(spark: SparkSession, source: Source) -> tuple[DataFrame, Census]:
    """Place, text, fault, interface and filter of every line."""
    census = count_lines(spark, source)
    lines = read_lines(spark, source)
    if source.format == "csv":
        columns = columns_of(source, census, Dialect())
        if columns:
            check_columns(source, NEEDED, columns)
        types = dict.fromkeys(columns or ["interface", "filter"], "string")
        parsed = parse_lines(lines, types, Dialect())
        return parsed.select(*PLACE, TEXT, FAULT, "interface", "filter"), census
    schema = f"{PLACED}, {TEXT} string, {PARSED}"
    return lines.mapInArrow(line_parser(source.format), schema), census


def _parquet(spark: SparkSession, source: Source) -> tuple[DataFrame, Census]:
    rows = read_parquet_files(spark, source)
    check_columns(source, NEEDED, rows.columns)
    for name in NEEDED:
        type_ = rows.schema[name].dataType
        allowed = (t.StringType, t.ByteType, t.ShortType, t.IntegerType, t.LongType)
        if not isinstance(type_, allowed[: 1 if name == "filter" else None]):
            raise InputError(
                source.path, None, f"the column {name} is of type {type_.simpleString()}, not string"
            )
    text = f.to_json(f.struct("*")).alias(TEXT)
    values = [f.col(name).cast("string").alias(name) for name in NEEDED]
    fault = f.lit(None).cast("string").alias(FAULT)
    return rows.select(*place_columns(numbered=True), text, fault, *values), count_rows(rows, source)
