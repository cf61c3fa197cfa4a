"""Digests of rows: blind to batches, and to nothing else."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from penstock.spark.digest import RowDigest
from without_spark import cut

cells = st.none() | st.text("ab", max_size=3)
rows = st.lists(st.tuples(cells, cells), max_size=8)


def digest(given: list[tuple[str | None, str | None]], cuts: list[int]) -> str:
    schema = pa.schema([("x", pa.string()), ("y", pa.string())])
    batch = pa.RecordBatch.from_pylist([{"x": x, "y": y} for x, y in given], schema)
    digest = RowDigest("x", "y")
    for part in cut(batch, cuts):
        digest.update(part)
    return digest.hexdigest()


@given(rows, rows, st.lists(st.integers(0, 8), max_size=3), st.lists(st.integers(0, 8), max_size=3))
def test_digests_are_equal_if_and_only_if_the_rows_are(
    one: list[tuple[str | None, str | None]],
    other: list[tuple[str | None, str | None]],
    cuts: list[int],
    other_cuts: list[int],
) -> None:
    assert digest(one, cuts) == digest(one, other_cuts)
    assert (digest(one, cuts) == digest(other, other_cuts)) == (one == other)


def test_where_a_string_ends_makes_a_difference() -> None:
    assert digest([("ab", "")], []) != digest([("a", "b")], [])
    assert digest([("a", ""), ("b", "")], []) != digest([("ab", ""), ("", "")], [])
    assert digest([("", "")], []) != digest([(None, "")], [])
