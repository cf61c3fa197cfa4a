"""Messages as typed Arrow columns: one for each name that occurs, with nulls where a message lacks it."""

import pyarrow as pa

from common import Message

__all__ = ["to_columns"]


def to_columns(sent: list[Message]) -> pa.RecordBatch:
    """A name must carry strings only or ints only."""
    kinds: dict[str, pa.DataType] = {}
    for message in sent:
        for name, value in message.items():
            kinds.setdefault(name, pa.string() if isinstance(value, str) else pa.int64())
    return pa.RecordBatch.from_pylist(sent, schema=pa.schema(list(kinds.items())))
