"""Parquet files read inside a worker, by row groups: what the JVM does not touch, it need not hand over."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

__all__ = ["Share", "ahead", "read", "read_footer"]

Item = TypeVar("Item")
# How Spark calls the file systems that Arrow knows by other names.
SCHEMES = {"s3a:": "s3:", "s3n:": "s3:", "dbfs:/": "file:///dbfs/"}


@dataclass(frozen=True, slots=True)
class Share:
    """A row group of a file, and the values of the columns that the file itself does not hold."""

    uri: str
    row_group: int
    constants: Mapping[str, object]


def read_footer(uri: str) -> tuple[list[str], list[int]]:
    """The columns of a file, and the rows in each of its row groups."""
    with _opened(uri) as file:
        groups = [file.metadata.row_group(place).num_rows for place in range(file.num_row_groups)]
        return file.schema_arrow.names, groups


def read(share: Share, schema: pa.Schema, batch_rows: int) -> Iterator[pa.RecordBatch]:
    """The columns of the schema, in its order and of its types; but strings may stay in their dictionary."""
    held = [name for name in schema.names if name not in share.constants]
    strings = [name for name in held if pa.types.is_string(schema.field(name).type)]
    with _opened(share.uri, strings) as file:
        groups = [share.row_group]
        for batch in file.iter_batches(batch_rows, row_groups=groups, columns=held, use_threads=False):
            arrays = [
                _constant(share.constants[field.name], field.type, len(batch))
                if field.name in share.constants
                else _of_type(batch.column(field.name), field.type)
                for field in schema
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema.names)


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items, each fetched while the one before is at work."""
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = reader.submit(next, items, None)
            yield item


def _opened(uri: str, strings: Sequence[str] = ()) -> pq.ParquetFile:
    for scheme, known in SCHEMES.items():
        if uri.startswith(scheme):
            uri = known + uri.removeprefix(scheme)
    # Spark leaves letters of other alphabets as they are, which Arrow does not take for a URI.
    system, path = fs.FileSystem.from_uri(quote(uri, safe="%" + string.punctuation))
    is_local = isinstance(system, fs.LocalFileSystem)
    return pq.ParquetFile(path, filesystem=system, memory_map=is_local, read_dictionary=list(strings))


def _of_type(column: Any, type_: pa.DataType) -> Any:
    type_read = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    return column if type_read == type_ else column.cast(type_)


def _constant(value: object, type_: pa.DataType, rows: int) -> Any:
    scalar: Any = pa.scalar(value, type_)
    return pa.repeat(scalar, rows)
