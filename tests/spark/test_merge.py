"""Lists of several shards, joined row by row."""

from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from penstock.spark.merge import merge, widen

lists = st.lists(st.integers(0, 9), max_size=4)


def as_array(rows: Any) -> Any:
    return pa.array(rows, pa.list_(pa.int32()))


@st.composite
def shards(draw: st.DrawFn) -> list[list[list[int] | None]]:
    """Some shards' answers for the same rows; those that are null are null in all."""
    rows = draw(st.lists(st.booleans(), max_size=8))
    count = draw(st.integers(1, 4))
    return [[draw(lists) if valid else None for valid in rows] for _ in range(count)]


@given(shards())
def test_merged_lists_are_concatenated_lists(parts: list[list[list[int] | None]]) -> None:
    merged = merge([as_array(part) for part in parts])
    merged.validate(full=True)
    rows: list[Any] = list(zip(*parts, strict=True))
    assert merged.to_pylist() == [None if None in row else [n for part in row for n in part] for row in rows]


@given(st.lists(st.booleans(), max_size=10), st.data())
def test_widened_lists_are_null_where_none_was_kept(kept: list[bool], data: st.DataObject) -> None:
    values = data.draw(st.lists(lists, min_size=sum(kept), max_size=sum(kept)))
    wide = widen(as_array(values), np.array(kept, bool))
    wide.validate(full=True)
    left = iter(values)
    assert wide.to_pylist() == [next(left) if keep else None for keep in kept]
