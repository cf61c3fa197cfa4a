"""What the benchmark of the network stands on: filters that say what applications say, and flooding."""

from typing import Any

import pytest

from bench_network import WORKLOADS, FloodingProcessor, Workload, run
from penstock import parse
from penstock.network import line, table_sizes, totals
from penstock.oracle import matches
from penstock.structures import ContentProcessor


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_filters_say_what_the_application_says(workload: Workload) -> None:
    application: Any = workload.application
    answers = set()
    for interest in application.interests(40, 1):
        predicate = parse(workload.to_filter(interest))
        for message in application.messages(40, 1):
            wanted = application.wants(application.topic(interest), message)
            assert matches(predicate, workload.to_message(message)) == wanted
            answers.add(wanted)
    assert answers == {True, False}


def test_flooding_tells_what_covering_does_not() -> None:
    filters = ["a < 3", "a < 4", "a < 5"]
    told = []
    for processor in (ContentProcessor(), FloodingProcessor()):
        sim, spent = run(line(3), processor, [2], interests=filters, messages=[{"a": 1}], seed=1)
        assert len(sim.publications[0].hosts) == 3
        assert list(spent) == ["start", "subscribe", "publish"]
        told.append((totals(sim).told, table_sizes(sim).total))
    assert told[0][0] < told[1][0]
    assert told[0][1] < told[1][1]
