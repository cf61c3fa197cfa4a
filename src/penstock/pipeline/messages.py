"""Messages as a frame to forward: Parquet columns as they are, JSON lines as texts, CSV as typed columns.

A frame holds every row of the input, the unreadable ones too, with its place; sorting out comes afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from penstock.errors import InputError
from penstock.pipeline.csv import Dialect, columns_of, dialect_of, infer_types, parse_lines
from penstock.pipeline.kind import KIND
from penstock.pipeline.lines import TEXT, Census, count_lines, count_rows, read_lines
from penstock.pipeline.place import LINE, NAME, PLACE, place_columns
from penstock.pipeline.source import Source
from penstock.pipeline.types import FAULT, convert, misfit

__all__ = [
    "Intake",
    "Reading",
    "check_columns",
    "conversions",
    "id_from_json",
    "quoted",
    "read_messages",
    "read_parquet_files",
]

TAKEN = {"interface", "interfaces", "error"}
RESERVED = {*PLACE, NAME, LINE, TEXT, FAULT, KIND}


@dataclass(frozen=True, slots=True)
class Reading:
    """How messages are to be read."""

    ids: Sequence[str] = ()  #: attributes that name a message in the output
    types: Mapping[str, str] = field(default_factory=dict)  #: of columns, where they are not to be inferred
    dialect: Dialect = field(default_factory=Dialect)


@dataclass(frozen=True, slots=True)
class Intake:
    """All rows of an input, and what is known of them before they are read."""

    source: Source
    frame: DataFrame
    census: Census
    ids: tuple[str, ...]
    types: Mapping[str, str]  #: of the columns, where the input has no types of its own

    @property
    def json(self) -> str | None:
        """The column of JSON texts, if the messages are JSON."""
        return TEXT if self.source.format == "jsonl" else None

    @property
    def numbered(self) -> bool:
        """Whether the files know the numbers of their rows."""
        return self.source.format == "parquet"

    @property
    def has_header(self) -> bool:
        """Whether the first line of a file is no message."""
        return self.source.format in ("csv", "tsv")

    @property
    def carried(self) -> list[str]:
        """The columns that must come out of forwarding again."""
        return [*PLACE, *self.ids, *(name for name in (TEXT, FAULT) if name in self.frame.columns)]


def read_messages(spark: SparkSession, source: Source, reading: Reading) -> Intake:
    """Look at the input, count its rows, and say how it will be read."""
    if clash := TAKEN & set(reading.ids):
        raise InputError(
            source.path, None, f"{min(clash)!r} cannot name a message: the output has such a column"
        )
    if source.format == "parquet":
        return _parquet(spark, source, reading)
    if source.format == "jsonl":
        return _json(spark, source, reading)
    if source.format in ("csv", "tsv"):
        return _csv(spark, source, reading)
    raise InputError(source.path, None, "holds filters, not messages")


def _parquet(spark: SparkSession, source: Source, reading: Reading) -> Intake:
    rows = read_parquet_files(spark, source)
    if taken := RESERVED & set(rows.columns):
        raise InputError(source.path, None, f"the column name {min(taken)} is reserved; rename it")
    check_columns(source, [*reading.ids, *reading.types], rows.columns)
    said = {**conversions(rows.schema, reading.ids), **reading.types}
    values = {name: f.col(quoted(name)) for name in rows.columns}
    typed = [convert(each, said[name]).alias(name) if name in said else each for name, each in values.items()]
    fault = [misfit(values, said).alias(FAULT)] if said else []
    frame = rows.select(*place_columns(numbered=True), *fault, *typed)
    return Intake(source, frame, count_rows(rows, source), tuple(reading.ids), said)


def read_parquet_files(spark: SparkSession, source: Source) -> DataFrame:
    """Files that may differ in their columns; directories called name=value are one more."""
    reader = spark.read.option("mergeSchema", "true")
    if source.root is not None:
        reader = reader.option("basePath", source.root)
    return reader.parquet(*source.files)


def _json(spark: SparkSession, source: Source, reading: Reading) -> Intake:
    if reading.types:
        raise InputError(source.path, None, "is JSON, where each value has its type; --type is for columns")
    if taken := RESERVED & set(reading.ids):
        raise InputError(source.path, None, f"the name {min(taken)} is reserved")
    ids = [id_from_json(TEXT, name) for name in reading.ids]
    frame = read_lines(spark, source).select(*PLACE, TEXT, *ids)
    return Intake(source, frame, count_lines(spark, source), tuple(reading.ids), {})


def _csv(spark: SparkSession, source: Source, reading: Reading) -> Intake:
    dialect = dialect_of(source, reading.dialect)
    census = count_lines(spark, source)
    columns = columns_of(source, census, dialect)
    if taken := RESERVED & set(columns):
        raise InputError(source.path, 1, f"the column name {min(taken)} is reserved; rename it")
    check_columns(source, reading.ids, columns)
    types = infer_types(spark, source, columns, dialect, reading.types) if columns else {}
    frame = parse_lines(read_lines(spark, source), types, dialect)
    return Intake(source, frame, census, tuple(reading.ids), types)


def conversions(schema: t.StructType, ids: Sequence[str]) -> dict[str, str]:
    """Columns of types that no attribute has, but that are easily given one; ids stay as they are."""
    times = (t.DateType, t.TimestampType, t.TimestampNTZType)
    found = {field.name: field.dataType for field in schema.fields if field.name not in ids}
    as_text = {name: "string" for name, type_ in found.items() if isinstance(type_, times)}
    return as_text | {name: "float" for name, type_ in found.items() if isinstance(type_, t.DecimalType)}


def check_columns(source: Source, names: Sequence[str], columns: Sequence[str]) -> None:
    """See that columns which were named are there."""
    for name in names:
        if name not in columns:
            known = ", ".join(columns) or "none"
            raise InputError(source.path, None, f"has no column {name!r}; it has {known}")


def id_from_json(column: str, name: str) -> Column:
    """An attribute of JSON texts, as text; a dotted name is a way through nested objects."""
    path = "$" + "".join(f"['{part}']" for part in name.split("."))
    return f.get_json_object(column, path).alias(name)


def quoted(name: str) -> str:
    """A column's name where Spark would take dots for a way into it."""
    return "`" + name.replace("`", "``") + "`"
