"""Rows between stages: one schema for all that a stage has to say, and Arrow data on its way in and out.

A stage says which messages go on, and to which router; which host gets which message; how many messages each
link has carried; and which rows are no messages. Behind the columns for these come those of the message.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from penstock.spark.network.hold import Ints

__all__ = [
    "DELIVERY",
    "ONWARD",
    "OUTPUT",
    "REFUSED",
    "TRAFFIC",
    "WAY",
    "Chunk",
    "chunks",
    "gather",
    "output",
]

ONWARD, DELIVERY, TRAFFIC, REFUSED = range(4)
# Where the message is, by place; its source, by number; and a number that tells messages at one router apart,
# so that they can be shared out.
WAY = {"at": "int", "origin": "int", "salt": "int"}
OUTPUT = {"kind": "tinyint", **WAY, "start": "bigint", "end": "bigint", "count": "bigint", "text": "string"}
TYPES: Final[dict[str, "pa.DataType"]] = {
    "int": pa.int32(), "tinyint": pa.int8(), "bigint": pa.int64(), "string": pa.string(),
}  # fmt: skip

ROWS: Final = 1 << 17  # that are looked at together: many, so that each router has many of them
BYTES: Final = 1 << 26  # of their messages


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Messages that are looked at together."""

    at: Ints
    origin: Ints
    salt: Ints
    message: pa.RecordBatch  # the columns of the messages, without names

    @property
    def step(self) -> int:
        """How many messages of this size may be copied at once."""
        return max(1, min(ROWS, BYTES * self.message.num_rows // max(self.message.nbytes, 1)))


def chunks(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in fewer and larger batches."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        if not batch.num_rows:
            continue
        waiting.append(batch)
        if sum(map(len, waiting)) >= ROWS or sum(each.nbytes for each in waiting) >= BYTES:
            yield _joined(waiting)
            waiting = []
    if waiting:
        yield _joined(waiting)


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    if len(batches) == 1:
        return batches[0]
    return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]


def gather(batch: pa.RecordBatch) -> Chunk:
    """Messages on their way, as the stage before has left them."""
    at, origin, salt = (np.asarray(batch.column(place)) for place in range(len(WAY)))
    return Chunk(at, origin, salt, unnamed(batch.columns[len(WAY) :], len(batch)))


def unnamed(columns: Sequence[Any], rows: int) -> pa.RecordBatch:
    """Columns by number; where there are none, there is one that says nothing, and counts the rows."""
    held = list(columns) or [pa.nulls(rows)]
    return pa.RecordBatch.from_arrays(held, [str(number) for number in range(len(held))])


def output(kind: int, rows: int, values: dict[str, Any], message: Sequence[Any]) -> pa.RecordBatch:
    """Rows of one kind; what is not given is null."""
    columns: dict[str, Any] = {name: _nothing(rows, TYPES[type_]) for name, type_ in OUTPUT.items()}
    columns["kind"] = pa.array(np.full(rows, kind, np.int8))
    for name, column in values.items():
        columns[name] = pa.array(column, TYPES[OUTPUT[name]])
    every = [*columns.values(), *message]
    return pa.RecordBatch.from_arrays(every, [str(number) for number in range(len(every))])


def _nothing(rows: int, type_: Any) -> Any:
    return pa.nulls(rows, type_)
