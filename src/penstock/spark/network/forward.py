"""Messages through a whole network, stage by stage: each takes every message one hop further, or several.

Between stages messages are shared out by the routers where they are, so that a task needs few tables.
What a stage has said is kept by Spark (a local checkpoint) as long as the result is in use.
"""

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from penstock.errors import SchemaError
from penstock.spark.network.columns import INTEGERS, asked_columns, entrance
from penstock.spark.network.enter import Entrance
from penstock.spark.network.enter_ids import IdEntrance
from penstock.spark.network.hop import Stage
from penstock.spark.network.reference import NetworkRef
from penstock.spark.network.rows import BY_IDS, DELIVERY, ONWARD, OUTPUT, REFUSED, TRAFFIC, WAY
from penstock.spark.schema import position_of

__all__ = ["Forwarded", "forward_network"]

TYPES = {
    "tinyint": t.ByteType(),
    "int": t.IntegerType(),
    "bigint": t.LongType(),
    "string": t.StringType(),
    "binary": t.BinaryType(),
}
RESULTS = ("router", "host", "error")


@dataclass(frozen=True, slots=True)
class Forwarded:
    """What became of the messages."""

    deliveries: DataFrame  #: the id columns, router, host: a row for each message and host that gets it
    #: start, end, messages: a row for each direction of a link that carried any; and header_ids, the ids in
    #: the headers of these, where the network forwards by ids
    traffic: DataFrame
    rejected: DataFrame  #: the id columns, error: rows that are no messages, or have no source
    stages: int  #: how many it took


def forward_network(
    messages: DataFrame,
    network: NetworkRef,
    *,
    id_columns: Sequence[str],
    source: str = "router",
    json: str | None = None,
    header: str | None = None,
    hops: int = 1,
) -> Forwarded:
    """Publish each message at the router in the column `source`, and follow it to all hosts that want it.

    A message is a row of typed columns, or a JSON text in the column `json`, as for `forward`. In a network
    that forwards by ids, the columns are those of its application (`network.names`), or there is a column
    `header` with the ids that want each message: a list, whatever the structure.

    With several `hops` a task follows a message over so many routers before it hands it on: fewer stages, of
    tasks that need the tables of more routers. The stages run when this is called.
    """
    hops = operator.index(hops)
    if hops < 1:
        raise ValueError("hops must be at least 1")
    plan = _plan(messages.schema, network, id_columns, source, json=json, header=header)
    numbered = messages.toDF(*[f"c{place}" for place in range(len(messages.columns))])
    places = [f.col(f"c{place}") for place in plan.columns]
    rows = numbered.select(f.col(f"c{plan.source}").cast("bigint"), *places)
    said: list[DataFrame] = []
    for first in range(0, network.depth + 1, hops):
        stage = Stage(network, plan.entrance, plan.ids, hops, is_first=not first)
        # Sampling for the ranges reads what is there already: a stage is never computed twice.
        all_said = _run(rows, stage, plan.schema).localCheckpoint()
        # On its own: messages that went on, many times as many, can be forgotten after the next stage.
        said.append(all_said.where(f.col("kind") != ONWARD).localCheckpoint())
        onward = all_said.where(f.col("kind") == ONWARD)
        if onward.isEmpty():
            break
        way = [*WAY, "header"] if network.by_ids else WAY
        rows = onward.select(*way, *plan.names).repartitionByRange("at", "salt")
    return _result(reduce(DataFrame.unionAll, said), plan, id_columns, len(said))


def _run(rows: DataFrame, stage: Stage, schema: t.StructType) -> DataFrame:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return stage.run(batches)

    return rows.mapInArrow(run, schema)


def _result(said: DataFrame, plan: "_Plan", id_columns: Sequence[str], stages: int) -> Forwarded:
    def of(kind: int) -> DataFrame:
        return said.where(f.col("kind") == kind)

    ids = [f.col(f"p{place}") for place in plan.ids]
    deliveries = of(DELIVERY).select(*ids, "start", "text").toDF(*id_columns, "router", "host")
    sums = [f.sum("count").alias("messages")]
    if "ids" in said.columns:
        sums.append(f.sum("ids").alias("header_ids"))
    traffic = of(TRAFFIC).groupBy("start", "end").agg(*sums)
    rejected = of(REFUSED).select(*ids, "text").toDF(*id_columns, "error")
    return Forwarded(deliveries, traffic, rejected, stages)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The columns that are sent, by position, and what stages do with them."""

    source: int
    columns: tuple[int, ...]
    ids: tuple[int, ...]
    entrance: Entrance | IdEntrance
    schema: t.StructType
    names: list[str]  # of the columns of messages, between stages


def _plan(
    schema: t.StructType,
    network: NetworkRef,
    id_columns: Sequence[str],
    source: str,
    *,
    json: str | None,
    header: str | None,
) -> _Plan:
    if isinstance(id_columns, str):
        raise TypeError(f"id_columns must be a sequence of names, such as [{id_columns!r}]")
    for number, name in enumerate(id_columns):
        if name in RESULTS:
            raise SchemaError(name, "is the name of a column of the result; rename it")
        if name in id_columns[:number]:
            raise SchemaError(name, "is among the id columns more than once")
    carried = [position_of(schema, name) for name in id_columns]
    at = position_of(schema, source)
    if not isinstance(type_ := schema.fields[at].dataType, INTEGERS):
        raise SchemaError(source, f"is of type {type_.simpleString()}; ids of routers are integers")
    asked = asked_columns(schema, network, id_columns, json=json, header=header)
    columns = tuple(dict.fromkeys(carried + asked))
    attributes = tuple((columns.index(place), schema.fields[place].name) for place in asked)
    going = columns[: len(carried)] if network.by_ids else columns
    names = [f"p{number}" for number in range(len(going))]
    fields = [
        t.StructField(name, schema.fields[place].dataType) for name, place in zip(names, going, strict=True)
    ]
    types = BY_IDS if network.by_ids else OUTPUT
    said = [t.StructField(name, TYPES[type_]) for name, type_ in types.items()]
    return _Plan(
        at,
        columns,
        tuple(map(columns.index, carried)),
        entrance(network, attributes, len(carried), json=json, header=header),
        t.StructType([*said, *fields]),
        names,
    )
