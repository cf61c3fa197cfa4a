"""Messages to interfaces: one row in, one row out, the table mapped in every worker.

Rows go to the workers as Arrow batches, and there straight into the core.
"""

from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from penstock.spark.plan import plan
from penstock.spark.reference import TableRef
from penstock.spark.row_groups import ahead

__all__ = ["deliveries", "forward"]


def forward(
    messages: DataFrame,
    table: TableRef,
    *,
    id_columns: Sequence[str],
    json: str | None = None,
    names: bool = True,
) -> DataFrame:
    """For each message its id columns, the interfaces that want it, and an error where it cannot be read.

    A message is a row of typed columns, nulls being absent and structs flattening to dotted names, or a JSON
    text in the column `json`. Interfaces are names, or ids that TableRef.interface_ids translates. Either
    `interfaces` or `error` is null in each row.
    """
    schema = messages.schema
    planned = plan(schema, table, id_columns, json, names)
    # By number, since names may be alike to Spark that are not to filters (`a` and `A`), or hold dots.
    numbered = messages.toDF(*[f"c{place}" for place in range(len(schema.fields))])
    # A row without columns is a message, too, and needs one to be sent.
    chosen = numbered.select(*[f.col(f"c{place}") for place in planned.columns] or [f.lit(True)])

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return planned.forwarding.run(ahead(batches))

    return chosen.mapInArrow(run, planned.result)


def deliveries(forwarded: DataFrame) -> DataFrame:
    """One row for each message and interface that wants it; messages that none wants give no row."""
    count = len(forwarded.columns) - 2
    numbered = forwarded.toDF(*[f"c{place}" for place in range(count)], "interfaces", "error")
    ids = [f.col(f"c{place}") for place in range(count)]
    exploded = numbered.select(*ids, f.explode("interfaces"))
    return exploded.toDF(*forwarded.columns[:count], "interface")
