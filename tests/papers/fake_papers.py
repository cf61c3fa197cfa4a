"""Tiny experiments that are no paper's, and results of them that nobody had to measure."""

from collections.abc import Iterable
from dataclasses import astuple

import pyarrow as pa

from penstock.papers import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.measuring import COLUMNS
from penstock.papers.published import Published
from penstock.papers.result import Result, Run

__all__ = ["RUN", "experiment", "printed", "reading", "result"]

RUN = Run(
    scale="full", machine="a machine", cpu="a cpu", python="3", penstock="0", commit="abc", when="today",
    spark="4", command="penstock papers run",
)  # fmt: skip


def reading(series: str = "a", x: str = "10", value: float = 2.0, quantity: str = "time") -> Reading:
    return Reading(series, x, quantity, "µs", value, value / 2, value * 2)


def printed(key: str = "fake", series: str = "a", x: str = "10", value: float = 2.0) -> Published:
    return Published(key, series, x, "time", "µs", value, "p. 1", "Table 1", "a remark")


def experiment(
    key: str = "fake", agrees: float | None = 1.1, claims: Iterable[Claim] = (), *, timed: bool = False
) -> Experiment:
    """Two points; each gives what its settings say."""

    def sweep(scale: Scale) -> list[Point]:
        return [Point(f"n={n}", {"n": n, "scale": scale}) for n in (10, 20)]

    def measure(point: Point) -> Iterable[Reading]:
        return [Reading("a", str(point.settings["n"]), "time", "µs", 2.0, 1.0, 3.0)]

    def judge(_: Readings) -> Iterable[Claim]:
        return claims

    plots = (Plot("time", "Times", "n", "µs", log_x=True, log_y=True),)
    return Experiment(
        key, "streams", "Figure 1", "what it shows", timed, sweep, measure, judge, plots, agrees
    )


def result(made: Experiment, readings: Iterable[Reading], failures: Iterable[tuple[str, str]] = ()) -> Result:
    rows: list[tuple[object, ...]] = [(0, "a point", *astuple(each), 1.5, None) for each in readings]
    rows += [(1, label, *[None] * 7, 0.5, why) for label, why in failures]
    columns = zip(*rows, strict=True) if rows else [()] * len(COLUMNS)
    arrays = [pa.array(values, kind) for values, kind in zip(columns, COLUMNS.values(), strict=True)]
    return Result(made, RUN, pa.Table.from_arrays(arrays, names=list(COLUMNS)))
