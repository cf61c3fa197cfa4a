"""The workers' part of the pipeline without Spark: the same functions on batches, in this process."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from penstock import Limits
from penstock.spark.build import Building
from penstock.spark.compile import describe
from penstock.spark.layout import Layout
from penstock.spark.normalise import Normalising
from penstock.spark.reference import TableRef

SUBSCRIPTIONS = pa.schema([(name, pa.string()) for name in ("interface", "filter", "id")])
ORDER: list[Any] = [(name, "ascending") for name in ("shard", "interface", "filter", "id", "error")]


def cut(batch: pa.RecordBatch, places: list[int]) -> list[pa.RecordBatch]:
    """The batch in pieces, some of them empty."""
    cuts = [0, *sorted(place % (len(batch) + 1) for place in places), len(batch)]
    return [batch.slice(start, end - start) for start, end in pairwise(cuts)]


def compile_here(rows: list[tuple[Any, Any]], path: Path, bounds: list[str], cuts: list[int]) -> TableRef:
    """What compile_table does, with these bounds between shards, and batches cut at these places."""
    limits = Limits()
    given = [dict(zip(SUBSCRIPTIONS.names, (*row, str(n)), strict=True)) for n, row in enumerate(rows)]
    batches = cut(pa.RecordBatch.from_pylist(given, SUBSCRIPTIONS), cuts)
    encoded = tuple(sorted({bound.encode() for bound in bounds}))
    normalised = pa.Table.from_batches(list(Normalising(limits, encoded).run(iter(batches))))
    nothing = [{"shard": number} for number in range(len(encoded) + 1)]
    everything = pa.concat_tables([normalised, pa.Table.from_pylist(nothing, normalised.schema)])
    ordered: Any = everything.sort_by(ORDER).combine_chunks().to_batches()[0]
    layout = Layout.at(path)
    staging = layout.stage()
    answers = Building(staging, "access", limits).run(iter(cut(ordered, cuts)))
    built = [row for answer in answers for row in answer.to_pylist()]
    version, manifest = describe(built, "access", limits)
    layout.publish(staging, version, manifest)
    return TableRef.open(path, version)
