"""Messages from files to deliveries in files: forwarded once, then sorted by what became of each row.

What forwarding gives is written down before it is sorted, so that counts and outputs are of one and the same
result, whatever Spark computes anew.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from penstock.pipeline.kind import HEADER, KIND, MATCHED, REJECTED, SKIPPED, UNMATCHED, kind_of
from penstock.pipeline.ledger import Ledger
from penstock.pipeline.lines import TEXT
from penstock.pipeline.messages import Intake, quoted
from penstock.pipeline.place import LINE, NAME, PLACE, Places
from penstock.pipeline.store import count_parquet, in_order, read_parquet, write_parquet
from penstock.pipeline.subscriptions import Compiled
from penstock.pipeline.types import FAULT
from penstock.spark import TableRef, forward
from penstock.spark.schema import is_attribute

__all__ = ["Forwarded", "forward_messages", "write_outputs"]

FEW = 100_000  # rows that can be sent to all workers


@dataclass(frozen=True, slots=True)
class Forwarded:
    """Every row of the input with its place, its kind, and the interfaces that want it."""

    intake: Intake
    rows: DataFrame
    ledger: Ledger  #: before anything was written


def forward_messages(spark: SparkSession, intake: Intake, table: TableRef, work: Path) -> Forwarded:
    """Forward everything, write it to `work`, and count what became of it."""
    result = forward(_matchable(intake, table), table, id_columns=intake.carried, json=intake.json)
    is_text = TEXT in intake.carried
    error = f.coalesce(FAULT, "error") if FAULT in intake.carried else f.col("error")
    columns: list[Column | str] = [*PLACE, *map(quoted, intake.ids), "interfaces", error.alias("error")]
    kind = kind_of(is_text=is_text, error=error)
    if is_text:  # of what is delivered, the text is not needed
        columns.append(f.when(kind != MATCHED, f.make_valid_utf8(TEXT)).alias(TEXT))
    write_parquet(result.select(*columns, kind.alias(KIND)), work / "forwarded")
    kept = read_parquet(spark, work / "forwarded")
    names = intake.census.names
    rows = (Places.numbered(names) if intake.numbered else Places.counted(kept, names)).on(kept)
    if intake.has_header:
        rows = rows.withColumn(KIND, f.when(f.col(LINE) == 1, HEADER).otherwise(f.col(KIND)))
    return Forwarded(intake, rows, _count(rows if intake.has_header else kept, intake))


def _matchable(intake: Intake, table: TableRef) -> DataFrame:
    """Without the columns that no message can have, as long as no filter asks for them."""
    asked = {name.split(".")[0] for name in table.names} | set(intake.carried)
    useless = [
        field.name
        for field in intake.frame.schema.fields
        if not is_attribute(field.dataType) and field.name not in asked
    ]
    return intake.frame.drop(*useless)


def write_outputs(done: Forwarded, compiled: Compiled | None, goal: Path) -> Ledger:
    """Write deliveries, unmatched and rejected below `goal`, and finish the accounts."""
    rejected = _rejected(done)
    if compiled is not None:
        rejected = compiled.rejections.unionByName(rejected)
    outputs = {
        "deliveries": _deliveries(done),
        "unmatched": _unmatched(done),
        "rejected": in_order(rejected),
    }
    with ThreadPoolExecutor() as pool:  # Spark plans one while it writes the other
        list(pool.map(lambda name: write_parquet(outputs[name], goal / name), outputs))
    return replace(
        done.ledger,
        written={name: count_parquet(goal / name) for name in outputs},
        subscriptions=compiled.counts if compiled else None,
    )


def _count(rows: DataFrame, intake: Intake) -> Ledger:
    wanted = f.coalesce(f.sum(f.size("interfaces")), f.lit(0)).alias("wanted")
    counted = rows.groupBy(KIND).agg(f.count(f.lit(1)).alias("count"), wanted).collect()
    counts = {row[KIND]: row["count"] for row in counted}
    return Ledger(
        rows=intake.census.total,
        skipped=counts.get(SKIPPED, 0) + counts.get(HEADER, 0),
        matched=counts.get(MATCHED, 0),
        unmatched=counts.get(UNMATCHED, 0),
        rejected=counts.get(REJECTED, 0),
        deliveries=sum(row["wanted"] for row in counted if row[KIND] == MATCHED),
    )


def _deliveries(done: Forwarded) -> DataFrame:
    """One row for each message and interface: what names the message, and the interface."""
    named = [f.col(quoted(name)) for name in done.intake.ids] or _place()
    return _of_kind(done, MATCHED).select(*named, f.explode("interfaces").alias("interface"))


def _unmatched(done: Forwarded) -> DataFrame:
    return _with_row(done, _of_kind(done, UNMATCHED), done.ledger.unmatched).select(*_place(), "row")


def _rejected(done: Forwarded) -> DataFrame:
    rows = _with_row(done, _of_kind(done, REJECTED), done.ledger.rejected)
    return rows.select(f.lit("messages").alias("input"), *_place(), "row", "error")


def _of_kind(done: Forwarded, kind: str) -> DataFrame:
    return done.rows.where(f.col(KIND) == kind)


def _with_row(done: Forwarded, rows: DataFrame, count: int) -> DataFrame:
    """The rows with themselves as text in the column `row`: the line, or JSON where there was none."""
    if TEXT in rows.columns:
        return rows.withColumn("row", f.col(TEXT))
    if not count:  # nothing to look up
        return rows.withColumn("row", f.lit(None).cast("string"))
    inputs = done.intake.frame.drop(FAULT)
    content = [f.col(quoted(name)) for name in inputs.columns if name not in PLACE]
    wanted = rows.select(*PLACE, NAME, LINE, f.col("error").alias(FAULT))
    found = inputs.join(f.broadcast(wanted) if count <= FEW else wanted, list(PLACE))
    return found.select(NAME, LINE, f.to_json(f.struct(*content)).alias("row"), f.col(FAULT).alias("error"))


def _place() -> list[Column]:
    return [f.col(NAME).alias("file"), f.col(LINE).alias("line")]
