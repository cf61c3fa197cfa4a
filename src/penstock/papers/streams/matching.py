"""The time of computing destinations, of every scheme at every size.

The native loop is timed, but for the scheme of regular expressions, whose loop is Python's own. Schemes take
turns, so that a busy moment of the machine hits all of them.
"""

from collections.abc import Callable, Iterator

from penstock.papers.experiment import Point, Reading
from penstock.papers.streams.quiet import Passes, calls, natively, quiet
from penstock.papers.streams.sweep import Grown, grow, workload_of
from penstock.papers.timing import spread
from penstock.topics import TopicTable

__all__ = ["MANY_WILDCARDS", "TIME", "measure_by_attributes", "measure_by_scheme", "measure_grown"]

TIME = "matching time"
MANY_WILDCARDS = "matching time, many wildcards"
TOPICS = 500
FEW_TOPICS = 3  # for regular expressions: each is tried on each topic


def measure_by_attributes(point: Point) -> Iterator[Reading]:
    """Series are a scheme and its number of attributes."""
    attributes = point.settings["attributes"]
    for grown in grow(point):
        yield from measure_grown(point, grown, lambda scheme: f"{scheme}, {attributes} attributes")


def measure_by_scheme(point: Point) -> Iterator[Reading]:
    """Series are schemes; a workload with more wildcards than it must have is a quantity of its own."""
    quantity = TIME if point.settings["wildcards"] == "one wildcard" else MANY_WILDCARDS
    for grown in grow(point):
        yield from measure_grown(point, grown, str, quantity)


def measure_grown(
    point: Point, grown: Grown, name: Callable[[str], str], quantity: str = TIME
) -> Iterator[Reading]:
    """Every scheme at one size: microseconds for a topic."""
    sent = workload_of(point).topics(TOPICS)
    few = sent[:FEW_TOPICS]
    asked = {scheme: few if scheme == "regex" else sent for scheme in grown.tables}
    passes = {scheme: _passes(table, asked[scheme]) for scheme, table in grown.tables.items()}
    repeats, slice_ = int(point.settings["repeats"]), float(point.settings["slice"])
    turns = [{scheme: quiet(each, slice_) for scheme, each in passes.items()} for _ in range(repeats)]
    for scheme in grown.tables:
        spent = [turn[scheme] for turn in turns]
        yield spread(name(scheme), grown.size, quantity, "µs", spent, each=1e6 / len(asked[scheme]))


def _passes(table: TopicTable, sent: list[str]) -> Passes:
    return calls(table.match_ids, sent) if table.scheme == "regex" else natively(table, sent)
