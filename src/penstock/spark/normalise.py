"""The first half of compiling, on the executors: rows of filters are parsed and put into canonical form.

A row that cannot be subscribed becomes one with an error; nothing stops the job. Rows that mean the same come
out alike, so that the version of a table depends on what is subscribed, not on how it was written.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FilterError
from penstock.language import parse
from penstock.model import Limits
from penstock.table import ForwardingTable

__all__ = ["NORMALISED", "Normalising"]

# A row with neither interface nor error carries a name that filters ask for, in the place of the filter.
NORMALISED = "shard int, interface string, filter string, id string, error string"


@dataclass(frozen=True, slots=True)
class Normalising:
    """What a worker does with a partition of rows: interface, filter and id, all of them strings."""

    limits: Limits
    bounds: tuple[bytes, ...]  # the first interface of every shard but the first, in order

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows with their shards, and at the end the names that occurred."""
        names: set[str] = set()
        for batch in batches:
            interfaces, filters, ids = map(_strings, batch.columns)
            refused = self._refused(
                pa.RecordBatch.from_arrays([interfaces, filters], ["interface", "filter"])
            )
            errors = pa.array([refused.get(row) for row in range(len(batch))], pa.string())
            good = errors.is_null()
            texts = [self._canonical(text, names) for text in filters.filter(good).to_pylist()]
            filters = pc.replace_with_mask(filters, good, pa.array(texts, pa.string()))
            yield _rows(self._shards(interfaces), interfaces, filters, ids, errors)
        count = len(names)
        nothing = pa.nulls(count, pa.string())
        yield _rows([0] * count, nothing, pa.array(sorted(names), pa.string()), nothing, nothing)

    def _refused(self, rows: pa.RecordBatch) -> dict[int, str]:
        """The rows that no table can take, and why: each stops the call that finds it, so go on behind it."""
        refused: dict[int, str] = {}
        start = 0
        while start < len(rows):
            try:
                ForwardingTable(limits=self.limits).subscribe_batch(rows.slice(start))
                break
            except FilterError as error:
                start += (error.row or 0) + 1
                error.row = None  # a row's place in its batch means nothing to whom the rows belong
                refused[start - 1] = str(error)
        return refused

    def _canonical(self, text: str, names: set[str]) -> str:
        predicate = parse(text, self.limits)
        names.update(constraint.name for filter_ in predicate.filters for constraint in filter_.constraints)
        printed = str(predicate)
        # An expansion can be longer than any text may be; then the text has to do.
        return printed if len(printed.encode()) <= self.limits.text_bytes else text

    def _shards(self, interfaces: Any) -> list[int]:
        if not self.bounds:
            return [0] * len(interfaces)
        return [bisect_right(self.bounds, name or b"") for name in interfaces.cast(pa.binary()).to_pylist()]


def _strings(column: Any) -> Any:
    return column.cast(pa.string())


def _rows(shards: list[int], *columns: Any) -> pa.RecordBatch:
    arrays = [pa.array(shards, pa.int32()), *columns]
    return pa.RecordBatch.from_arrays(arrays, ["shard", "interface", "filter", "id", "error"])
