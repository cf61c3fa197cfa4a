"""The fast path for Parquet files: workers read the row groups themselves, and hand over results only.

Spark still says which files there are, what their columns are called and of which types they are, so that the
answer is that of forward(spark.read.parquet(path), …).
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as f

from penstock.spark.forward import forward
from penstock.spark.plan import plan
from penstock.spark.reference import TableRef
from penstock.spark.row_groups import Share, ahead, read, read_footer

__all__ = ["FileFooter", "forward_parquet", "share_out"]

FOOTER = "uri string, columns array<string>, rows array<long>"
# Rows of a task: not so few that starting it takes longer than its work, nor so many that others wait for it.
LEAST_ROWS, MOST_ROWS = 1 << 17, 1 << 20
BATCH_ROWS = 1 << 14

Constants = Mapping[str, Mapping[str, object]]  # by file and column


class FileFooter(NamedTuple):
    """What the end of a file tells: its columns, and the rows in each of its row groups."""

    uri: str
    columns: Sequence[str]
    rows: Sequence[int]


def forward_parquet(
    spark: SparkSession,
    path: str | os.PathLike[str] | Sequence[str],
    table: TableRef,
    *,
    id_columns: Sequence[str],
    json: str | None = None,
    names: bool = True,
) -> DataFrame:
    """What forward() gives for the Parquet files at a path, or at several, about twice as fast.

    Workers read the files with pyarrow, so they must see them, too. The files are those that are there now.
    """
    paths = [os.fspath(path)] if isinstance(path, str | os.PathLike) else list(path)
    frame = spark.read.parquet(*paths)
    planned = plan(frame.schema, table, id_columns, json, names)
    wanted = [frame.schema.names[place] for place in planned.columns]
    files = spark.createDataFrame([Row(uri) for uri in sorted(frame.inputFiles())], "uri string")
    footers = [FileFooter(*row) for row in files.mapInArrow(_footers, FOOTER).collect()]
    constants = _constants(frame, footers, wanted)
    if constants is None:
        return forward(frame, table, id_columns=id_columns, json=json, names=names)
    tasks = share_out(footers, constants, _parallelism(spark))
    schema = frame.select(*map(_quoted, wanted)).limit(0).toArrow().schema

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        numbers = (number for batch in batches for number in np.asarray(batch.column(0)).tolist())
        shares = (share for number in numbers for share in tasks[number])
        rows = (batch for share in shares for batch in read(share, schema, BATCH_ROWS))
        return ahead(planned.forwarding.run(ahead(rows)))  # read, matched and handed over at the same time

    if not tasks:
        return spark.createDataFrame([], planned.result)
    return spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(run, planned.result)


def _footers(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        uris = [str(uri) for uri in batch.column(0).to_pylist()]
        footers = [read_footer(uri) for uri in uris]
        columns = pa.array([columns for columns, _ in footers], pa.list_(pa.string()))
        rows = pa.array([rows for _, rows in footers], pa.list_(pa.int64()))
        yield pa.RecordBatch.from_arrays(
            [pa.array(uris, pa.string()), columns, rows], ["uri", "columns", "rows"]
        )


def _constants(frame: DataFrame, footers: Sequence[FileFooter], wanted: Sequence[str]) -> Constants | None:
    """The values of columns that a file does not hold: of partitions, or null, since the column is newer.

    None if neither is the case: then Spark has found the column under another spelling of its name.
    """
    absent = {
        file.uri: [name for name in wanted if name not in file.columns or _is_partition(name, file.uri)]
        for file in footers
    }
    names = sorted({name for of_file in absent.values() for name in of_file})
    if not names:
        return {uri: {} for uri in absent}
    asked = [ask(_quoted(name)) for name in names for ask in (f.first, f.count)]
    found: dict[str, dict[str, object]] = {uri: {} for uri in absent}
    for row in frame.groupBy(f.input_file_name()).agg(*asked).collect():
        answers = dict(zip(names, zip(row[1::2], row[2::2], strict=True), strict=True))
        for name in absent[row[0]]:
            value, count = answers[name]
            if count and not _is_partition(name, row[0]):
                return None
            found[row[0]][name] = value
    return found


def _is_partition(name: str, uri: str) -> bool:
    return f"/{name}=" in uri


def _parallelism(spark: SparkSession) -> int:
    """How many tasks the session runs at a time, as far as Spark knows: on Connect, only a job can tell."""
    parts = spark.range(1 << 12).select(f.spark_partition_id().alias("part"))
    return 1 + int(parts.agg(f.max("part")).collect()[0][0])


def share_out(footers: Sequence[FileFooter], constants: Constants, parallelism: int) -> list[list[Share]]:
    """The row groups of all files, shared out in their order: to all who can work, in tasks of fair size."""
    total = sum(count for file in footers for count in file.rows)
    enough = min(max(-(-total // parallelism), LEAST_ROWS), MOST_ROWS)
    tasks: list[list[Share]] = []
    rows = enough
    for file in footers:
        for group, count in enumerate(file.rows):
            if rows >= enough:
                tasks.append([])
                rows = 0
            tasks[-1].append(Share(file.uri, group, constants[file.uri]))
            rows += count
    return tasks


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
