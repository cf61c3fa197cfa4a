"""What messages are like, told to a table that was just compiled: filters then stand where few messages go.

Answers stay the same, only faster. A sample is enough, but one of the whole input: files are often sorted by
the very attributes that filters ask for.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pyarrow as pa

from penstock._core import read_json
from penstock.errors import MessageError
from penstock.pipeline.lines import TEXT
from penstock.pipeline.messages import Intake, quoted
from penstock.spark import TableRef
from penstock.spark.schema import is_attribute
from penstock.table import ForwardingTable

__all__ = ["observe"]

SAMPLE = 10_000
SEED = 1


def observe(table: TableRef, intake: Intake) -> int:
    """Show some messages to every shard of a table that nobody uses yet; how many they were."""
    if not table.names:  # nobody asks for anything
        return 0
    sample = _sample(table, intake)
    messages = list(_readable(sample)) if intake.json else sample
    for number in range(table.shards):
        path = table.shard(number)
        shard = ForwardingTable.load(path)
        with suppress(
            MessageError
        ):  # a value that no message can have: it is rejected later, here it is no use
            shard.observe(messages)
        shard.save(path)
    return sample.num_rows


def _sample(table: TableRef, intake: Intake) -> pa.Table:
    """Some rows, and of these the columns that filters ask for."""
    asked = {name.split(".")[0] for name in table.names}
    fields = [field for field in intake.frame.schema.fields if is_attribute(field.dataType)]
    columns = [TEXT] if intake.json else [field.name for field in fields if field.name in asked]
    share = min(1.0, SAMPLE / max(intake.census.total, 1))
    chosen = intake.frame.select(*map(quoted, columns)).sample(fraction=share, seed=SEED)
    sample: pa.Table = chosen.limit(2 * SAMPLE).toArrow()
    return sample


def _readable(texts: pa.Table) -> Iterator[Mapping[str, Any]]:
    for text in texts.column(0).cast(pa.binary()).to_pylist():
        with suppress(MessageError):
            yield read_json(text or b"")
