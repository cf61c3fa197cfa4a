"""A stage: messages at routers go through the tables there, to hosts, and down the trees of their sources.

Invariant: a message comes to a router once, and only over the link from the next hop towards its source; so
no row is ever compared with another.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from penstock.spark.network.enter import Entrance
from penstock.spark.network.enter_ids import IdEntrance
from penstock.spark.network.hold import A_HOST, HeldRouter, Ints, Map, held_map, held_router
from penstock.spark.network.reference import NetworkRef
from penstock.spark.network.rows import (
    DELIVERY,
    ONWARD,
    REFUSED,
    TRAFFIC,
    Chunk,
    Way,
    chunks,
    gather,
    output,
)
from penstock.spark.worker import as_messages

__all__ = ["Stage"]

Match = Callable[[HeldRouter[Any], slice], tuple[Ints, Ints, Ints | None]]


@dataclass(slots=True)
class _Outcome:
    """What became of a chunk: rows of it and where they went, in pieces."""

    onward: list[Way] = field(default_factory=list)
    delivered: list[tuple[Ints, int, Any]] = field(default_factory=list)  # row, router, names of hosts
    carried: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)  # messages, ids of a link

    def carry(self, start: int, end: int, messages: int, ids: int) -> None:
        """Count what a link carries."""
        before = self.carried.get((start, end), (0, 0))
        self.carried[start, end] = before[0] + messages, before[1] + ids


@dataclass(frozen=True, slots=True)
class Stage:
    """What a worker does with a partition; in the first stage rows are not yet messages."""

    network: NetworkRef
    entrance: Entrance | IdEntrance
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
                chunk = gather(batch, by_ids=self.network.by_ids)
            yield from self._forward(chunk, map_)

    def _forward(self, chunk: Chunk, map_: Map) -> Iterator[pa.RecordBatch]:
        outcome = _Outcome()
        way = Way(np.arange(len(chunk.at), dtype=np.int32), chunk.at, chunk.header)
        for _ in range(self.hops):
            for part in way.parts(chunk.step):
                self._hop(chunk, part, outcome)
            way, outcome.onward = Way.joined(outcome.onward), []
            yield from self._delivered(chunk, map_, outcome)
            if not len(way.rows):
                break
        yield from self._onward(chunk, way)
        yield from self._traffic(chunk, map_, outcome)

    def _hop(self, chunk: Chunk, way: Way, outcome: _Outcome) -> None:
        """Take these rows of the chunk through the routers where they are, one router after the other."""
        way = way.take(np.argsort(way.at, kind="stable"))
        match = self._match(chunk, way)
        bounds = [0, *(np.flatnonzero(np.diff(way.at)) + 1).tolist(), len(way.at)]
        for start, end in pairwise(bounds):
            if start < end:
                here, part = int(way.at[start]), slice(start, end)
                which, links, header = match(held_router(self.network, here), part)
                self._leave(chunk, here, Way(way.rows[part][which], links, header), outcome)

    def _match(self, chunk: Chunk, way: Way) -> Match:
        """For a router and messages there: messages, the interfaces that want them, and new headers."""
        if isinstance(self.entrance, IdEntrance):
            headers, header = chunk.headers, way.header
            assert headers is not None
            assert header is not None
            return lambda router, part: headers.forward(router, header[part])
        entrance = self.entrance
        messages = as_messages(chunk.message.take(way.rows), entrance.attributes)

        def match(router: HeldRouter[Any], part: slice) -> tuple[Ints, Ints, None]:
            lists = entrance.match(router.table, messages.slice(part.start, part.stop - part.start))
            counts = np.diff(np.asarray(lists.offsets))
            return np.repeat(np.arange(part.stop - part.start), counts), np.asarray(lists.values), None

        return match

    def _leave(self, chunk: Chunk, here: int, leaving: Way, outcome: _Outcome) -> None:
        """Messages leave a router by interfaces, for hosts and for neighbours after it in the tree."""
        router, map_ = held_router(self.network, here), held_map(self.network)
        is_host = router.near[leaving.at] == A_HOST
        if is_host.any():
            hosts = router.hosts.take(pa.array(leaving.at[is_host]))
            outcome.delivered.append((leaving.rows[is_host], here, hosts))
            leaving = leaving.take(~is_host)
        near, branch, origin = router.near[leaving.at], router.branch[leaving.at], chunk.origin[leaving.rows]
        goes = (map_.trees[origin, near] == here) & router.allowed[branch, origin]
        way = Way(leaving.rows, near, leaving.header).take(goes)
        if router.has_branches:
            way = chunk.unite(way, len(map_.ids))
        if len(way.rows):
            outcome.onward.append(way)
            self._count(chunk, here, way, outcome)

    def _count(self, chunk: Chunk, here: int, way: Way, outcome: _Outcome) -> None:
        messages = np.bincount(way.at)
        ids = np.zeros_like(messages)
        if chunk.headers is not None and way.header is not None:
            ids = np.bincount(way.at, chunk.headers.sizes(way.header)).astype(np.int64)
            messages = ids if self.network.in_copies else messages
        for end in np.flatnonzero(messages).tolist():
            outcome.carry(here, end, int(messages[end]), int(ids[end]))

    # What is said

    def _refused(self, batch: pa.RecordBatch, errors: "pa.StringArray") -> Iterator[pa.RecordBatch]:
        bad = errors.is_valid()
        rows = batch.filter(bad)
        if len(rows):
            ids = self._only_ids(rows.columns[1:], len(rows))
            yield self._output(REFUSED, len(rows), {"text": errors.filter(bad)}, ids)

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
            yield self._output(DELIVERY, len(held), values, self._only_ids(held.columns, len(held)))

    def _onward(self, chunk: Chunk, way: Way) -> Iterator[pa.RecordBatch]:
        for part in way.parts(chunk.step_of(way)):
            values: dict[str, Any] = {"at": part.at}
            values |= {"origin": chunk.origin[part.rows], "salt": chunk.salt[part.rows]}
            if chunk.headers is not None and part.header is not None:
                values["header"] = chunk.headers.write(part.header)
            held = chunk.message.take(part.rows)
            yield self._output(ONWARD, len(held), values, self._columns(held.columns))

    def _traffic(self, chunk: Chunk, map_: Map, outcome: _Outcome) -> Iterator[pa.RecordBatch]:
        links = np.array(list(outcome.carried), np.int64).reshape(-1, 2)
        if len(links):
            messages, ids = zip(*outcome.carried.values(), strict=True)
            values = {"start": map_.ids[links[:, 0]], "end": map_.ids[links[:, 1]], "count": messages}
            values |= {"ids": ids} if self.network.by_ids else {}
            nothing = [pa.nulls(len(links), each.type) for each in self._columns(chunk.message.columns)]
            yield self._output(TRAFFIC, len(links), values, nothing)

    def _output(self, kind: int, rows: int, values: dict[str, Any], message: list[Any]) -> pa.RecordBatch:
        return output(kind, rows, values, message, by_ids=self.network.by_ids)

    def _columns(self, columns: list[Any]) -> list[Any]:
        """The columns of the message that go on, which may have none."""
        if isinstance(self.entrance, IdEntrance):
            return columns[: len(self.ids)]
        return columns if self.ids or self.entrance.attributes else []

    def _only_ids(self, columns: list[Any], rows: int) -> list[Any]:
        return [
            column if place in self.ids else pa.nulls(rows, column.type)
            for place, column in enumerate(self._columns(columns))
        ]
