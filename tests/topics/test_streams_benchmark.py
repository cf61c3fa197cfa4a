"""What the benchmark of topics stands on: a peer that answers the same question, and the worst cell."""

from common import Spread
from penstock.papers.streams.workload import Workload, table_of
from streams.matching import Contest, measure_cell, measure_regex, peer
from streams.upkeep import measure_changes, measure_memory

SEED = 7


def test_the_peer_finds_what_the_table_finds() -> None:
    workload = Workload(400, 3, "some wildcards", SEED)
    table, asked = table_of("radix", workload.patterns()), peer(workload.patterns())
    found = [{int(name[1:]) for name in table.match(topic)} for topic in workload.topics(50)]
    assert found == [asked(topic) for topic in workload.topics(50)]
    assert any(found)


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
