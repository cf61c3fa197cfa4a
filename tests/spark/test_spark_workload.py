"""The papers' workloads on Spark: the same rows whatever the partitions."""

import json
from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from penstock import parse
from penstock.spark import compile_table, forward, workload
from penstock.workload import Scenario2001, Scenario2002

BOTH = [Scenario2002(I=3000, f_h=4, M=3000), Scenario2001(F=2500, I=2100, N=2100)]


@pytest.mark.parametrize("scenario", BOTH, ids=["2002", "2001"])
def test_rows_are_the_same_whatever_the_partitions(
    spark: SparkSession, scenario: Scenario2001 | Scenario2002
) -> None:
    drawn = {}
    for partitions in (1, 5, None):
        sent = workload.messages(spark, scenario, 7, partitions=partitions)
        wanted = workload.filters(spark, scenario, 7, partitions=partitions)
        drawn[partitions] = [sorted(map(tuple, frame.collect())) for frame in (sent, wanted)]
    assert drawn[1] == drawn[5] == drawn[None]
    other = workload.messages(spark, scenario, 8)
    assert sorted(map(tuple, other.collect())) != drawn[1][0]
    messages, filters = drawn[1]
    assert [row[0] for row in messages] == list(range(scenario.shape().messages))
    assert len({row[0] for row in filters}) == len(filters)
    assert {row[1] for row in filters} == {f"i{n}" for n in range(scenario.shape().interfaces)}
    for _, _, text in filters[:100]:
        parse(text)
    sizes = [len(json.loads(text)) for _, text in messages]
    assert set(sizes) == set(scenario.shape().attributes)


def test_blocks_are_not_copies_of_each_other(spark: SparkSession) -> None:
    rows = workload.messages(spark, Scenario2002(I=1, M=4096), 7).collect()
    texts = [row.message for row in rows]
    assert len(set(texts)) > 4000
    assert texts[:1024] != texts[1024:2048]


def test_filters_are_dealt_out_as_the_report_says(spark: SparkSession) -> None:
    rows = workload.filters(spark, Scenario2001(F=5000, I=2100), 7).collect()
    counts = Counter(row.interface for row in rows)
    assert [counts[f"i{n}"] for n in (0, 799, 800, 2099)] == [3, 3, 2, 2]
    assert sum(counts.values()) == 5000


def test_what_was_drawn_can_be_compiled_and_forwarded(spark: SparkSession, tmp_path: Path) -> None:
    scenario = Scenario2002(I=200, M=50)
    table = compile_table(workload.filters(spark, scenario, 1), tmp_path)
    assert (table.interfaces, table.rejected) == (200, 0)
    messages = workload.messages(spark, scenario, 1)
    found = forward(messages, table, id_columns=["id"], json="message").collect()
    assert len(found) == 50
    assert all(row.error is None for row in found)
    assert any(row.interfaces for row in found)
