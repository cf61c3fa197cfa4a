"""Rows that were refused, in a Parquet file that is there when it is complete, and only if there are any."""

import uuid
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.parquet as pq

from penstock.spark.digest import RowDigest

__all__ = ["REFUSED", "Refusals"]

REFUSED = "id string, interface string, filter string, error string"
COLUMNS = ["id", "interface", "filter", "error"]
SCHEMA = pa.schema([(name, pa.string()) for name in COLUMNS])


class Refusals(AbstractContextManager["Refusals"]):
    """A file under way; leaving without an exception puts it into its place."""

    def __init__(self, path: Path) -> None:
        self.count = 0
        self.digest = RowDigest(*COLUMNS)
        self._path = path
        self._beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
        self._writer: pq.ParquetWriter | None = None

    def add(self, rows: pa.RecordBatch) -> None:
        """Write rows, of which there may be none."""
        if not rows.num_rows:
            return
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._beside, SCHEMA)
        chosen = rows.select(COLUMNS)
        self._writer.write_batch(chosen)
        self.digest.update(chosen)
        self.count += chosen.num_rows

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is None:
            return
        self._writer.close()
        if error is None:
            self._beside.replace(self._path)
        else:
            self._beside.unlink()
