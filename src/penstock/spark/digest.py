"""A digest of rows that come in batches: the same for the same rows, however they are cut into batches."""

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa

__all__ = ["RowDigest"]


class RowDigest:
    """Of some columns of strings: which are there, how long they are, and their bytes, each as one stream."""

    __slots__ = ("_streams",)

    def __init__(self, *columns: str) -> None:
        self._streams = {name: [hashlib.sha256() for _ in range(3)] for name in columns}

    def update(self, rows: pa.RecordBatch) -> None:
        """Take in more rows."""
        for name, streams in self._streams.items():
            _feed(rows.column(name), *streams)

    def hexdigest(self) -> str:
        """The digest of all rows so far."""
        digests = [stream.digest() for streams in self._streams.values() for stream in streams]
        return hashlib.sha256(b"".join(digests)).hexdigest()


def _feed(column: Any, present: Any, lengths: Any, data: Any) -> None:
    if not len(column):
        return
    present.update(np.asarray(column.is_valid()).tobytes())
    filled = column.fill_null("")
    _, offsets, content = filled.buffers()
    ends = np.frombuffer(offsets, np.int32)[filled.offset : filled.offset + len(filled) + 1]
    lengths.update(np.diff(ends).tobytes())
    if content is not None:
        data.update(memoryview(content)[ends[0] : ends[-1]])
