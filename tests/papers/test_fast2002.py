"""The paper of 2002: its experiments at toy sizes, and claims that follow the readings."""

from dataclasses import replace

import pytest

from penstock.errors import ExperimentError
from penstock.papers.experiment import Experiment, Point, Reading, Readings, Setting
from penstock.papers.fast2002 import EXPERIMENTS, journey
from penstock.papers.fast2002.constraints import FIGURE_7A, FIGURE_7B
from penstock.papers.fast2002.contest import ENGINES
from penstock.papers.fast2002.example import SECTION_1, SPACE, table, workload
from penstock.papers.fast2002.excluded import SECTION_3
from penstock.papers.fast2002.network import SECTION_5_4
from penstock.papers.fast2002.ratio import FIGURE_8
from penstock.papers.fast2002.rounds import FIGURE_9
from penstock.papers.published import read_published
from penstock.papers.timing import count
from penstock.workload import filters

QUICK: dict[str, Setting] = {"repeats": 2, "slice": 1e-4}


def measured(experiment: Experiment, settings: dict[str, Setting]) -> Readings:
    return Readings(experiment.measure(Point("toy", QUICK | settings)))


def judged(experiment: Experiment, rows: list[Reading]) -> list[bool]:
    return [claim.holds for claim in experiment.claims(Readings(rows))]


@pytest.mark.parametrize(("interfaces", "name"), [(0, "F"), (20, "20")])
def test_all_engines_are_on_the_same_curve(interfaces: int, name: str) -> None:
    readings = measured(FIGURE_7A, {"I": interfaces, "constraints": 600})
    assert readings.series("time") == [f"{each.name}, I={name}" for each in ENGINES]
    assert {tuple(readings.xs("time", each)) for each in readings.series("time")} == {("600",)}


def test_routers_have_filters_for_all_their_interfaces() -> None:
    for point in FIGURE_7B.sweep("full"):
        assert int(point.settings["constraints"]) >= 25 * int(point.settings["I"])
    assert {point.settings["I"] for point in FIGURE_7B.sweep("small")} == {20, 200}


def times(selectivity: float, access: float) -> list[Reading]:
    """A central server that takes a microsecond for each thousand constraints without rounds."""
    shares = zip(ENGINES, (1.0, selectivity, access), strict=True)
    return [
        count(engine.on(0), size, "time", size / 1000 * share)
        for engine, share in shares
        for size in (1_000, 10_000)
    ]


def test_selectivity_pays_only_if_it_saves_time() -> None:
    assert judged(FIGURE_7A, times(0.6, 0.1)) == [True, True, True]
    assert judged(FIGURE_7A, times(1.3, 2.0)) == [True, False, False]


@pytest.mark.parametrize("ratio", [1, 10])
def test_the_ratio_is_where_a_reading_is_drawn(ratio: int) -> None:
    readings = measured(FIGURE_8, {"ratio": ratio, "constraints": 500})
    assert [readings.xs("time", each.name) for each in ENGINES] == [[str(ratio)]] * 3


def test_rounds_exclude_more_and_more() -> None:
    readings = measured(FIGURE_9, {"constraints": 2_000, "rounds": "1 10 50"})
    excluded = [share for _, share in readings.curve("excluded", "selectivity, C=2,000")]
    assert 0 < excluded[0] < excluded[1] < excluded[2] < 100
    level = {share for _, share in readings.curve("time", "access, C=2,000")}
    assert len(level) == 1


def rounds(first: float, best: float, last: float) -> list[Reading]:
    """Shares of the time of counting, with more and more rounds; access takes a tenth."""
    shares = {1: first, 60: best, 1000: last}
    return [
        *[count("selectivity, C=10", at, "time", share, "%") for at, share in shares.items()],
        *[count("access, C=10", at, "time", 10, "%") for at in shares],
        *[count("selectivity, C=10", at, "excluded", 60 + at**0.5, "%") for at in shares],
    ]


def test_rounds_gain_at_first_and_cost_in_the_end() -> None:
    assert judged(FIGURE_9, rounds(80, 60, 130)) == [True, True, True, True]
    assert judged(FIGURE_9, rounds(120, 110, 108)) == [False, False, True, True]


def test_the_mean_of_the_excluded_lies_between_fewest_and_most() -> None:
    readings = measured(SECTION_3, {"I": 1_000})
    found = [readings.get("predicates excluded", "first 10 entries", x) for x in ("fewest", "mean", "most")]
    assert 0 < found[0] < found[1] < found[2] < 1_000
    assert judged(SECTION_3, list(readings)) == [False]


def test_the_example_is_as_printed() -> None:
    readings = measured(SPACE, {"filters": 2_000, "constraints": 20})
    assert 0 < readings.get("neighbours reached", "neighbours", "2,000 of 20") < 20
    assert readings.get("bytes per constraint", "access", "2,000 of 20") > 0
    times = measured(SECTION_1, {"filters": 500, "constraints": 5})
    assert times.xs("time", "access") == ["500 of 5"]
    printed = {row.x for row in read_published() if row.experiment in ("2002-example", "2002-space")}
    assert printed == {table(SPACE.sweep("full")[0])} == {"250,000 of 20"}


def test_filters_of_the_example_have_as_many_constraints_as_it_says() -> None:
    texts = filters(workload(Point("", {"filters": 2_000, "constraints": 20})), 1)[1]
    mean = sum(text.count(" AND ") + 1 for text in texts) / len(texts)
    assert mean == pytest.approx(20, rel=0.05)
    assert len(texts) == pytest.approx(2_000, rel=0.05)


def test_the_network_is_timed_hop_by_hop() -> None:
    readings = measured(SECTION_5_4, {"engine": "access", "children": "2 2", "M": 200})
    hops = [time for _, time in readings.curve("time of a hop", "access")]
    assert len(hops) == 6
    assert readings.get("time", "access", "hops, added up") == pytest.approx(6 * hops[0])
    assert readings.get("network", "access", "interfaces of the first router") == 20


def test_a_network_that_loses_messages_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journey.Journey, "_deliver", lambda *_: None)
    with pytest.raises(ExperimentError, match="other destinations"):
        measured(SECTION_5_4, {"engine": "counting", "children": "2", "M": 30})


def test_messages_must_go_the_longest_way() -> None:
    with pytest.raises(ExperimentError, match="longest way"):
        measured(SECTION_5_4, {"engine": "counting", "children": "1", "M": 1})


def test_points_of_an_engine_do_not_depend_on_each_other() -> None:
    first, second = SECTION_5_4.sweep("small")
    assert replace(first, label="", settings={**first.settings, "engine": ""}) == replace(
        second, label="", settings={**second.settings, "engine": ""}
    )


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.key)
def test_the_whole_sweep_is_smaller_at_the_small_scale(experiment: Experiment) -> None:
    small, full = experiment.sweep("small"), experiment.sweep("full")
    assert 0 < len(small) <= len(full)
    assert len({point.label for point in full}) == len(full)
