"""A stage: messages at routers go through the tables there, to hosts, and down the trees of their sources.

Invariant: a message comes to a router once, and only over the link from the next hop towards its source; so
no row is ever compared with another.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from penstock.spark.network.enter import Entrance
from penstock.spark.network.hold import A_HOST, HeldRouter, Ints, Map, held_map, held_router
from penstock.spark.network.reference import NetworkRef
from penstock.spark.network.rows import (
    DELIVERY,
    ONWARD,
    REFUSED,
    TRAFFIC,
    Chunk,
    chunks,
    gather,
    output,
)
from penstock.spark.worker import as_messages

__all__ = ["Stage"]


@dataclass(slots=True)
class _Outcome:
    """What became of a chunk: rows of it and where they went, in pieces."""

    onward: list[tuple[Ints, Ints]] = field(default_factory=list)  # row, next router
    delivered: list[tuple[Ints, int, Any]] = field(default_factory=list)  # row, router, names of hosts
    carried: dict[tuple[int, int], int] = field(default_factory=dict)  # messages on each link


@dataclass(frozen=True, slots=True)
class Stage:
    """What a worker does with a partition; in the first stage rows are not yet messages."""

    network: NetworkRef
    entrance: Entrance
    ids: tuple[int, ...]  # positions of the id columns among the columns of the message
    hops: int  # routers that a message passes before it is handed to another task
    is_first: bool

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """All that is to be said of the messages of a partition."""
        map_ = held_map(self.network)
        for batch in chunks(batches):
            if self.is_first:
                chunk, errors = self.entrance.admit(batch, map_)
                yield from self._refused(batch, errors)
            else:
                chunk = gather(batch)
            yield from self._forward(chunk, map_)

    def _forward(self, chunk: Chunk, map_: Map) -> Iterator[pa.RecordBatch]:
        outcome = _Outcome()
        under_way: list[tuple[Ints, Ints]] = [(np.arange(len(chunk.at), dtype=np.int32), chunk.at)]
        for _ in range(self.hops):
            for rows, at in under_way:
                for start in range(0, len(rows), chunk.step):
                    part = slice(start, start + chunk.step)
                    self._hop(chunk, rows[part], at[part], outcome)
            under_way, outcome.onward = _merged(outcome.onward), []
            yield from self._delivered(chunk, map_, outcome)
            if not under_way:
                break
        yield from self._onward(chunk, under_way)
        yield from self._traffic(chunk, map_, outcome)

    def _hop(self, chunk: Chunk, rows: Ints, at: Ints, outcome: _Outcome) -> None:
        """Take these rows of the chunk through the routers where they are, one router after the other."""
        order = np.argsort(at, kind="stable")
        rows, at = rows[order], at[order]
        messages = as_messages(chunk.message.take(rows), self.entrance.attributes)
        bounds = [0, *(np.flatnonzero(np.diff(at)) + 1).tolist(), len(at)]
        for start, end in pairwise(bounds):
            if start < end:
                here = int(at[start])
                router = held_router(self.network, here)
                which, links = self._match(router, messages.slice(start, end - start))
                self._leave(chunk, here, rows[start:end][which], links, outcome)

    def _match(self, router: HeldRouter, messages: Any) -> tuple[Ints, Ints]:
        """Messages and the interfaces that want them."""
        if self.entrance.json is None:
            lists: Any = router.table.match_batch(messages)
        else:
            lists = router.table.match_batch(messages, json=self.entrance.json).column(0)
        counts = np.diff(np.asarray(lists.offsets))
        return np.repeat(np.arange(len(messages)), counts), np.asarray(lists.values)

    def _leave(self, chunk: Chunk, here: int, rows: Ints, links: Ints, outcome: _Outcome) -> None:
        """Messages leave a router, for hosts and for neighbours that come after it in the tree."""
        router, map_ = held_router(self.network, here), held_map(self.network)
        near = router.near[links]
        is_host = near == A_HOST
        if is_host.any():
            outcome.delivered.append((rows[is_host], here, router.hosts.take(pa.array(links[is_host]))))
        rows, near, branch = rows[~is_host], near[~is_host], router.branch[links[~is_host]]
        origin = chunk.origin[rows]
        goes = (map_.trees[origin, near] == here) & router.allowed[branch, origin]
        rows, near = rows[goes], near[goes]
        if router.has_branches:
            count = len(map_.ids)
            rows, near = np.divmod(np.unique(rows.astype(np.int64) * count + near), count)
        if len(rows):
            outcome.onward.append((rows, near))
            counts = np.bincount(near)
            for end in np.flatnonzero(counts).tolist():
                outcome.carried[here, end] = outcome.carried.get((here, end), 0) + int(counts[end])

    # What is said

    def _refused(self, batch: pa.RecordBatch, errors: "pa.StringArray") -> Iterator[pa.RecordBatch]:
        bad = errors.is_valid()
        rows = batch.filter(bad)
        if len(rows):
            ids = self._only_ids(rows.columns[1:], len(rows))
            yield output(REFUSED, len(rows), {"text": errors.filter(bad)}, ids)

    def _delivered(self, chunk: Chunk, map_: Map, outcome: _Outcome) -> Iterator[pa.RecordBatch]:
        delivered, outcome.delivered = outcome.delivered, []
        if not delivered:
            return
        rows = np.concatenate([each for each, _, _ in delivered])
        routers = np.concatenate([np.full(len(each), map_.ids[here]) for each, here, _ in delivered])
        hosts = pa.concat_arrays([names for _, _, names in delivered])
        for start in range(0, len(rows), chunk.step):
            part = slice(start, start + chunk.step)
            held = chunk.message.take(rows[part])
            values = {"start": routers[part], "text": hosts[part]}
            yield output(DELIVERY, len(held), values, self._only_ids(held.columns, len(held)))

    def _onward(self, chunk: Chunk, under_way: list[tuple[Ints, Ints]]) -> Iterator[pa.RecordBatch]:
        for rows, at in under_way:
            for start in range(0, len(rows), chunk.step):
                part = rows[start : start + chunk.step]
                values = {"origin": chunk.origin[part], "salt": chunk.salt[part]}
                values["at"] = at[start : start + chunk.step]
                held = chunk.message.take(part)
                yield output(ONWARD, len(part), values, self._columns(held.columns))

    def _traffic(self, chunk: Chunk, map_: Map, outcome: _Outcome) -> Iterator[pa.RecordBatch]:
        links = np.array(list(outcome.carried), np.int64).reshape(-1, 2)
        if len(links):
            ends = {"start": map_.ids[links[:, 0]], "end": map_.ids[links[:, 1]]}
            nothing = [pa.nulls(len(links), each.type) for each in self._columns(chunk.message.columns)]
            yield output(TRAFFIC, len(links), {**ends, "count": list(outcome.carried.values())}, nothing)

    def _columns(self, columns: list[Any]) -> list[Any]:
        """The columns of the message, which may have none."""
        return columns if self.ids or self.entrance.attributes else []

    def _only_ids(self, columns: list[Any], rows: int) -> list[Any]:
        return [
            column if place in self.ids else pa.nulls(rows, column.type)
            for place, column in enumerate(self._columns(columns))
        ]


def _merged(pieces: list[tuple[Ints, Ints]]) -> list[tuple[Ints, Ints]]:
    """The same rows in one piece."""
    if not pieces:
        return []
    return [(np.concatenate([rows for rows, _ in pieces]), np.concatenate([at for _, at in pieces]))]
