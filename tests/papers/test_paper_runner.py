"""Points on Spark: a task each, failures that name themselves, results that survive being saved."""

import math
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from fake_papers import RUN, experiment, reading, result
from penstock.errors import ExperimentError, InputError
from penstock.papers import Experiment, Point, Reading, Scale
from penstock.papers.measuring import Measuring, pack, unpack
from penstock.papers.result import begin, check_scale, read_results, write_result
from penstock.papers.runner import describe_run, run_experiment
from penstock.pipeline.output import check_goal


def many(*, timed: bool) -> Experiment:
    """Nine points in no order, of which one fails, one finds nothing and one is no number."""

    def sweep(_: Scale) -> list[Point]:
        return [Point(f"n={n}", {"n": n}) for n in (5, 3, 8, 1, 9, 2, 7, 4, 6)]

    def measure(point: Point) -> Iterable[Reading]:
        n = int(point.settings["n"])
        if n == 8:
            raise ValueError("eight is too many")
        value = math.nan if n == 2 else float(n)
        return [] if n == 9 else [Reading("a", str(n), "n", "", value, value, value)]

    return replace(experiment(timed=timed), sweep=sweep, measure=measure)


@pytest.mark.parametrize("timed", [True, False])
def test_a_point_that_fails_names_itself_and_the_others_are_kept(spark: SparkSession, timed: bool) -> None:
    told: list[tuple[int, int, str]] = []
    run = describe_run(spark, "small", "penstock papers run fake")
    found = run_experiment(spark, many(timed=timed), run, lambda *note: told.append(note))
    assert found.readings.xs("n", "a") == ["5", "3", "1", "7", "4", "6"]
    assert found.failures == [
        ("fake, n=8", "ValueError: eight is too many"),
        ("fake, n=9", "ExperimentError: it gave no reading"),
        ("fake, n=2", "ExperimentError: n of a at 2: nan is not between nan and nan"),
    ]
    assert found.seconds > 0
    assert (run.scale, run.spark, run.command) == ("small", spark.version, "penstock papers run fake")
    if timed:
        assert told[:2] == [(0, 9, "n=5"), (1, 9, "n=3")]
        assert len(told) == 9
    else:
        assert told == [(0, 9, "9 points")]


@pytest.mark.parametrize("timed", [True, False])
def test_a_point_that_kills_its_worker_is_found_and_the_others_are_kept(
    spark: SparkSession, timed: bool
) -> None:
    def measure(point: Point) -> Iterable[Reading]:
        if point.settings["n"] == 20:
            os._exit(3)
        return [Reading("a", "10", "time", "µs", 2.0, 1.0, 3.0)]

    found = run_experiment(spark, replace(experiment(timed=timed), measure=measure), RUN)
    assert found.readings.xs("time", "a") == ["10"]
    ((point, why),) = found.failures
    assert point == "fake, n=20"
    assert why.startswith("its worker died: ")


def test_a_sweep_has_points(spark: SparkSession) -> None:
    empty = replace(experiment(), sweep=lambda _: [])
    with pytest.raises(ExperimentError, match="fake: its sweep has no points"):
        run_experiment(spark, empty, RUN)


@pytest.mark.parametrize("setting", [math.inf, object()])
def test_settings_must_be_json(setting: object) -> None:
    with pytest.raises(ExperimentError, match="n=1: its settings cannot be written as JSON"):
        pack(Point("n=1", {"n": setting}))  # type: ignore[dict-item]


def test_points_come_back_as_they_were() -> None:
    point = Point("I=20, µ", {"n": 1, "x": 0.5, "name": "a"})
    assert unpack(pack(point)) == point


def test_a_reading_lies_within_its_own_spread() -> None:
    outside = Reading("a", "1", "n", "", 5.0, 1.0, 2.0)
    row = Measuring(lambda _: [outside], [pack(Point("p"))]).take(0).to_pylist()[0]
    assert row["error"] == "ExperimentError: n of a at 1: 5.0 is not between 1.0 and 2.0"
    assert row["value"] is None


def test_results_are_saved_and_read_in_the_order_of_the_catalogue(tmp_path: Path) -> None:
    one, other = experiment("one"), experiment("other")
    for each in (other, one):
        write_result(tmp_path, result(each, [reading()], [("n=20", "no room")]))
    write_result(tmp_path, result(one, [reading(value=7.0)]))
    found = read_results(tmp_path, [one, experiment("never run"), other])
    assert [each.experiment.key for each in found] == ["one", "other"]
    assert list(found[0].readings) == [reading(value=7.0)]
    assert found[1].failures == [("other, n=20", "no room")]
    assert (found[1].run, found[1].seconds) == (RUN, 2.0)
    assert sorted(place.name for place in tmp_path.rglob("*")) == ["one.parquet", "other.parquet", "readings"]


@pytest.mark.parametrize("kind", ["no parquet", "foreign", "other experiment", "other columns"])
def test_a_file_that_holds_something_else_is_refused(tmp_path: Path, kind: str) -> None:
    made = experiment()
    write_result(tmp_path, result(experiment("other" if kind == "other experiment" else "fake"), [reading()]))
    place = tmp_path / "readings" / "fake.parquet"
    if kind == "no parquet":
        place.write_bytes(b"PAR1 or not")
    elif kind == "foreign":
        pq.write_table(pa.table({"a": [1]}), place)
    elif kind == "other experiment":
        place.with_name("other.parquet").rename(place)
    else:
        table = pq.read_table(place)
        pq.write_table(table.drop_columns(["seconds"]), place)
    with pytest.raises(InputError, match="holds no results of this experiment that this version can read"):
        read_results(tmp_path, [made])


def test_a_directory_holds_one_scale_and_is_known_as_ours(tmp_path: Path) -> None:
    goal = tmp_path / "out"
    check_scale(goal, "full")
    begin(goal, "small")
    write_result(goal, result(experiment(), [reading()]))
    check_goal(goal)
    check_scale(goal, "small")
    with pytest.raises(InputError, match="holds results of scale small; choose another directory"):
        check_scale(goal, "full")
    (goal / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"holds thesis\.tex"):
        check_goal(goal)
