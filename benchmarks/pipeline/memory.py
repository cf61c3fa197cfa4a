"""What a worker process has to itself of a table that other workers hold as well."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession

from common import progress
from penstock import ForwardingTable, Limits
from penstock.spark.compile import describe
from penstock.spark.layout import Layout, staged_shard
from penstock.spark.reference import TableRef
from penstock.spark.worker import shard_table

__all__ = ["large_table", "private_bytes"]

AT_ONCE = 500_000


def large_table(directory: Path, size: int) -> TableRef:
    """A table of at least so many bytes; built here, since what is measured is its use."""
    progress(f"a table of {size / 1e6:,.0f} MB")
    table = ForwardingTable()
    count = 0
    while table.stats().total_bytes < size:
        numbers = np.arange(count, count + AT_ONCE).astype(str)
        texts = np.char.add(np.char.add("key = 'k", numbers), np.char.add("' AND a >= ", numbers)).tolist()
        names = np.char.add("i", numbers).tolist()
        table.subscribe_batch(pa.table({"interface": names, "filter": texts}))
        count += AT_ONCE
    layout = Layout.at(directory)
    staging = layout.stage()
    table.save(staging / staged_shard(0))
    part = {
        "shard": 0,
        "subscriptions": count,
        "interfaces": count,
        "rejected": 0,
        "digest": str(size),
        "names": ["key", "a"],
    }
    version, manifest = describe([part], "access", Limits())
    layout.publish(staging, version, manifest)
    staging.joinpath("rejected").rmdir()
    staging.rmdir()
    return TableRef.open(directory, version)


def private_bytes(spark: SparkSession, table: TableRef, directory: Path) -> list[int]:
    """Private memory that two workers have more, once both hold the table and have used it."""

    # All of it within one function: workers do not have the modules of the benchmarks.
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        def private() -> int:
            rollup = Path("/proc/self/smaps_rollup").read_text("ascii")
            return 1024 * sum(int(size) for size in re.findall(r"^Private_\w+: +(\d+) kB", rollup, re.M))

        def meet(what: str) -> None:
            (directory / f"{what}-{os.getpid()}").touch()
            while len(list(directory.glob(f"{what}-*"))) < 2:
                time.sleep(0.05)

        meet("started")
        before = private()
        held = shard_table(table, 0)
        for batch in batches:
            keys = np.random.default_rng(np.asarray(batch.column(0))).integers(
                0, table.subscriptions, 100_000
            )
            held.match_batch(pa.table({"key": [f"k{key}" for key in keys.tolist()], "a": keys}))
        meet("used")
        after = private()
        meet("measured")
        yield pa.RecordBatch.from_pydict({"pid": [os.getpid()], "bytes": [after - before]})

    found = spark.range(0, 2, 1, 2).mapInArrow(run, "pid long, bytes long").collect()
    assert len({row.pid for row in found}) == 2
    return sorted(row.bytes for row in found)
