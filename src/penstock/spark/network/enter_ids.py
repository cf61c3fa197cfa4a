"""Where messages are forwarded by ids: rows become headers at their sources, and attributes stay there."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from penstock.errors import WireError
from penstock.spark.network.edge import held_edge
from penstock.spark.network.enter import Entrance, admitted
from penstock.spark.network.header import Header, Headers
from penstock.spark.network.hold import Map
from penstock.spark.network.reference import NetworkRef
from penstock.spark.network.rows import Chunk, unnamed
from penstock.spark.worker import as_messages
from penstock.structures.wire import write_ids

__all__ = ["FromColumn", "FromFilters", "FromMessages", "IdEntrance"]


class Reading(Protocol):
    """Makes headers of rows."""

    def headers(self, message: pa.RecordBatch, network: NetworkRef) -> Sequence[Header | str]:
        """Of each row the ids that want it, rising, or why it is no message."""


@dataclass(frozen=True, slots=True)
class FromFilters:
    """Messages are attributes, or JSON texts, and ids stand for filters."""

    entrance: Entrance

    def headers(self, message: pa.RecordBatch, network: NetworkRef) -> Sequence[Header | str]:
        """Match the rows that can be read against all filters."""
        edge = held_edge(network)
        errors = self.entrance.unreadable(message)
        good = message.filter(pa.array([error is None for error in errors], pa.bool_()))
        lists = self.entrance.match(edge.table, as_messages(good, self.entrance.attributes))
        offsets = np.asarray(lists.offsets)
        row = np.repeat(np.arange(len(good)), np.diff(offsets))
        ids = edge.ids[np.asarray(lists.values)]
        rising = ids[np.lexsort((ids, row))].tolist()
        found = iter([tuple(rising[start:end]) for start, end in pairwise(offsets.tolist())])
        return [next(found) if error is None else error for error in errors]


@dataclass(frozen=True, slots=True)
class FromMessages:
    """Messages are what the columns of an application make them."""

    columns: tuple[int, ...]

    def headers(self, message: pa.RecordBatch, network: NetworkRef) -> Sequence[Header | str]:
        """Ask the edge."""
        edge = held_edge(network)
        return [
            edge.header(row)
            for row in zip(*(message.column(place).to_pylist() for place in self.columns), strict=True)
        ]


@dataclass(frozen=True, slots=True)
class FromColumn:
    """Whoever publishes has made the headers: lists of ids."""

    column: int

    def headers(self, message: pa.RecordBatch, network: NetworkRef) -> Sequence[Header | str]:  # noqa: ARG002
        """The ids as they are, in order."""
        lists: list[Any] = message.column(self.column).to_pylist()
        return [
            "the header is null"
            if ids is None
            else "there is a null in the header"
            if None in ids
            else tuple(sorted(set(ids)))
            for ids in lists
        ]


@dataclass(frozen=True, slots=True)
class IdEntrance:
    """Rows of a router's id and the columns of a message, of which the first few go on."""

    network: NetworkRef
    reading: Reading
    carried: int

    def admit(self, batch: pa.RecordBatch, map_: Map) -> tuple[Chunk, "pa.StringArray"]:
        """The messages that anybody wants, and for each row an error or null."""
        read = self.reading.headers(unnamed(batch.columns[1:], len(batch)), self.network)
        refusals = {header: _refusal(header) for header in set(read) if not isinstance(header, str)}
        errors = [each if isinstance(each, str) else refusals[each] for each in read]
        carried = unnamed(batch.columns[1 : 1 + self.carried], len(batch))
        chunk, refused = admitted(batch.column(0), carried, errors, map_)
        headers = Headers()
        numbers = np.array([headers.number(tuple(read[row])) for row in chunk.salt.tolist()], np.int32)
        wanted = np.flatnonzero(headers.sizes(numbers)) if len(numbers) else numbers
        return (
            Chunk(
                chunk.at[wanted],
                chunk.origin[wanted],
                chunk.salt[wanted],
                chunk.message.take(wanted),
                headers,
                numbers[wanted],
            ),
            refused,
        )


def _refusal(header: Header) -> str | None:
    """Why no router would take a header."""
    try:
        write_ids(header)
    except WireError as error:
        return str(error)
    return None
