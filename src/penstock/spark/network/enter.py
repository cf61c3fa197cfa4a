"""What happens to rows first: they become messages at their sources, or are refused with a reason."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from penstock.errors import MessageError
from penstock.spark.network.hold import Map
from penstock.spark.network.rows import Chunk, unnamed
from penstock.spark.worker import as_messages, refusals
from penstock.table import ForwardingTable

__all__ = ["Entrance"]

NO_TABLE = ForwardingTable()  # nothing matches it, but it checks messages as every table does


@dataclass(frozen=True, slots=True)
class Entrance:
    """Rows of a router's id and the columns of a message."""

    attributes: tuple[tuple[int, str], ...]  # positions among the columns of the message, and names
    json: str | None

    def admit(self, batch: pa.RecordBatch, map_: Map) -> tuple[Chunk, "pa.StringArray"]:
        """The messages, and for each row an error or null."""
        message = unnamed(batch.columns[1:], len(batch))
        errors = self._unreadable(message)
        ids: list[Any] = batch.column(0).to_pylist()
        known = map_.source_ids
        errors = [
            error or (None if id_ in known else _no_source(id_))
            for error, id_ in zip(errors, ids, strict=True)
        ]
        refused = pa.array(errors, pa.string())
        good = refused.is_null()
        origin = np.array([known[id_] for id_, error in zip(ids, errors, strict=True) if not error], np.int32)
        salt = np.flatnonzero(np.asarray(good)).astype(np.int32)
        return Chunk(map_.sources[origin], origin, salt, message.filter(good)), refused

    def _unreadable(self, message: pa.RecordBatch) -> list[str | None]:
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


def _no_source(id_: int | None) -> str:
    return "the source is null" if id_ is None else f"router {id_} is no source"
