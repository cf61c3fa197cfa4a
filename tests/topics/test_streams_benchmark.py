"""What the benchmark of topics stands on: the paper's workload, and a peer that answers the same question."""

from dataclasses import replace

import pytest

from common import Spread
from streams.matching import Contest, measure_cell, measure_regex, peer, table_of
from streams.quiet import quiet
from streams.upkeep import measure_changes, measure_memory
from streams.workload import VALUES, WILDCARDS, Wildcards, Workload

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


def test_the_peer_finds_what_the_table_finds() -> None:
    workload = Workload(400, 3, "some wildcards", SEED)
    table, asked = table_of("radix", workload.patterns()), peer(workload.patterns())
    found = [{int(name[1:]) for name in table.match(topic)} for topic in workload.topics(50)]
    assert found == [asked(topic) for topic in workload.topics(50)]
    assert any(found)


def test_a_pass_that_was_disturbed_does_not_count() -> None:
    assert quiet(lambda count: [0.01] + [5.0, 0.02, 0.02, 0.02] * (count // 4)) == pytest.approx(
        0.02, abs=0.01
    )
    assert quiet(lambda count: [2.0] * count) == 2.0


def test_the_worst_cell_has_the_lowest_median() -> None:
    contest = Contest()
    cells = contest.ratios["tree", "one wildcard"]
    cells["10 patterns, depth 3"] = Spread(1.0, 3.0, 9.0)
    cells["10 patterns, depth 10"] = Spread(0.5, 4.0, 5.0)
    assert contest.worst("tree", "one wildcard")[0] == "10 patterns, depth 3"
    assert contest.worst("tree", "one wildcard", depth=10)[0] == "10 patterns, depth 10"


def test_all_parts_measure_at_a_small_size() -> None:
    contest, workload = Contest(), Workload(50, 3, "some wildcards", SEED)
    native, python = measure_cell(contest, workload, 1)
    assert native["patterns"] == python["patterns"] == 50
    assert {against for against, _ in contest.ratios} > {"tree", "hash", "MQTTMatcher"}
    assert measure_regex(workload, 1)["patterns"] == 50
    assert set(measure_changes(workload, 1)) == {"radix", "tree", "hash"}
    assert {row["scheme"] for row in measure_memory(workload)} == {"radix", "tree", "hash"}
