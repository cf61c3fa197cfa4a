"""Values as the types of the filter language, and what is wrong with those that are not of their type."""

from collections.abc import Mapping

from pyspark.sql import Column
from pyspark.sql import functions as f

__all__ = ["FAULT", "TYPES", "convert", "misfit"]

FAULT = "__fault"
TYPES = {"string": "string", "int": "bigint", "float": "double", "bool": "boolean"}
ARTICLES = {"string": "a string", "int": "an int", "float": "a float", "bool": "a bool"}


def convert(value: Column, type_: str) -> Column:
    """The value in its type; null where it does not have it."""
    return value.try_cast(TYPES[type_])


def misfit(values: Mapping[str, Column], types: Mapping[str, str]) -> Column:
    """The first value that is there and not of its type, in words; null when all are."""
    faults = [f.lit(None).cast("string")]
    for name, type_ in types.items():
        if type_ != "string":  # which everything is
            wrong = values[name].isNotNull() & convert(values[name], type_).isNull()
            text = values[name].cast("string")
            faults.append(f.when(wrong, _sentence(name, text, ARTICLES[type_])))
    return f.coalesce(*faults)


def _sentence(name: str, value: Column, wanted: str) -> Column:
    return f.concat(f.lit(f"column {name!r}: '"), value, f.lit(f"' is not {wanted}"))
