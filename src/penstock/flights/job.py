"""The main job: departures and subscriptions in files, through everybody's pipeline, to a report."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from penstock.flights.departures import KEY, read_departures
from penstock.flights.figures import count_deliveries
from penstock.flights.samples import explain_some
from penstock.flights.story import Evidence, tell
from penstock.flights.subscriptions import Order, draw_subscriptions
from penstock.pipeline.job import Job, Result, run_staged
from penstock.pipeline.messages import Reading
from penstock.pipeline.output import staged
from penstock.pipeline.source import Source
from penstock.pipeline.stage import Stages
from penstock.report import render
from penstock.table import ForwardingTable

__all__ = ["run_flights"]

ROW_GROUP = 1 << 14  # small enough that every core has some


def run_flights(spark: SparkSession, out: Path, stages: Stages, order: Order) -> Result:
    """Run it, and publish everything at `out` at once."""
    with staged(out) as staging:
        with stages("prepare", "reading departures, drawing subscriptions") as stage:
            departures = read_departures()
            subscriptions = draw_subscriptions(departures, order)
            (staging / "input").mkdir()
            sources = {
                name: _keep(rows, staging, out, name)
                for name, rows in (("departures", departures), ("subscriptions", subscriptions))
            }
            stage.count(departures.num_rows + subscriptions.num_rows, "row")

        def finish(result: Result) -> dict[str, Any]:
            with stages("report", "writing the report"):
                return _report(result, departures, order, stages, out)

        job = Job(sources["departures"], sources["subscriptions"], reading=Reading(ids=KEY))
        result = run_staged(spark, job, staging, stages, finish)
    return replace(result, directory=out)


def _keep(rows: pa.Table, staging: Path, out: Path, name: str) -> Source:
    """Write an input where it will stay; places name it as it will be called."""
    file = staging / "input" / f"{name}.parquet"
    pq.write_table(rows, file, row_group_size=ROW_GROUP)
    return replace(Source.find(str(file)), alias=str(out / "input" / file.name))


def _report(result: Result, departures: pa.Table, order: Order, stages: Stages, out: Path) -> dict[str, Any]:
    directory = result.directory
    figures = count_deliveries(directory / "deliveries", result.ledger.unmatched, departures)
    loaded = ForwardingTable.load(result.table.shard(0))
    samples = explain_some(loaded, departures, directory, figures)
    found = Evidence(
        result.ledger, order, result.table, loaded, figures, samples, list(stages.done), directory, str(out)
    )
    (directory / "report.html").write_text(render(tell(found)), encoding="utf-8")
    stats = loaded.stats()
    return {"table": {"filters": stats.filters, "constraints": stats.constraints, "bytes": stats.total_bytes}}
