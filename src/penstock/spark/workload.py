"""The papers' workloads at any size: the same rows for the same seed, whatever the number of partitions.

Rows are drawn in blocks of a fixed size, each from a random stream of its own, so it makes no difference who
draws which block, or in which order.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from penstock import workload
from penstock.workload import Scenario
from penstock.workload.distribution import Ints
from penstock.workload.shape import Shape

__all__ = ["filters", "messages"]

BLOCK = 1024  # messages, or interfaces with all their filters


def messages(
    spark: SparkSession, scenario: Scenario, seed: int, *, partitions: int | None = None
) -> DataFrame:
    """As many messages as the scenario has: id, and the message as JSON text."""
    count = scenario.shape().messages

    def draw(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        shape = scenario.shape()
        for block, first, size in _blocks(batches, count):
            drawn = workload.messages(_Part(replace(shape, messages=size)), _seed_of(seed, block))
            texts = [json.dumps(message, ensure_ascii=False) for message in drawn]
            ids = np.arange(first, first + size)
            yield pa.RecordBatch.from_arrays([pa.array(ids), pa.array(texts, pa.string())], ["id", "message"])

    return _ranged(spark, count, partitions).mapInArrow(draw, "id long, message string")


def filters(
    spark: SparkSession, scenario: Scenario, seed: int, *, partitions: int | None = None
) -> DataFrame:
    """The filters of all interfaces of the scenario: id, interface and filter, ready to be compiled."""
    count = scenario.shape().interfaces

    def draw(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        shape = scenario.shape()
        for block, first, size in _blocks(batches, count):
            drawn, texts = workload.filters(_Part(_some(shape, first, size)), _seed_of(seed, block))
            numbers = np.array([int(name[1:]) for name in drawn], np.int64) + first
            names = [f"i{number}" for number in numbers.tolist()]
            ids = pa.array(_ids(numbers, _most(shape)))
            columns: list[Any] = [ids, pa.array(names, pa.string()), pa.array(texts, pa.string())]
            yield pa.RecordBatch.from_arrays(columns, ["id", "interface", "filter"])

    return _ranged(spark, count, partitions).mapInArrow(draw, "id long, interface string, filter string")


@dataclass(frozen=True, slots=True)
class _Part:
    """A block of a scenario, to the generator a scenario like others."""

    part: Shape

    def shape(self) -> Shape:
        return self.part


def _ranged(spark: SparkSession, count: int, partitions: int | None) -> DataFrame:
    return spark.range(0, -(-count // BLOCK), 1, partitions)


def _blocks(batches: Iterator[pa.RecordBatch], count: int) -> Iterator[tuple[int, int, int]]:
    """The blocks of a partition: number, first row and size."""
    for batch in batches:
        for block in np.asarray(batch.column(0)).tolist():
            first = block * BLOCK
            yield block, first, min(BLOCK, count - first)


def _seed_of(seed: int, block: int) -> int:
    """The seed of a block; a digest, since sums of seeds would make neighbours share their streams."""
    return int.from_bytes(hashlib.sha256(f"{seed} {block}".encode()).digest()[:8])


def _some(shape: Shape, first: int, size: int) -> Shape:
    """The interfaces from `first` on; where filters are dealt out evenly, the first ones get the odd ones."""
    if not isinstance(shape.filters, int):
        return replace(shape, interfaces=size)
    base, left = divmod(shape.filters, shape.interfaces)
    return replace(shape, interfaces=size, filters=size * base + min(max(left - first, 0), size))


def _most(shape: Shape) -> int:
    """The most filters that an interface can have."""
    if isinstance(shape.filters, int):
        return -(-shape.filters // shape.interfaces)
    return shape.filters[-1]


def _ids(numbers: Ints, most: int) -> Ints:
    """An id for each filter of these interfaces, which come in order: unique, though not without gaps."""
    starts = np.searchsorted(numbers, numbers)
    return numbers * most + (np.arange(len(numbers)) - starts)
