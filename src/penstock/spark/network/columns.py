"""Which columns of a DataFrame are the message, decided before a job starts, and how workers read them."""

from collections.abc import Sequence

from pyspark.sql import types as t

from penstock.errors import NetworkError, SchemaError
from penstock.spark.network.edge import APPLICATIONS, INTEGER
from penstock.spark.network.enter import Entrance
from penstock.spark.network.enter_ids import FromColumn, FromFilters, FromMessages, IdEntrance
from penstock.spark.network.reference import NetworkRef
from penstock.spark.plan import matched
from penstock.spark.schema import position_of

__all__ = ["INTEGERS", "asked_columns", "entrance"]

INTEGERS = (t.ByteType, t.ShortType, t.IntegerType, t.LongType)


def asked_columns(
    schema: t.StructType,
    network: NetworkRef,
    id_columns: Sequence[str],
    *,
    json: str | None,
    header: str | None,
) -> list[int]:
    """The positions of the columns that messages are made of; refuses what could not be read."""
    if header is not None:
        return [_header(schema, network, header, json)]
    if network.application is None:
        raise NetworkError(
            "workers do not know the application of this network: give the ids that want each message, a "
            "column of lists (header=…)"
        )
    kind = APPLICATIONS.get(network.application)
    if kind is None:
        # What is always null is absent in each router, and need not go there.
        places = matched(schema, network.names, id_columns, json)
        return [place for place in places if not isinstance(schema.fields[place].dataType, t.NullType)]
    if json is not None:
        columns = " and ".join(kind.columns)
        raise SchemaError(
            json, f"is no message of {network.application}: make columns of it (from_json): {columns}"
        )
    for name, type_ in kind.columns.items():
        found = schema.fields[position_of(schema, name)].dataType
        if not (isinstance(found, INTEGERS) if type_ == INTEGER else _is_list(found, (t.StringType,))):
            raise SchemaError(
                name, f"is of type {found.simpleString()}; messages of {network.application} have {type_}"
            )
    return [position_of(schema, name) for name in kind.columns]


def _header(schema: t.StructType, network: NetworkRef, header: str, json: str | None) -> int:
    if not network.by_ids:
        raise NetworkError("this network forwards by full filters: its messages have no headers")
    if json is not None:
        raise ValueError("give messages or their headers, not both: json or header")
    place = position_of(schema, header)
    if not _is_list(type_ := schema.fields[place].dataType, INTEGERS):
        raise SchemaError(header, f"is of type {type_.simpleString()}; headers are lists of integers")
    return place


def _is_list(type_: t.DataType, of: tuple[type[t.DataType], ...]) -> bool:
    return isinstance(type_, t.ArrayType) and isinstance(type_.elementType, of)


def entrance(
    network: NetworkRef,
    attributes: tuple[tuple[int, str], ...],
    carried: int,
    *,
    json: str | None,
    header: str | None,
) -> Entrance | IdEntrance:
    """How workers read messages from columns in these places."""
    plain = Entrance(attributes, json)
    if not network.by_ids:
        return plain
    places = tuple(place for place, _ in attributes)
    if header is not None:
        return IdEntrance(network, FromColumn(places[0]), carried)
    known = network.application in APPLICATIONS
    return IdEntrance(network, FromMessages(places) if known else FromFilters(plain), carried)
