"""The workload of the streams paper, tables that grow, and times that a quiet machine would take."""

from dataclasses import replace

import pytest

from penstock.errors import ExperimentError
from penstock.papers.experiment import Point
from penstock.papers.streams.quiet import quiet
from penstock.papers.streams.sweep import check_agreement, grow, point, workload_of
from penstock.papers.streams.workload import VALUES, WILDCARDS, Wildcards, Workload, table_of

SEED = 7


@pytest.mark.parametrize("wildcards", WILDCARDS)
@pytest.mark.parametrize("depth", [3, 10])
def test_patterns_are_as_the_paper_says(wildcards: Wildcards, depth: int) -> None:
    workload = Workload(500, depth, wildcards, SEED)
    drawn = [pattern.split("/") for pattern in workload.patterns()]
    assert len(drawn) == 500
    assert {len(levels) for levels in drawn} == {depth}
    assert {levels[0] for levels in drawn} <= {f"v{n}" for n in range(VALUES)}
    counts = {levels.count("*") for levels in drawn}
    assert counts == ({1} if wildcards == "one wildcard" else set(range(1, depth)))
    assert workload.patterns() == workload.patterns()
    assert workload.patterns() != replace(workload, seed=SEED + 1).patterns()


def test_there_may_be_more_values_than_the_paper_says() -> None:
    drawn = Workload(2_000, 3, "one wildcard", SEED, values=1_000).patterns()
    firsts = {int(pattern.split("/")[0][1:]) for pattern in drawn}
    assert VALUES < len(firsts) <= 1_000
    assert max(firsts) < 1_000


def test_a_pass_that_was_disturbed_does_not_count() -> None:
    assert quiet(lambda count: [0.01] + [5.0, 0.02, 0.02, 0.02] * (count // 4)) == pytest.approx(
        0.02, abs=0.01
    )
    assert quiet(lambda count: [2.0] * count) == 2.0


def test_a_shorter_slice_takes_fewer_passes() -> None:
    asked: list[int] = []

    def passes(count: int) -> list[float]:
        asked.append(count)
        return [0.01] * count

    quiet(passes, 0.05)
    assert asked == [1, 5]


def test_tables_grow_to_the_whole_workload() -> None:
    whole = point("small", 5, ("tree", "radix"))
    little = Point(whole.label, {**whole.settings, "largest": 200})
    seen = [(grown.size, {len(table) for table in grown.tables.values()}) for grown in grow(little)]
    assert seen == [(20, {20}), (40, {40}), (100, {100}), (200, {200})]
    *_, last = grow(little)
    patterns = workload_of(little).patterns()
    assert list(last.patterns) == patterns
    held = [destination for _, _, destination in last.tables["radix"].subscriptions()]
    assert sorted(held) == sorted(f"d{number}" for number in range(200))


def test_tables_that_disagree_are_not_timed() -> None:
    topics = ["v1/v2", "v3/v4"]
    check_agreement([table_of("tree", ["v1/*/v2", "v1"]), table_of("hash", ["v1/*/v2", "v1"])], topics)
    with pytest.raises(ExperimentError, match="v3/v4: hash and tree disagree"):
        check_agreement([table_of("tree", ["v1"]), table_of("hash", ["v1", "v3"])], topics)
