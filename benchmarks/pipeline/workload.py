"""Messages of ten nullable attributes, and subscriptions of one equality and two ranges.

`key = 'k17' AND a >= 300 AND b < 800`: about 5 match a message. Spark draws both, in SQL. There are as many
keys as asked for, and the more subscriptions a key has, the tighter their bounds. With a key for every 25
subscriptions the key alone says nearly everything; with forty keys, say of states or of plants, it does not.
The ranges are on the same two attributes in all subscriptions, which is what a join finds easiest. A join
reads only the columns that it asks for, and so does ours; where ours is to take as much as a worker that gets
all ten attributes and does nothing with them, one more subscription asks for all the others.
"""

import math
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from penstock.spark import TableRef, compile_table

__all__ = ["ATTRIBUTES", "Workload"]

MATCHES = 5
THERE = 0.9  # the share of messages that have an attribute
VALUES = 1000
ATTRIBUTES = ["key", "a", "b", "c", "d", "e", "f", "g", "h", "i"]
ROW_GROUP_ROWS = 125_000


@dataclass(frozen=True, slots=True)
class Workload:
    """So many messages for so many subscriptions, in files under a directory."""

    directory: Path
    messages: int
    subscriptions: int
    keys: int
    seed: int

    @property
    def path(self) -> str:
        """The messages, as Parquet."""
        return str(self.directory / f"messages-{self.messages}-{self.keys}")

    def write_messages(self, spark: SparkSession) -> None:
        """Draw the messages."""
        parts = max(1, self.messages // ROW_GROUP_ROWS)
        drawn = spark.range(0, self.messages, 1, parts).selectExpr("id", *self._attributes())
        drawn.write.mode("overwrite").parquet(self.path)

    def read(self, spark: SparkSession) -> DataFrame:
        """The messages."""
        return spark.read.parquet(self.path)

    def wanted(self, spark: SparkSession) -> DataFrame:
        """The subscriptions as a join wants them: interface, key, and the two bounds."""
        return spark.range(self.subscriptions).selectExpr(
            "concat('i', id) AS interface",
            f"concat('k', id % {self.keys}) AS wanted",
            f"{VALUES} - {self._uniform(100, self._span)} AS low",
            f"{self._uniform(101, self._span)} AS high",
        )

    def filters(self, spark: SparkSession, *, all_columns: bool) -> DataFrame:
        """The subscriptions as texts, with one that asks for everything else if all columns are wanted."""
        text = "concat(\"key = '\", wanted, \"' AND a >= \", low, ' AND b < ', high) AS filter"
        filters = self.wanted(spark).selectExpr("interface", text)
        if not all_columns:
            return filters
        others = " AND ".join(f"EXISTS {name}" for name in ATTRIBUTES[3:])
        nobody = spark.createDataFrame(
            [("nobody", f"key = 'none' AND {others}")], "interface string, filter string"
        )
        return filters.union(nobody)

    def compiled(self, spark: SparkSession, *, all_columns: bool) -> TableRef:
        """The table."""
        name = f"table-{self.subscriptions}-{self.keys}-{'all' if all_columns else 'some'}"
        return compile_table(self.filters(spark, all_columns=all_columns), self.directory / name)

    @property
    def _span(self) -> int:
        """How far bounds lie from the end of the values: one of them holds for half of that share."""
        of_a_key = max(1.0, self.subscriptions / self.keys) * THERE**3
        return min(VALUES, round(2 * VALUES * math.sqrt(MATCHES / of_a_key)))

    def _uniform(self, column: int, values: int = VALUES) -> str:
        """A number below `values` that depends on the row, the column and the seed."""
        return f"pmod(xxhash64(id, {column}, {self.seed}), {values})"

    def _attributes(self) -> list[str]:
        values = {
            "key": f"concat('k', {self._uniform(0, self.keys)})",
            **{name: self._uniform(number) for number, name in enumerate("abcd", 1)},
            **{name: f"{self._uniform(number)} / 7D" for number, name in enumerate("ef", 5)},
            **{name: f"concat('s', {self._uniform(number, 100)})" for number, name in enumerate("gh", 7)},
            "i": f"{self._uniform(9, 2)} = 0",
        }
        # One in ten is not there.
        return [
            f"if({self._uniform(50 + number, 10)} = 0, NULL, {values[name]}) AS {name}"
            for number, name in enumerate(ATTRIBUTES)
        ]
