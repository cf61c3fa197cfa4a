"""What runs in a worker: points come by their number, are measured, and become rows.

A point that fails becomes a row that says so; nothing a point does can lose what others have found.
"""

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass

import numpy as np
import pyarrow as pa

from penstock.errors import ExperimentError
from penstock.papers.experiment import Point, Reading

__all__ = ["COLUMNS", "Measuring", "pack", "unpack"]

COLUMNS: dict[str, pa.DataType] = {
    "point": pa.int32(),
    "label": pa.string(),
    "series": pa.string(),
    "x": pa.string(),
    "quantity": pa.string(),
    "unit": pa.string(),
    "value": pa.float64(),
    "low": pa.float64(),
    "high": pa.float64(),
    "seconds": pa.float64(),  # that the whole point took
    "error": pa.string(),  # in the only row of a point that failed
}


def pack(point: Point) -> str:
    """A point as JSON."""
    try:
        return json.dumps(asdict(point), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ExperimentError(f"its settings cannot be written as JSON: {error}", point.label) from None


def unpack(text: str) -> Point:
    """What `pack` wrote."""
    return Point(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Measuring:
    """How to measure, and the points as JSON; a partition says by number which of them are its own."""

    measure: Callable[[Point], Iterable[Reading]]
    points: Sequence[str]

    def run(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """A batch for each point."""
        for batch in batches:
            for number in np.asarray(batch.column(0)).tolist():
                yield self.take(number)

    def take(self, number: int) -> pa.RecordBatch:
        """The rows of one point."""
        point = unpack(self.points[number])
        start = time.perf_counter()
        try:
            found = [astuple(_checked(reading)) for reading in self.measure(point)]
            if not found:
                raise ExperimentError("it gave no reading")
        except Exception as error:  # whatever it is, it is this point's
            return self.fail(number, f"{type(error).__name__}: {error}", time.perf_counter() - start)
        spent = time.perf_counter() - start
        return _batch([(number, point.label, *reading, spent, None) for reading in found])

    def fail(self, number: int, why: str, seconds: float = 0.0) -> pa.RecordBatch:
        """The row of a point that could not be measured."""
        return _batch([(number, unpack(self.points[number]).label, *[None] * 7, seconds, why)])


def _checked(reading: Reading) -> Reading:
    """A reading that is a number within its own spread."""
    ordered = reading.low <= reading.value <= reading.high
    if not ordered or not all(map(math.isfinite, (reading.low, reading.high))):
        raise ExperimentError(
            f"{reading.value} is not between {reading.low} and {reading.high}",
            f"{reading.quantity} of {reading.series} at {reading.x}",
        )
    return reading


def _batch(rows: list[tuple[object, ...]]) -> pa.RecordBatch:
    columns = [
        pa.array(values, kind) for values, kind in zip(zip(*rows, strict=True), COLUMNS.values(), strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, names=list(COLUMNS))
