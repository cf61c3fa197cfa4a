"""Which columns of a DataFrame are what: carried over, matched, or refused before a job starts.

Every column is an attribute, the id columns too; those are what is carried to the output besides. An id
column of a type that no attribute has is carried only.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from pyspark.sql import types as t

from penstock.errors import SchemaError

__all__ = ["check_attributes", "flat_names", "forwarded", "is_attribute", "position_of"]

RESULTS = ("interfaces", "error")
MAX_ATTRIBUTES = 4096
ATTRIBUTES = (
    t.StringType, t.ByteType, t.ShortType, t.IntegerType, t.LongType, t.FloatType, t.DoubleType,
    t.BooleanType, t.NullType,
)  # fmt: skip


def is_attribute(type_: t.DataType) -> bool:
    """Whether a column of this type can be matched."""
    if isinstance(type_, t.StructType):
        return all(is_attribute(field.dataType) for field in type_.fields)
    return isinstance(type_, ATTRIBUTES)


def flat_names(field: t.StructField, prefix: str = "") -> Iterator[str]:
    """The attributes in a column: its name, or the dotted names of what is in it."""
    name = prefix + field.name
    if isinstance(field.dataType, t.StructType):
        for inner in field.dataType.fields:
            yield from flat_names(inner, f"{name}.")
    else:
        yield name


def check_attributes(fields: Sequence[t.StructField]) -> None:
    """Refuse columns that cannot be messages together."""
    for field in fields:
        if not is_attribute(field.dataType):
            raise SchemaError(field.name, _advice(field.dataType))
    counts = Counter(name for field in fields for name in flat_names(field))
    for name, count in counts.items():
        if count > 1:
            raise SchemaError(name, "occurs twice once the names of structs are joined; rename or drop one")
    if len(counts) > MAX_ATTRIBUTES:
        name = list(counts)[MAX_ATTRIBUTES]
        raise SchemaError(name, f"a message has at most {MAX_ATTRIBUTES:,} attributes; drop columns")


def position_of(schema: t.StructType, name: str) -> int:
    """Where the column of exactly this name is."""
    found = [place for place, field in enumerate(schema.fields) if field.name == name]
    if not found:
        raise SchemaError(name, f"is not there; the columns are {', '.join(schema.names) or 'none'}")
    if len(found) > 1:
        raise SchemaError(name, "is there more than once; rename or drop one")
    return found[0]


def forwarded(schema: t.StructType, id_columns: Sequence[str], names: bool) -> t.StructType:
    """The columns of the answer."""
    if isinstance(id_columns, str):
        raise TypeError(f"id_columns must be a sequence of names, such as [{id_columns!r}]")
    for name, count in Counter(id_columns).items():
        if name in RESULTS:
            raise SchemaError(name, "is the name of a column of the result; rename it")
        if count > 1:
            raise SchemaError(name, "is among the id columns more than once")
    carried = [schema.fields[position_of(schema, name)] for name in id_columns]
    interface = t.StringType() if names else t.IntegerType()
    return t.StructType(
        [t.StructField(field.name, field.dataType) for field in carried]
        + [t.StructField("interfaces", t.ArrayType(interface, containsNull=False))]
        + [t.StructField("error", t.StringType())]
    )


def _advice(type_: t.DataType) -> str:
    if isinstance(type_, t.StructType):
        inner = next(field for field in type_.fields if not is_attribute(field.dataType))
        return f"its field {inner.name!r} {_advice(inner.dataType)}"
    named = f"is of type {type_.simpleString()}, which no attribute has"
    if isinstance(type_, t.DecimalType):
        return f"{named}; cast it to double, or to string"
    if isinstance(type_, (t.DateType, t.TimestampType, t.TimestampNTZType)):
        return f"{named}; cast it to string, or to long"
    if isinstance(type_, t.BinaryType):
        return f"{named}; cast it to string"
    if isinstance(type_, t.ArrayType):
        return (
            f"{named}: several values for one attribute are not supported yet; drop it, or take one element"
        )
    if isinstance(type_, t.MapType):
        return f"{named}; make its entries columns, or drop it"
    return f"{named}; cast it to string, or drop it"
