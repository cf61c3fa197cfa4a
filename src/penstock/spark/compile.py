"""Subscriptions to a table in files: parsed, normalised and built on the executors, published by the driver.

A version appears when its manifest does, which is written last. Until then, and if anything fails, readers
see the version before.
"""

import hashlib
import json
import operator
import os
import shutil
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, get_args

import numpy as np
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from penstock.errors import SchemaError
from penstock.model import Limits
from penstock.spark.build import BUILT, Building
from penstock.spark.layout import Layout
from penstock.spark.normalise import NORMALISED, Normalising
from penstock.spark.reference import FORMAT, TableRef
from penstock.spark.schema import position_of
from penstock.table import Engine

__all__ = ["compile_table", "describe"]

INTEGERS = (t.ByteType, t.ShortType, t.IntegerType, t.LongType)
SAMPLED = 256  # interfaces for each shard, to find bounds that share out the subscriptions


def compile_table(
    subscriptions: DataFrame,
    path: str | os.PathLike[str],
    *,
    shards: int = 1,
    engine: Engine = "access",
    limits: Limits | None = None,
    shared: bool = True,
) -> TableRef:
    """Compile the rows (interface, filter, and id if there is one) into a version of the table at `path`.

    The path lies where all workers see it; where there is no such place, shared=False brings the files here
    and ships them to the workers of this session. Rows that cannot be subscribed do not stop the others: they
    are the reference's rejections. `shards` splits the table by interface, for when it is larger than one
    worker should build; every message goes through all of them.
    """
    shards = operator.index(shards)
    if shards < 1:
        raise ValueError("shards must be at least 1")
    if engine not in get_args(Engine):
        raise ValueError(f"engine must be one of {', '.join(get_args(Engine))}, not {engine!r}")
    limits = limits or Limits()
    spark, rows = subscriptions.sparkSession, _columns(subscriptions)
    layout = Layout.at(path)
    staging = layout.stage()
    try:
        normalising = Normalising(limits, _bounds(rows, shards))
        normalised = rows.mapInArrow(normalising.run, NORMALISED).union(_one_for_each(spark, shards))
        placed = normalised.repartition(shards, _places(spark, shards)[f.col("shard")])
        placed = placed.sortWithinPartitions("shard", "interface", "filter", "id", "error")
        building = Building(staging if shared else None, engine, limits)
        built = placed.mapInArrow(building.run, BUILT)
        parts = built.collect() if shared else _bring(built, staging)
        version, manifest = describe([part.asDict() for part in parts], engine, limits)
        layout.publish(staging, version, manifest)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    table = TableRef.open(path, version)
    return table if shared else table.ship(spark)


def _columns(subscriptions: DataFrame) -> DataFrame:
    """Interface, filter and id, as strings."""
    schema = subscriptions.schema
    interface, filter_ = position_of(schema, "interface"), position_of(schema, "filter")
    if not isinstance(schema.fields[interface].dataType, (t.StringType, t.NullType, *INTEGERS)):
        raise SchemaError("interface", f"is of type {_type(schema, interface)}; cast it to string")
    if not isinstance(schema.fields[filter_].dataType, (t.StringType, t.NullType)):
        raise SchemaError("filter", f"is of type {_type(schema, filter_)}; filters are texts")
    id_: Column = f.lit(None)
    if "id" in schema.names:
        id_ = f.col(f"c{position_of(schema, 'id')}")
    numbered = subscriptions.toDF(*[f"c{number}" for number in range(len(schema.fields))])
    columns = {"interface": f.col(f"c{interface}"), "filter": f.col(f"c{filter_}"), "id": id_}
    return numbered.select(*[column.cast("string").alias(name) for name, column in columns.items()])


def _type(schema: t.StructType, place: int) -> str:
    return schema.fields[place].dataType.simpleString()


def _bounds(rows: DataFrame, shards: int) -> tuple[bytes, ...]:
    """The first interface of every shard but the first, such that shards are about equal.

    They are taken from the interfaces whose hashes are smallest: a sample that is the same whenever the
    subscriptions are.
    """
    if shards == 1:
        return ()
    name = f.col("interface").cast("binary").alias("name")
    counted = rows.where("interface IS NOT NULL").groupBy(name).count()
    sample = counted.orderBy(f.xxhash64("name"), "name").limit(SAMPLED * shards).collect()
    found = sorted((bytes(row[0]), row[1]) for row in sample)
    before = np.cumsum([0, *[count for _, count in found]])
    cuts = np.searchsorted(before, before[-1] * np.arange(1, shards) / shards)
    return tuple(sorted({found[cut][0] for cut in cuts.tolist() if 0 < cut < len(found)}))


def _one_for_each(spark: SparkSession, shards: int) -> DataFrame:
    """A row for each shard that says nothing, so that those without subscriptions are built, too."""
    nothing = [f.lit(None).cast("string").alias(name) for name in ("interface", "filter", "id", "error")]
    return spark.range(shards).select(f.col("id").cast("int").alias("shard"), *nothing)


def _places(spark: SparkSession, shards: int) -> Column:
    """For each shard a number whose hash falls into a partition that no other has.

    Spark places rows by hash, and shards by their own numbers would share partitions while others are empty.
    """
    partition = f.pmod(f.hash("id"), f.lit(shards)).alias("partition")
    found = spark.range(32 * shards).select("id", partition).groupBy("partition").agg(f.min("id")).collect()
    spare = range(32 * shards, 33 * shards)
    numbers = [row[1] for row in found] + list(spare)
    return f.array(*map(f.lit, numbers[:shards]))


def _bring(built: DataFrame, staging: Path) -> list[Row]:
    """Write the files that come with the rows; the rows without a file."""
    parts = []
    for row in built.toLocalIterator():
        if row.file is None:
            parts.append(row)
        else:
            with (staging / row.file).open("ab") as file:
                file.write(row.piece)
    return parts


def describe(parts: list[dict[str, Any]], engine: Engine, limits: Limits) -> tuple[str, dict[str, object]]:
    """The name of a version, which is a digest of what it holds, and its manifest."""
    parts = sorted(parts, key=operator.itemgetter("shard"))
    content = [FORMAT, version_of("penstock"), engine, repr(limits), [part["digest"] for part in parts]]
    version = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]
    counts = [part["interfaces"] for part in parts]
    return version, {
        "format": FORMAT,
        "engine": engine,
        "shards": len(parts),
        "subscriptions": sum(part["subscriptions"] for part in parts),
        "interfaces": sum(counts),
        "rejected": sum(part["rejected"] for part in parts),
        "first_ids": [sum(counts[:number]) for number in range(len(parts))],
        "names": sorted({name for part in parts for name in part["names"]}),
    }
