"""Files that keep coming, as a stream of messages: JSON lines and CSV as texts, Parquet as columns.

What is carried to the output besides: the attributes that name a message; of texts, the file's name and the
row; of columns, when none names it, all of them. A line of CSV becomes the JSON of its typed values, so that
none of the columns that are only carried can be taken for an attribute; one that does not fit has a `fault`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.streaming.readwriter import DataStreamReader

from penstock.errors import InputError
from penstock.pipeline.csv import columns_of, dialect_of, infer_types
from penstock.pipeline.lines import TEXT, count_lines
from penstock.pipeline.messages import (
    Reading,
    check_columns,
    conversions,
    id_from_json,
    quoted,
    read_parquet_files,
)
from penstock.pipeline.source import Source, pattern_of
from penstock.pipeline.types import convert, misfit

__all__ = ["Feed", "read_feed"]

JSON = "__json"
FILE, ROW, FAULT = "file", "row", "fault"


@dataclass(frozen=True, slots=True)
class Feed:
    """A stream of messages, what is carried to the output, and the column of JSON texts, if they are JSON."""

    frame: DataFrame
    carried: Sequence[str]
    json: str | None = None


def read_feed(spark: SparkSession, source: Source, reading: Reading, files: int | None) -> Feed:
    """A stream of the files in a directory, at most so many in a batch."""
    reader = spark.readStream.option("pathGlobFilter", pattern_of(source.format))
    if files is not None:
        reader = reader.option("maxFilesPerTrigger", files)
    if source.format == "parquet":
        return _parquet(spark, reader, source, reading)
    reader = reader.option("recursiveFileLookup", "true")
    if clash := {FILE, ROW, FAULT} & set(reading.ids):
        raise InputError(
            source.path, None, f"{min(clash)!r} cannot name a message: the output has such a column"
        )
    return (
        _json(reader, source, reading) if source.format == "jsonl" else _csv(spark, reader, source, reading)
    )


def _json(reader: DataStreamReader, source: Source, reading: Reading) -> Feed:
    if reading.types:
        raise InputError(source.path, None, "is JSON, where each value has its type; --type is for CSV")
    lines = reader.option("lineSep", "\n").text(_root(source))
    ids = [id_from_json("value", name) for name in reading.ids]
    file, row = f.col("_metadata.file_name").alias(FILE), f.make_valid_utf8("value").alias(ROW)
    return Feed(lines.select(*ids, file, row, f.col("value").alias(JSON)), [*reading.ids, FILE, ROW], JSON)


def _parquet(spark: SparkSession, reader: DataStreamReader, source: Source, reading: Reading) -> Feed:
    if reading.types:
        raise InputError(source.path, None, "is Parquet, whose columns have their types; --type is for CSV")
    _need_files(source)
    schema = read_parquet_files(spark, source).schema
    check_columns(source, reading.ids, schema.names)
    said = conversions(schema, reading.ids)
    values = {name: f.col(quoted(name)) for name in schema.names}
    typed = [convert(each, said[name]).alias(name) if name in said else each for name, each in values.items()]
    return Feed(
        reader.schema(schema).parquet(_root(source)).select(*typed), list(reading.ids) or schema.names
    )


def _csv(spark: SparkSession, reader: DataStreamReader, source: Source, reading: Reading) -> Feed:
    _need_files(source)
    dialect = dialect_of(source, reading.dialect)
    columns = columns_of(source, count_lines(spark, source), dialect)
    check_columns(source, reading.ids, columns)
    types = infer_types(spark, source, columns, dialect, reading.types)
    schema = ", ".join([*(f"{quoted(name)} STRING" for name in columns), f"{TEXT} STRING"])
    # Told not to trust the schema, Spark compares it with the names in the first line of every file.
    options = {
        **dialect.options,
        "header": "true",
        "enforceSchema": "false",
        "columnNameOfCorruptRecord": TEXT,
    }
    lines = reader.schema(schema).options(**options).csv(_root(source))
    values = {name: f.col(quoted(name)) for name in columns}
    typed = {name: convert(values[name], type_).alias(name) for name, type_ in types.items()}
    torn = f.when(f.col(TEXT).isNotNull(), f"expected {len(columns)} values, as the first line has")
    fault = f.coalesce(torn, misfit(values, types))
    row = f.coalesce(TEXT, f.to_json(f.struct(*values.values()))).alias(ROW)
    file = f.col("_metadata.file_name").alias(FILE)
    json = f.when(fault.isNull(), f.to_json(f.struct(*typed.values()))).alias(JSON)
    ids = [typed[name] for name in reading.ids]
    return Feed(
        lines.select(*ids, file, row, fault.alias(FAULT), json), [*reading.ids, FILE, ROW, FAULT], JSON
    )


def _need_files(source: Source) -> None:
    if not source.files:
        raise InputError(
            source.path, None, f"the columns of {source.format} are read from a file; put one there"
        )


def _root(source: Source) -> str:
    assert source.root is not None, "a stream is a directory"
    return source.root
