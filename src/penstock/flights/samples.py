"""Some departures of the main job, explained: why an interface wants one, and what a near miss lacks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from penstock.explain import Explanation
from penstock.flights.figures import Figures
from penstock.report import Sample
from penstock.table import ForwardingTable

__all__ = ["explain_some"]

pc: Any = pyarrow.compute  # which can do more than its stubs know
SHOWN = (
    "flight", "origin", "dest", "time_hour", "month", "day", "hour", "dep_time", "dep_delay", "arr_time",
    "arr_delay", "air_time", "distance", "carrier", "tailnum",
)  # fmt: skip
KINDS = {
    "hotel": "A late arrival, for a hotel",
    "fleet": "An aircraft, for its owner",
    "noise": "A departure at night, for the neighbours",
}
Message = dict[str, Any]


def explain_some(table: ForwardingTable, departures: pa.Table, out: Path, figures: Figures) -> list[Sample]:
    """The most wanted departure, a match for some kinds of interface, and near misses of unwanted ones."""
    matches = _matches(table, departures, out / "deliveries", figures)
    return [*matches, *_misses(table, departures, out / "unmatched")]


def _matches(
    table: ForwardingTable, departures: pa.Table, directory: Path, figures: Figures
) -> Iterator[Sample]:
    key, wanted = figures.most_wanted
    if not wanted:
        return
    deliveries = pq.ParquetDataset(directory).read()
    most = _find(departures, key)
    title = f"The most wanted departure of the year: {wanted} interfaces"
    yield _sample(title, most, table.explain(most, sorted(table.match(most))[0], limit=1))
    for kind, title in KINDS.items():
        of_kind = deliveries.filter(pc.starts_with(deliveries["interface"], f"{kind}-"))
        of_kind = of_kind.sort_by([(name, "ascending") for name in of_kind.column_names])
        if of_kind.num_rows:
            row = of_kind.slice(of_kind.num_rows // 2, 1).to_pylist()[0]
            message = _find(departures, {name: row[name] for name in key})
            yield _sample(title, message, table.explain(message, row["interface"], limit=1))


def _misses(table: ForwardingTable, departures: pa.Table, directory: Path) -> Iterator[Sample]:
    """Of the departures that nobody wants: the latest one, and the first of the year that was cancelled."""
    lines: Any = pq.ParquetDataset(directory).read(columns=["line"])["line"]
    nobody = departures.take(sorted(line - 1 for line in lines.to_pylist()))
    late = nobody.sort_by([("dep_delay", "descending")]).slice(0, 1)
    cancelled = nobody.filter(nobody["dep_time"].is_null()).slice(0, 1)
    titles = (
        "The latest departure that nobody wants, and the nearest miss",
        "A cancelled one that nobody wants",
    )
    for title, rows in zip(titles, (late, cancelled), strict=True):
        for row in rows.to_pylist():
            message = _without_nulls(row)
            yield _sample(title, message, _nearest(table, message))


def _nearest(table: ForwardingTable, message: Message) -> Explanation:
    """The interface whose best filter failed in the fewest places; a longer filter is the closer call."""

    def distance(explanation: Explanation) -> tuple[int, int, str]:
        best = explanation.filters[0]
        return len(best.failures), -len(best.constraints), explanation.interface

    return min((table.explain(message, name, limit=1) for name in table.interfaces), key=distance)


def _find(departures: pa.Table, key: dict[str, str]) -> Message:
    mask = pc.and_(*(pc.equal(departures[name], value) for name, value in key.items()))
    return _without_nulls(departures.filter(mask).slice(0, 1).to_pylist()[0])


def _without_nulls(row: Message) -> Message:
    return {
        name: _without_nulls(value) if isinstance(value, dict) else value
        for name, value in row.items()
        if value is not None
    }


def _sample(title: str, message: Message, explanation: Explanation) -> Sample:
    shown = {name: message[name] for name in SHOWN if name in message}
    aircraft = {f"aircraft.{name}": value for name, value in message.get("aircraft", {}).items()}
    return Sample(title, shown | aircraft, explanation)
