"""Every scheme and paho-mqtt's MQTTMatcher on the same patterns: the same answers first, then their times.

They are timed in turn, so that a busy moment of the machine hits all of them, and ratios are taken within a
turn. The matcher gets each pattern as the MQTT filter that means the same, with the list of its destinations;
an answer is the set of all destinations, as ours is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from paho.mqtt.matcher import MQTTMatcher

from common import Cell, Spread, progress
from penstock.papers.streams.quiet import Passes, batches, calls, natively, quiet
from penstock.papers.streams.workload import VALUES, Wildcards, Workload, table_of
from penstock.topics import Scheme, TopicTable, to_mqtt

__all__ = ["BY_BATCH", "BY_CALL", "Contest", "measure_cell", "measure_regex", "peer"]

COMPARED = 20  # topics whose answers are compared one by one
TOPICS = 500
NATIVE: tuple[Scheme, ...] = ("radix", "tree", "hash")
CALLS = ("match_batch", "match", "match_ids", "match anew")
BY_BATCH = "MQTTMatcher, by match_batch"
BY_CALL = "MQTTMatcher, by match()"


@dataclass(slots=True)
class Contest:
    """The ratios of all cells: how many times as long as ours the others take."""

    ratios: dict[tuple[str, Wildcards], dict[str, Spread]] = field(default_factory=lambda: defaultdict(dict))

    def worst(self, against: str, wildcards: Wildcards, depth: int | None = None) -> tuple[str, Spread]:
        """The cell with the lowest median, among all or those of one depth."""
        cells = self.ratios[against, wildcards]
        chosen = [cell for cell in cells if depth is None or cell.endswith(f"depth {depth}")]
        cell = min(chosen, key=lambda name: cells[name].median)
        return cell, cells[cell]


def peer(held: list[str]) -> Callable[[str], set[int]]:
    """The same patterns with paho-mqtt's matcher: a function from a topic to its destinations."""
    lists: dict[str, list[int]] = defaultdict(list)
    for number, pattern in enumerate(held):
        lists[to_mqtt(pattern)].append(number)
    matcher: Any = MQTTMatcher()  # type: ignore[no-untyped-call]
    for filter_, numbers in lists.items():
        matcher[filter_] = numbers
    return lambda topic: set().union(*matcher.iter_match(topic))


def measure_cell(
    contest: Contest, workload: Workload, repeats: int
) -> tuple[dict[str, Cell], dict[str, Cell]]:
    """One size and depth: native times, and those of calls from Python."""
    cell, wildcards = str(workload), workload.wildcards
    progress(f"{cell}, {wildcards}")
    held, sent = workload.patterns(), workload.topics(TOPICS)
    tables = {scheme: table_of(scheme, held) for scheme in NATIVE}
    radix, asked = tables["radix"], peer(held)
    _compare(tables.values(), asked, sent)
    contestants: dict[str, Passes] = {
        **{scheme: natively(table, sent) for scheme, table in tables.items()},
        "MQTTMatcher": calls(asked, sent),
        "match_batch": batches(radix, pa.array(sent)),
        "match": calls(radix.match, sent),
        "match_ids": calls(radix.match_ids, sent),
        "match anew": calls(radix.match, sent, lambda: _change_everywhere(radix)),
    }
    turns = [{name: quiet(each) for name, each in contestants.items()} for _ in range(repeats)]

    def ratio(slow: str, fast: str) -> Spread:
        return Spread.of(turn[slow] / turn[fast] for turn in turns)

    for slow in ("tree", "hash", "MQTTMatcher"):
        contest.ratios[slow, wildcards][cell] = ratio(slow, "radix")
    contest.ratios[BY_BATCH, wildcards][cell] = ratio("MQTTMatcher", "match_batch")
    contest.ratios[BY_CALL, wildcards][cell] = ratio("MQTTMatcher", "match")
    times = {name: Spread.of(turn[name] for turn in turns).median * 1e6 / TOPICS for name in contestants}
    head: dict[str, Cell] = {"patterns": workload.count, "depth": workload.depth}
    native = head | {
        "different": radix.stats().patterns,
        "destinations": sum(len(asked(topic)) for topic in sent) / TOPICS,
        **{f"{scheme} µs": times[scheme] for scheme in tables},
        "MQTTMatcher µs": times["MQTTMatcher"],
        **{f"{slow} x": ratio(slow, "radix").median for slow in ("tree", "hash", "MQTTMatcher")},
    }
    python = head | {
        **{f"{call} µs": times[call] for call in CALLS},
        **{f"MQTTMatcher / {call}": ratio("MQTTMatcher", call).median for call in CALLS},
    }
    return native, python


def _change_everywhere(table: TopicTable) -> None:
    """Make every answer that is kept out of date."""
    for number in range(VALUES):
        table.unsubscribe(table.subscribe(f"v{number}/never", "d0"))


def measure_regex(workload: Workload, repeats: int) -> dict[str, Cell]:
    """The scheme of regular expressions beside the default, both called from Python."""
    progress(f"regular expressions, {workload}")
    held, sent = workload.patterns(), workload.topics(3)
    regex, radix = table_of("regex", held), table_of("radix", held)
    _compare([radix], lambda topic: {int(name[1:]) for name in regex.match(topic)}, sent)
    slow = Spread.of(quiet(calls(regex.match, sent)) for _ in range(repeats))
    fast = Spread.of(quiet(calls(radix.match, sent)) for _ in range(repeats))
    return {
        "patterns": workload.count,
        "depth": workload.depth,
        "regex ms": slow.times(1e3 / len(sent)),
        "radix ms": fast.times(1e3 / len(sent)),
        "regex / radix": slow.median / fast.median,
    }


def _compare(tables: Iterable[TopicTable], asked: Callable[[str], set[int]], sent: list[str]) -> None:
    for table in tables:
        for topic in sent[:COMPARED]:
            if {int(name[1:]) for name in table.match(topic)} != asked(topic):
                raise AssertionError(f"{table.scheme} disagrees about {topic}")
