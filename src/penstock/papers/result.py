"""What an experiment gave, and the Parquet file that it is kept in.

A file is written beside its place and renamed, so that it is there whole or not at all; where and when it was
measured is in its metadata, so that results of several runs can lie in one directory.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from penstock.errors import InputError
from penstock.papers.experiment import Experiment, Reading, Readings, Scale
from penstock.papers.measuring import COLUMNS
from penstock.pipeline.output import MANIFEST, write_manifest

__all__ = ["PAGE", "PLOTS", "Result", "Run", "begin", "check_scale", "read_results", "write_result"]

READINGS, PLOTS, PAGE = "readings", "plots", "report.html"  # what a directory of results holds
META = b"penstock"


@dataclass(frozen=True, slots=True)
class Run:
    """Where, when and how something was measured."""

    scale: Scale
    machine: str
    cpu: str
    python: str
    penstock: str
    commit: str
    when: str
    spark: str
    command: str


@dataclass(frozen=True, slots=True)
class Result:
    """The readings of one experiment, and the points that failed with the reason."""

    experiment: Experiment
    run: Run
    rows: pa.Table

    @property
    def readings(self) -> Readings:
        """All that was measured."""
        columns = ["series", "x", "quantity", "unit", "value", "low", "high"]
        rows = self.rows.filter(self.rows["error"].is_null()).select(columns)
        return Readings(Reading(**row) for row in rows.to_pylist())

    @property
    def failures(self) -> list[tuple[str, str]]:
        """Points by their label, and why."""
        rows = self.rows.filter(self.rows["error"].is_valid()).select(["label", "error"])
        return [(f"{self.experiment.key}, {row['label']}", row["error"]) for row in rows.to_pylist()]

    @property
    def seconds(self) -> float:
        """What all points took, one after the other."""
        took = {row["point"]: row["seconds"] for row in self.rows.select(["point", "seconds"]).to_pylist()}
        return float(sum(took.values()))


def check_scale(directory: Path, scale: Scale) -> None:
    """Refuse a directory with results of another scale: one report is about one."""
    try:
        there = json.loads((directory / MANIFEST).read_text(encoding="utf-8")).get("scale", scale)
    except (OSError, ValueError, AttributeError):
        return
    if there != scale:
        raise InputError(str(directory), None, f"holds results of scale {there}; choose another directory")


def begin(directory: Path, scale: Scale) -> None:
    """Make a directory ours, so that results can be put into it as they come."""
    directory.mkdir(parents=True, exist_ok=True)
    write_manifest(directory, {"entries": [MANIFEST, READINGS, PLOTS, PAGE], "scale": scale})


def write_result(directory: Path, result: Result) -> None:
    """Put a result into a directory of them, in place of an earlier one of the same experiment."""
    place = directory / READINGS / f"{result.experiment.key}.parquet"
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = place.with_name(f".{place.name}.{os.getpid()}")
    meta = {"experiment": result.experiment.key, **asdict(result.run)}
    pq.write_table(result.rows.replace_schema_metadata({META: json.dumps(meta).encode()}), aside)
    aside.replace(place)


def read_results(directory: Path, experiments: Sequence[Experiment]) -> list[Result]:
    """The results that a directory holds, in the order of the catalogue."""
    results = []
    for experiment in experiments:
        place = directory / READINGS / f"{experiment.key}.parquet"
        if place.is_file():
            results.append(_read(place, experiment))
    return results


def _read(place: Path, experiment: Experiment) -> Result:
    try:
        rows = pq.read_table(place)
        meta = json.loads((rows.schema.metadata or {})[META])
        if meta.pop("experiment") != experiment.key or rows.schema.names != list(COLUMNS):
            raise ValueError("other columns")
        return Result(experiment, Run(**meta), rows.replace_schema_metadata(None))
    except (KeyError, TypeError, ValueError, pa.ArrowException) as error:
        message = "holds no results of this experiment that this version can read; run it again"
        raise InputError(str(place), None, message) from error
