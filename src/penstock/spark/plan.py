"""What a worker has to do with which columns, decided before a job starts.

Only columns that can make a difference are sent: those that are carried over, and those that a filter of the
table asks for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import types as t

from penstock.errors import SchemaError
from penstock.spark.reference import TableRef
from penstock.spark.schema import check_attributes, flat_names, forwarded, is_attribute, position_of
from penstock.spark.worker import Forwarding

__all__ = ["Plan", "matched", "plan"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The columns to send, by position, what is done with them, and the columns that come back."""

    columns: tuple[int, ...]
    forwarding: Forwarding
    result: t.StructType


def plan(
    schema: t.StructType, table: TableRef, id_columns: Sequence[str], json: str | None, names: bool
) -> Plan:
    """Plan for messages of this schema; refuses what could not be matched."""
    result = forwarded(schema, id_columns, names)
    carried = [position_of(schema, name) for name in id_columns]
    asked = matched(schema, table.names, id_columns, json)
    columns = list(dict.fromkeys(carried + asked))
    attributes = [(columns.index(place), schema.fields[place].name) for place in asked]
    forwarding = Forwarding(table, tuple(map(columns.index, carried)), tuple(attributes), json, names)
    return Plan(tuple(columns), forwarding, result)


def matched(
    schema: t.StructType, names: Sequence[str], id_columns: Sequence[str], json: str | None
) -> list[int]:
    """The columns to be matched: the one of JSON texts, or all with a name that filters ask for."""
    return _attributes(schema, id_columns, names) if json is None else [_texts(schema, json)]


def _attributes(schema: t.StructType, id_columns: Sequence[str], names: Sequence[str]) -> list[int]:
    """The columns that filters ask for."""
    fields = [
        (place, field)
        for place, field in enumerate(schema.fields)
        if is_attribute(field.dataType) or field.name not in id_columns
    ]
    check_attributes([field for _, field in fields])
    asked = set(names)
    return [place for place, field in fields if not asked.isdisjoint(flat_names(field))]


def _texts(schema: t.StructType, name: str) -> int:
    """The column of JSON texts, or the one in which they are, when the name is dotted."""
    first, *rest = [name] if name in schema.names else name.split(".")
    place = position_of(schema, first)
    type_: t.DataType = schema.fields[place].dataType
    for step in rest:
        if not isinstance(type_, t.StructType) or step not in type_.names:
            raise SchemaError(name, f"is not there: no {step!r} in it")
        type_ = type_[step].dataType
    if not isinstance(type_, (t.StringType, t.BinaryType)):
        raise SchemaError(name, f"is of type {type_.simpleString()}; JSON texts are string or binary")
    return place
