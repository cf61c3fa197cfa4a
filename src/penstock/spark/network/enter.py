"""What happens to rows first: they become messages at their sources, or are refused with a reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from penstock.errors import MessageError
from penstock.spark.network.hold import Map
from penstock.spark.network.rows import Chunk, unnamed
from penstock.spark.worker import as_messages, refusals
from penstock.table import ForwardingTable

__all__ = ["Entrance", "admitted"]

NO_TABLE = ForwardingTable()  # nothing matches it, but it checks messages as every table does


@dataclass(frozen=True, slots=True)
class Entrance:
    """Rows of a router's id and the columns of a message."""

    attributes: tuple[tuple[int, str], ...]  # positions among the columns of the message, and names
    json: str | None

    def admit(self, batch: pa.RecordBatch, map_: Map) -> tuple[Chunk, "pa.StringArray"]:
        """The messages, and for each row an error or null."""
        message = unnamed(batch.columns[1:], len(batch))
        return admitted(batch.column(0), message, self.unreadable(message), map_)

    def match(self, table: ForwardingTable, messages: Any) -> Any:
        """For each message the interfaces that want it."""
        if self.json is None:
            return table.match_batch(messages)
        answer: Any = table.match_batch(messages, json=self.json)
        return answer.column(0)

    def unreadable(self, message: pa.RecordBatch) -> list[str | None]:
        """Of each row, why it is no message."""
        rows: Any = as_messages(message, self.attributes)
        if self.json is not None:
            answer: Any = NO_TABLE.match_batch(rows, json=self.json)
            return list(answer.column(1).to_pylist())
        try:
            NO_TABLE.match_batch(rows)
        except MessageError as error:
            if error.row is None:
                raise
            found = refusals(NO_TABLE, rows)
            return [found.get(row) for row in range(len(message))]
        return [None] * len(message)


def admitted(
    routers: Any, message: pa.RecordBatch, errors: Sequence[str | None], map_: Map
) -> tuple[Chunk, "pa.StringArray"]:
    """The messages without errors that are published at sources, and for each row an error or null."""
    ids: list[Any] = routers.to_pylist()
    known = map_.source_ids
    errors = [
        error or (None if id_ in known else _no_source(id_)) for error, id_ in zip(errors, ids, strict=True)
    ]
    refused = pa.array(errors, pa.string())
    good = refused.is_null()
    origin = np.array([known[id_] for id_, error in zip(ids, errors, strict=True) if not error], np.int32)
    salt = np.flatnonzero(np.asarray(good)).astype(np.int32)
    return Chunk(map_.sources[origin], origin, salt, message.filter(good)), refused


def _no_source(id_: int | None) -> str:
    return "the source is null" if id_ is None else f"router {id_} is no source"
