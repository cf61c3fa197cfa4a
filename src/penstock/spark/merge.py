"""Lists of one row each, from several shards: joined row by row, without a loop over rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["merge", "widen"]


def merge(parts: list[pa.ListArray[Any]]) -> pa.ListArray[Any]:
    """For each row, the lists of all parts one after the other; a row is null in all parts or in none."""
    if len(parts) == 1:
        return parts[0]
    lengths = np.stack([_lengths(part) for part in parts])
    ends = np.cumsum(lengths.sum(axis=0))
    offsets = np.concatenate([[0], ends])
    place = offsets[:-1] + np.cumsum(lengths, axis=0) - lengths  # where the list of each part begins
    values = pa.concat_arrays([part.flatten() for part in parts])
    order = np.empty(len(values), np.int64)
    first = 0
    for begin, length in zip(place, lengths, strict=True):
        count = int(length.sum())
        within = np.arange(count) - np.repeat(np.cumsum(length) - length, length)
        order[np.repeat(begin, length) + within] = first + np.arange(count)
        first += count
    mask = parts[0].is_null() if parts[0].null_count else None
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values.take(order), mask=mask)


def widen(lists: pa.ListArray[Any], kept: NDArray[np.bool_]) -> pa.ListArray[Any]:
    """The lists in the places that were kept, and null in the others."""
    lengths = np.zeros(len(kept), np.int64)
    lengths[kept] = _lengths(lists)
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())
    return pa.ListArray.from_arrays(offsets, lists.flatten(), mask=pa.array(~kept))


def _lengths(lists: pa.ListArray[Any]) -> NDArray[np.int64]:
    return np.asarray(lists.value_lengths().fill_null(0)).astype(np.int64)
