"""What runs in a Python worker: tables that the process holds, and batches of messages that go through them.

A table is mapped once per process and kept under its version, which names its content; so tasks that follow
in the same process find it there, and processes on one machine share its pages.
"""

from __future__ import annotations

import platform
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from penstock.errors import MessageError, TableFileError
from penstock.spark.merge import merge, widen
from penstock.table import ForwardingTable

if TYPE_CHECKING:
    from penstock.spark.reference import TableRef

__all__ = ["Forwarding", "as_messages", "refusals", "shard_table"]

# Of a table that changes while a stream runs, two are in use at a time: the one of a batch that is tried
# again, and the current one.
HELD_VERSIONS = 2
# Interfaces in one batch of results: what a worker and the JVM hold at a time.
RESULTS = 1 << 20
FIRST_ROWS = 1 << 10

_held: OrderedDict[str, dict[int, ForwardingTable]] = OrderedDict()


def shard_table(table: TableRef, number: int) -> ForwardingTable:
    """One shard of a table, mapped at the first call in this process."""
    held = _held.setdefault(table.version, {})
    _held.move_to_end(table.version)
    while len(_held) > HELD_VERSIONS:
        _held.popitem(last=False)
    if number not in held:
        path = table.shard(number)
        try:
            held[number] = ForwardingTable.load(path)
        except FileNotFoundError:
            raise TableFileError(
                str(path),
                f"is not there on {platform.node()}: put tables where all workers see them, or ship them "
                "(TableRef.ship)",
            ) from None
    return held[number]


@dataclass(frozen=True, slots=True)
class Forwarding:
    """What a worker does with the batches of a partition.

    The columns come without their names, which Spark would have to tell apart: first those that are carried
    over, then those that are matched; a column that is both comes once.
    """

    table: TableRef
    carried: tuple[int, ...]  # positions of the columns that go to the output
    attributes: tuple[tuple[int, str], ...]  # positions and names of those that are matched
    json: str | None  # the name of the column of JSON texts among them, which is matched instead
    names: bool

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The columns carried over, the interfaces of each row, and why a row has none."""
        shards = [shard_table(self.table, number) for number in range(self.table.shards)]
        rows_at_once = FIRST_ROWS
        for batch in batches:
            start = 0
            while start < batch.num_rows:
                part = batch.slice(start, rows_at_once)
                interfaces, errors = self._match(shards, part)
                carried = [_plain(part.column(position)) for position in self.carried]
                columns = [*carried, interfaces, errors]
                yield pa.RecordBatch.from_arrays(columns, [str(number) for number in range(len(columns))])
                start += part.num_rows
                rows_at_once = max(1, RESULTS * part.num_rows // max(len(interfaces.values), 1))

    def _match(
        self, shards: list[ForwardingTable], batch: pa.RecordBatch
    ) -> tuple[pa.ListArray[Any], pa.Array[Any]]:
        rows = as_messages(batch, self.attributes)
        if self.json is not None:
            answers: list[Any] = [
                shard.match_batch(rows, json=self.json, names=self.names) for shard in shards
            ]
            return self._merged([each.column(0) for each in answers]), answers[0].column(1)
        try:
            return self._merged(_match_all(shards, rows, self.names)), pa.nulls(len(batch), pa.string())
        except MessageError as error:
            if error.row is None:
                raise
        refused = refusals(shards[0], rows)
        errors = pa.array([refused.get(row) for row in range(len(batch))], pa.string())
        readable = rows.filter(errors.is_null())
        lists = self._merged(_match_all(shards, readable, self.names))
        return widen(lists, np.asarray(errors.is_null())), errors

    def _merged(self, lists: list[Any]) -> pa.ListArray[Any]:
        """The answers of all shards, in the types of the result and with the ids of the whole table."""
        if self.names:
            return merge([_with_values(each, each.values.dictionary_decode()) for each in lists])
        firsts = self.table.first_ids
        ids = [np.asarray(each.values) + np.uint32(first) for each, first in zip(lists, firsts, strict=True)]
        arrays = [pa.array(each, pa.uint32()).view(pa.int32()) for each in ids]
        return merge([_with_values(each, values) for each, values in zip(lists, arrays, strict=True)])


def _plain(column: Any) -> Any:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def as_messages(batch: pa.RecordBatch, attributes: Sequence[tuple[int, str]]) -> Any:
    """The rows as messages; an array of structs has its length even where it has no columns."""
    columns = [batch.column(position) for position, _ in attributes]
    fields = [pa.field(name, column.type) for (_, name), column in zip(attributes, columns, strict=True)]
    if not columns:
        return pa.StructArray.from_buffers(pa.struct([]), len(batch), [None])
    return pa.StructArray.from_arrays(columns, fields=fields)


def _match_all(shards: list[ForwardingTable], rows: Any, names: bool) -> list[pa.ListArray[Any]]:
    return [shard.match_batch(rows, names=names) for shard in shards]


def _with_values(lists: pa.ListArray[Any], values: pa.Array[Any]) -> pa.ListArray[Any]:
    mask = lists.is_null() if lists.null_count else None
    return pa.ListArray.from_arrays(lists.offsets, values, mask=mask)


def refusals(table: ForwardingTable, rows: Any, first: int = 0) -> dict[int, str]:
    """The rows that no table can take, and why: one at a time, since each stops the call that finds it."""
    refused: dict[int, str] = {}
    start = 0
    while start < len(rows):
        try:
            table.match_batch(rows.slice(start))
            break
        except MessageError as error:
            if error.row is None:
                raise
            found = start + error.row
            error.row = None  # a row's place in its batch means nothing to whom the rows belong
            refused[first + found] = str(error)
        # Rows are read column by column in blocks, so an earlier one may be at fault, too.
        refused |= refusals(table, rows.slice(start, found - start), first + start)
        start = found + 1
    return refused
