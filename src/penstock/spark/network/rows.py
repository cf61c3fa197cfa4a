"""Rows between stages: one schema for all that a stage has to say, and Arrow data on its way in and out.

A stage says which messages go on, and to which router; which host gets which message; how many messages each
link has carried; and which rows are no messages. Behind the columns for these come those of the message.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from penstock.spark.network.header import Headers
from penstock.spark.network.hold import Ints

__all__ = [
    "BY_IDS",
    "DELIVERY",
    "ONWARD",
    "OUTPUT",
    "REFUSED",
    "TRAFFIC",
    "WAY",
    "Chunk",
    "Way",
    "chunks",
    "gather",
    "output",
]

ONWARD, DELIVERY, TRAFFIC, REFUSED = range(4)
# Where the message is, by place; its source, by number; and a number that tells messages at one router apart,
# so that they can be shared out.
WAY = {"at": "int", "origin": "int", "salt": "int"}
OUTPUT = {"kind": "tinyint", **WAY, "start": "bigint", "end": "bigint", "count": "bigint", "text": "string"}
# Where messages are forwarded by ids: the header, and on links the ids in all headers.
BY_IDS = {**OUTPUT, "header": "binary", "ids": "bigint"}
TYPES: Final[dict[str, "pa.DataType"]] = {
    "int": pa.int32(), "tinyint": pa.int8(), "bigint": pa.int64(), "string": pa.string(),
    "binary": pa.binary(),
}  # fmt: skip

ROWS: Final = 1 << 17  # that are looked at together: many, so that each router has many of them
BYTES: Final = 1 << 26  # of their messages
ID_BYTES: Final = 9  # of an id in a header, at most
NO_ROWS: Final = np.zeros(0, np.int32)


class Way(NamedTuple):
    """Rows of a chunk, where they are or go, and the numbers of their headers where they have any."""

    rows: Ints
    at: Ints
    header: Ints | None

    @classmethod
    def joined(cls, ways: "list[Way]") -> "Way":
        """The same rows in one piece."""
        if not ways:
            return cls(NO_ROWS, NO_ROWS, None)
        rows, at = (np.concatenate([way[place] for way in ways]) for place in (0, 1))
        headers = [way.header for way in ways if way.header is not None]
        return cls(rows, at, np.concatenate(headers) if headers else None)

    def take(self, which: Any) -> "Way":
        """Some of the rows, by place or by mask."""
        return Way(self.rows[which], self.at[which], None if self.header is None else self.header[which])

    def parts(self, step: int) -> "Iterator[Way]":
        """The same rows in pieces."""
        for start in range(0, len(self.rows), step):
            yield self.take(slice(start, start + step))


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Messages that are looked at together."""

    at: Ints
    origin: Ints
    salt: Ints
    message: pa.RecordBatch  # the columns of the messages, without names
    headers: Headers | None = None  # where messages are forwarded by ids, and the number of each
    header: Ints | None = None

    @property
    def step(self) -> int:
        """How many messages of this size may be copied at once."""
        return max(1, min(ROWS, BYTES * self.message.num_rows // max(self.message.nbytes, 1)))

    def step_of(self, way: Way) -> int:
        """How many messages may be copied at once, with their headers."""
        if self.headers is None or way.header is None:
            return self.step
        ids = int(self.headers.sizes(way.header).sum())
        return max(1, min(self.step, BYTES * len(way.rows) // max(ID_BYTES * ids, 1)))

    def unite(self, way: Way, routers: int) -> Way:
        """Each row once for each router that it goes to, with all that its headers say."""
        keys = way.rows.astype(np.int64) * routers + way.at
        if self.headers is None or way.header is None:
            rows, at = np.divmod(np.unique(keys), routers)
            return Way(rows, at, None)
        keys, header = self.headers.unite(keys, way.header)
        rows, at = np.divmod(keys, routers)
        return Way(rows, at, header)


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


def gather(batch: pa.RecordBatch, *, by_ids: bool) -> Chunk:
    """Messages on their way, as the stage before has left them; a header comes before the message."""
    at, origin, salt = (np.asarray(batch.column(place)) for place in range(len(WAY)))
    message = unnamed(batch.columns[len(WAY) + by_ids :], len(batch))
    if not by_ids:
        return Chunk(at, origin, salt, message)
    return Chunk(at, origin, salt, message, *Headers.read(batch.column(len(WAY))))


def unnamed(columns: Sequence[Any], rows: int) -> pa.RecordBatch:
    """Columns by number; where there are none, there is one that says nothing, and counts the rows."""
    held = list(columns) or [pa.nulls(rows)]
    return pa.RecordBatch.from_arrays(held, [str(number) for number in range(len(held))])


def output(
    kind: int, rows: int, values: dict[str, Any], message: Sequence[Any], *, by_ids: bool
) -> pa.RecordBatch:
    """Rows of one kind; what is not given is null."""
    types = BY_IDS if by_ids else OUTPUT
    columns: dict[str, Any] = {name: _nothing(rows, TYPES[type_]) for name, type_ in types.items()}
    columns["kind"] = pa.array(np.full(rows, kind, np.int8))
    for name, column in values.items():
        columns[name] = pa.array(column, TYPES[types[name]])
    every = [*columns.values(), *message]
    return pa.RecordBatch.from_arrays(every, [str(number) for number in range(len(every))])


def _nothing(rows: int, type_: Any) -> Any:
    return pa.nulls(rows, type_)
