"""CSV as typed columns: the first line names them, and a line that does not fit them has a fault.

Types are those of the filter language; what is not said is inferred from the values. Nothing is guessed on a
line: a value that is not of its column's type, too few or too many values, a quote that is not closed are
faults, and the line is rejected in so many words.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from penstock.errors import InputError
from penstock.pipeline.lines import TEXT, Census
from penstock.pipeline.place import PLACE
from penstock.pipeline.source import Source
from penstock.pipeline.types import FAULT, convert, misfit

__all__ = ["Dialect", "columns_of", "dialect_of", "infer_types", "parse_lines"]

INFERRED = {
    t.IntegerType: "int",
    t.LongType: "int",
    t.DecimalType: "int",
    t.DoubleType: "float",
    t.BooleanType: "bool",
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How values are separated, and what stands for one that is missing, besides nothing at all."""

    separator: str = ","
    null: str = ""

    @property
    def options(self) -> dict[str, str]:
        """For Spark: quotes are doubled inside quotes, as everywhere but in Spark."""
        return {"sep": self.separator, "nullValue": self.null, "escape": '"', "mode": "PERMISSIVE"}


def dialect_of(source: Source, said: Dialect) -> Dialect:
    """The one that was said; files called .tsv have tabs."""
    return Dialect("\t", said.null) if source.format == "tsv" else said


def columns_of(source: Source, census: Census, dialect: Dialect) -> list[str]:
    """The names in the first line, which all files must share."""
    headers = {text: file for file, text in sorted(census.first_lines.items(), reverse=True)}
    rows = {tuple(_split(text, dialect)): file for text, file in headers.items()}
    if len(rows) > 1:
        first, second = (census.names[file] for file in list(rows.values())[:2])
        raise InputError(
            source.path, None, f"{first} and {second} begin with different columns; read them apart"
        )
    names = list(next(iter(rows), ()))
    for place, name in enumerate(names, 1):
        if not name:
            raise InputError(source.path, 1, f"column {place} has no name")
        if names.count(name) > 1:
            raise InputError(source.path, 1, f"two columns are named {name!r}")
    return names


def infer_types(
    spark: SparkSession, source: Source, columns: list[str], dialect: Dialect, said: Mapping[str, str]
) -> dict[str, str]:
    """The type of each column: the one that was said, or one that all of its values have."""
    for name in said:
        if name not in columns:
            raise InputError(source.path, 1, f"has no column {name!r}; it has {', '.join(columns)}")
    if set(said) == set(columns):
        return dict(said)
    reader = spark.read.options(header=True, inferSchema=True, **dialect.options)
    found = reader.csv(list(source.files)).schema.fields
    inferred = [INFERRED.get(type(field.dataType), "string") for field in found]
    return dict(zip(columns, inferred, strict=True)) | dict(said)


def parse_lines(lines: DataFrame, types: Mapping[str, str], dialect: Dialect) -> DataFrame:
    """The lines with their typed columns, and what is wrong with a line, or null."""
    fields = [f"`{name.replace('`', '``')}` STRING" for name in types]
    schema = ", ".join([*fields, "__whole STRING"])
    text = f.rtrim(TEXT, f.lit("\r"))
    read = f.from_csv(text, schema, {**dialect.options, "columnNameOfCorruptRecord": "__whole"})
    split = lines.withColumn("__csv", read)
    values = {name: f.col("__csv").getField(name) for name in types}
    typed = [convert(values[name], type_).alias(name) for name, type_ in types.items()]
    return split.select(*PLACE, TEXT, _fault(values, types).alias(FAULT), *typed)


def _fault(values: Mapping[str, Column], types: Mapping[str, str]) -> Column:
    """The first thing that is wrong with a line."""
    quotes = f.length(TEXT) - f.length(f.replace(f.col(TEXT), f.lit('"'), f.lit("")))
    count = f"{len(types)} value{'' if len(types) == 1 else 's'}"
    unclosed = "a quote is not closed on its line; values with line breaks cannot be read"
    torn = f.col("__csv").getField("__whole").isNotNull()
    return f.coalesce(
        f.when(quotes % 2 == 1, f.lit(unclosed)),
        f.when(torn, f.lit(f"expected {count}, as the first line has")),
        misfit(values, types),
    )


def _split(line: str, dialect: Dialect) -> list[str]:
    text = line.removeprefix("\ufeff").rstrip("\r")
    return next(csv.reader([text], delimiter=dialect.separator), [])
