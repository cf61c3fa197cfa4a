"""What the deliveries of the main job show: counts by interface, route, day, and how many want a departure.

They are some millions of rows with few values, which Arrow counts in the driver before Spark has a plan.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from penstock.flights.departures import KEY

__all__ = ["Figures", "Ranking", "count_deliveries"]

pc: Any = pyarrow.compute  # which can do more than its stubs know
Ranking = list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts; rankings are complete, the largest first."""

    fan_out: dict[int, int]  #: departures by how many interfaces want them, 0 too
    days: dict[str, int]  #: deliveries by day, all days in order
    interfaces: Ranking
    kinds: Ranking
    flights: Ranking
    routes: Ranking
    departures: dict[str, int]  #: by route
    most_wanted: tuple[dict[str, str], int]  #: the key of one departure, and how many want it


def count_deliveries(directory: Path, unmatched: int, departures: pa.Table) -> Figures:
    """Count what was written."""
    rows = pq.ParquetDataset(directory).read()
    each = rows.group_by(list(KEY)).aggregate([([], "count_all")])
    counts = {row["values"]: row["counts"] for row in pc.value_counts(each["count_all"]).to_pylist()}
    most = each.sort_by([("count_all", "descending"), *((name, "ascending") for name in KEY)]).slice(0, 1)
    names = rows["interface"]
    first = most.to_pylist()[0] if most.num_rows else dict.fromkeys((*KEY, "count_all"), 0)
    return Figures(
        fan_out={0: unmatched, **dict(sorted(counts.items()))},
        days=dict(sorted(_summed(each, departures, _day(departures)))),
        interfaces=_ranked(names),
        kinds=_ranked(pc.list_element(pc.split_pattern(names, "-"), 0)),
        flights=_ranked(rows["flight"]),
        routes=_summed(each, departures, _route(departures)),
        departures=dict(_ranked(_route(departures))),
        most_wanted=({name: str(first[name]) for name in KEY}, int(first["count_all"])),
    )


def _summed(each: pa.Table, departures: pa.Table, labels: Any) -> Ranking:
    """The deliveries of each departure, summed by what the labels of the departures say."""
    known = departures.select(list(KEY)).append_column("label", labels)
    summed = each.join(known, list(KEY)).group_by("label").aggregate([("count_all", "sum")])
    found = zip(summed["label"].to_pylist(), summed["count_all_sum"].to_pylist(), strict=True)
    return _sorted((str(label), int(count or 0)) for label, count in found)


def _day(rows: pa.Table) -> Any:
    """The date in New York, which the time stamps do not tell: they are in UTC."""
    numbers = [pc.utf8_lpad(pc.cast(rows[name], pa.string()), 2, "0") for name in ("year", "month", "day")]
    return pc.binary_join_element_wise(*numbers, "-")


def _route(rows: pa.Table) -> Any:
    return pc.binary_join_element_wise(rows["origin"], rows["dest"], " → ")


def _ranked(values: Any) -> Ranking:
    return _sorted((row["values"], row["counts"]) for row in pc.value_counts(values).to_pylist())


def _sorted(pairs: Iterable[tuple[str, int]]) -> Ranking:
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
