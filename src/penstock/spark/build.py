"""The second half of compiling, on the executors: each shard becomes a file, and what was refused another.

Rows come sorted by shard, interface and filter. So interfaces are numbered in the order of their names, and a
task that is run again writes what it wrote before; files take their place when they are complete.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from penstock.model import Limits
from penstock.spark.digest import RowDigest
from penstock.spark.layout import make_staging, rejected_file, staged_shard
from penstock.spark.refusals import Refusals
from penstock.table import Engine, ForwardingTable

__all__ = ["BUILT", "Building"]

COLUMNS: dict[str, pa.DataType] = {
    "shard": pa.int32(),
    "subscriptions": pa.int64(),
    "interfaces": pa.int64(),
    "rejected": pa.int64(),
    "digest": pa.string(),
    "names": pa.list_(pa.string()),
    "file": pa.string(),  # in rows that carry a file, piece by piece, to a driver that shares no storage
    "piece": pa.binary(),
}
BUILT = (
    "shard int, subscriptions long, interfaces long, rejected long, digest string, names array<string>, "
    "file string, piece binary"
)
PIECE = 1 << 24


@dataclass(frozen=True, slots=True)
class Building:
    """What a worker does with a partition of normalised rows."""

    staging: Path | None  # where files go, if workers and driver share storage
    engine: Engine
    limits: Limits

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """A row for each shard that was built, and its files if they cannot stay where they are."""
        for number, parts in groupby(_parts(batches), itemgetter(0)):
            rows = (rows for _, rows in parts)
            if self.staging is not None:
                yield _row(self._build(number, rows, self.staging))
                continue
            with TemporaryDirectory() as directory:
                make_staging(Path(directory))
                yield _row(self._build(number, rows, Path(directory)))
                yield from _pieces(Path(directory))

    def _build(self, number: int, parts: Iterator[pa.RecordBatch], staging: Path) -> dict[str, object]:
        table = ForwardingTable(self.engine, limits=self.limits)
        digest = RowDigest("interface", "filter")
        names: set[str] = set()
        with Refusals(staging / rejected_file(number)) as refusals:
            for rows in parts:
                refused, owned = rows.column("error").is_valid(), rows.column("interface").is_valid()
                refusals.add(rows.filter(refused))
                good = rows.filter(pc.and_not(owned, refused))
                table.subscribe_batch(good)
                digest.update(good)
                asked = rows.filter(pc.invert(pc.or_(owned, refused)))
                names.update(name for name in asked.column("filter").to_pylist() if name is not None)
        table.build()
        table.save(staging / staged_shard(number))
        return {
            "shard": number,
            "subscriptions": len(table),
            "interfaces": len(table.interfaces),
            "rejected": refusals.count,
            "digest": digest.hexdigest() + refusals.digest.hexdigest(),
            "names": sorted(names),
        }


def _row(values: dict[str, object]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([values], pa.schema(list(COLUMNS.items())))


def _pieces(directory: Path) -> Iterator[pa.RecordBatch]:
    for path in filter(Path.is_file, directory.rglob("*")):
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                yield _row({"file": path.relative_to(directory).as_posix(), "piece": piece})


def _parts(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The batches, cut where the shard changes."""
    for batch in batches:
        numbers = np.asarray(batch.column("shard"))
        cuts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
        for start, end in pairwise(cuts):
            if start < end:
                yield int(numbers[start]), batch.slice(start, end - start)
