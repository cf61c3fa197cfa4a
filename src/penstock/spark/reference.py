"""A reference to one version of a compiled table: small, immutable, all that a worker needs to find it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import SparkFiles
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from penstock.errors import TableFileError
from penstock.spark.layout import Layout, shard_file
from penstock.spark.refusals import REFUSED
from penstock.spark.worker import shard_table

__all__ = ["TableRef"]

FORMAT = 1
# How classic sessions and Spark Connect refuse to send another file of the same name.
SENT_BEFORE = ("DUPLICATED_ARTIFACT", "ARTIFACT_ALREADY_EXISTS")


@dataclass(frozen=True, slots=True)
class TableRef:
    """One version of a table under `path`; versions never change, so two equal references mean one table."""

    path: str
    version: str
    engine: str
    shards: int
    subscriptions: int
    interfaces: int
    rejected: int  #: rows that could not be subscribed; rejections() has them
    first_ids: tuple[int, ...]  #: of each shard: the id of its first interface
    names: tuple[str, ...]  #: attributes that filters ask for; others make no difference
    is_shipped: bool = False  #: workers have copies of the files, and need not see `path`

    @classmethod
    def open(cls, path: str | os.PathLike[str], version: str | None = None) -> "TableRef":
        """The current version, or the one named."""
        layout = Layout.at(path)
        version, manifest = layout.manifest(version)
        if manifest.pop("format", None) != FORMAT:
            problem = f"version {version} was written by another penstock; compile it anew"
            raise TableFileError(str(layout.path), problem)
        try:
            manifest |= {name: tuple(manifest[name]) for name in ("first_ids", "names")}
            return cls(str(layout.path), version, **manifest)
        except (KeyError, TypeError):
            raise TableFileError(str(layout.path), f"the manifest of {version} is damaged") from None

    def ship(self, spark: SparkSession) -> "TableRef":
        """Send the files to the workers of this session, which then need not see where they lie.

        They stay where they are while the session lasts: workers that come later fetch them then.
        """
        for number in range(self.shards):
            try:
                spark.addArtifacts(str(self.shard(number)), file=True)
            except PySparkException as error:
                # A file of that name means the same, though it may have been built another time.
                if error.getCondition() not in SENT_BEFORE:
                    raise
        return replace(self, is_shipped=True)

    def rejections(self, spark: SparkSession) -> DataFrame:
        """The rows that could not be subscribed: id, interface, filter, error."""
        directory = self.directory / "rejected"
        if not self.rejected:
            return spark.createDataFrame([], REFUSED)
        if self.is_shipped:  # then workers may not see the directory
            return spark.createDataFrame(pq.read_table(directory), REFUSED)
        return spark.read.schema(REFUSED).parquet(directory.as_uri())

    def interface_ids(self, spark: SparkSession) -> DataFrame:
        """What the ids of forward(names=False) stand for: id and interface, in the order of the names."""

        def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for number in np.asarray(batch.column(0)).tolist():
                    interfaces = shard_table(self, number).interfaces
                    names = [interfaces.name_of(place) for place in range(len(interfaces))]
                    ids = range(self.first_ids[number], self.first_ids[number] + len(names))
                    yield pa.RecordBatch.from_pydict(
                        {"id": pa.array(ids, pa.int32()), "interface": pa.array(names, pa.string())}
                    )

        return spark.range(0, self.shards, 1, self.shards).mapInArrow(read, "id int, interface string")

    @property
    def directory(self) -> Path:
        """Where the files of this version lie."""
        return Layout.at(self.path).version(self.version)

    def shard(self, number: int) -> Path:
        """The file of one shard; that of a table which was shipped is known to workers only."""
        name = shard_file(self.version, number)
        return Path(SparkFiles.get(name)) if self.is_shipped else self.directory / name
