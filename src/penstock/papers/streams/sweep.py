"""What the sweeps of this paper share: sizes from a tenth to the whole, attributes, tables that grow.

A point is one number of attributes. Its tables grow from size to size, so that each subscription is drawn and
entered once; every table holds the same subscriptions, and must give the same answers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

from penstock.errors import ExperimentError
from penstock.papers.experiment import Point, Scale, Setting
from penstock.papers.streams.workload import VALUES, Wildcards, Workload, extend
from penstock.topics import Scheme, TopicTable

__all__ = ["ATTRIBUTES", "Grown", "check_agreement", "grow", "point", "sizes", "workload_of"]

ATTRIBUTES = (3, 5, 7, 10)
SEED = 2006
LARGEST: Mapping[Scale, int] = {"small": 4_000, "full": 100_000}
MEASURING: Mapping[Scale, Mapping[str, Setting]] = {
    "small": {"repeats": 3, "slice": 0.01},
    "full": {"repeats": 5, "slice": 0.1},
}
COMPARED = 3  # topics whose answers are compared; as few as the slowest scheme can answer


def point(
    scale: Scale, attributes: int, schemes: Sequence[Scheme], wildcards: Wildcards = "one wildcard"
) -> Point:
    """All sizes of one number of attributes."""
    return Point(
        f"{', '.join(schemes)}: {attributes} attributes, {wildcards}",
        {
            "attributes": attributes,
            "wildcards": wildcards,
            "schemes": ",".join(schemes),
            "largest": LARGEST[scale],
            **MEASURING[scale],
        },
    )


def sizes(largest: int) -> list[int]:
    """From a tenth to the whole: 10,000 to 100,000."""
    return [largest // 10, largest // 5, largest // 2, largest]


def workload_of(point: Point) -> Workload:
    """What the point subscribes in the end."""
    at = point.settings
    wildcards = cast(Wildcards, at["wildcards"])
    values = int(at.get("values", VALUES))
    return Workload(int(at["largest"]), int(at["attributes"]), wildcards, SEED, values)


@dataclass(frozen=True, slots=True)
class Grown:
    """The same subscriptions in a table of each scheme."""

    size: int
    patterns: Sequence[str]
    tables: Mapping[Scheme, TopicTable]


def grow(point: Point) -> Iterator[Grown]:
    """The tables at one size after the other; they are the same objects."""
    workload = workload_of(point)
    tables = {scheme: TopicTable(scheme) for scheme in _schemes(point)}
    drawn, held = workload.endless_patterns(), list[str]()
    for size in sizes(workload.count):
        more = list(islice(drawn, size - len(held)))
        for table in tables.values():
            extend(table, more)
        held += more
        check_agreement(tables.values(), workload.topics(COMPARED))
        yield Grown(size, tuple(held), tables)


def check_agreement(tables: Iterable[TopicTable], topics: Iterable[str]) -> None:
    """What gives wrong answers is not worth timing."""
    first, *others = tables
    for topic in topics:
        expected = sorted(first.match(topic))
        for table in others:
            if sorted(table.match(topic)) != expected:
                raise ExperimentError(f"{table.scheme} and {first.scheme} disagree", topic)


def _schemes(point: Point) -> list[Scheme]:
    return cast(list[Scheme], str(point.settings["schemes"]).split(","))
