"""What the paper says of Table 2, held against our times."""

from collections.abc import Iterator

from penstock.papers.experiment import Claim, Readings
from penstock.papers.structures.cells import ALONE_RATIO, BUSIEST, SENT, SENT_RATIO, TAKEN
from penstock.papers.structures.contest import LIST_WITH_MEMORY

__all__ = ["claims"]


def claims(found: Readings) -> Iterator[Claim]:
    """What §4.2.2 and §5 say of the table."""
    yield _copies(found)
    yield _lists(found)
    yield from _disjoint(found)
    yield _placing(found)
    yield _ten_times(found)
    yield _rate(found)
    yield from _ours(found)


def _copies(found: Readings) -> Claim:
    times = found.get(SENT_RATIO, "overlapping", BUSIEST)
    return Claim(
        "§4.2.2: With overlapping ids, busy routers take very long for notifications.",
        times > 3,
        f"the busiest router of traffic takes {times:.0f} times as long as with graphs",
        always=True,
    )


def _lists(found: Readings) -> Claim:
    traffic, baseball = (
        found.get(SENT_RATIO, "list", f"heaviest {name}") for name in ("traffic", "baseball")
    )
    return Claim(
        "§4.2.2: With lists, too.",
        traffic > 2,
        f"{traffic:.1f} times as long as with graphs for traffic, {baseball:.1f} times for baseball",
    )


def _disjoint(found: Readings) -> Iterator[Claim]:
    sent = found.get(SENT_RATIO, "disjoint", BUSIEST)
    taken = found.get(TAKEN, "disjoint", BUSIEST) / found.get(TAKEN, "list", BUSIEST)
    yield Claim(
        "§4.2.2: Disjoint ids need little time for notifications.",
        sent < 1.5,
        f"{sent:.2f} times the graph's at the busiest router of traffic",
    )
    yield Claim(
        "§4.2.2: But they need much for subscriptions.",
        taken > 3,
        f"{taken:.0f} times the list's at the busiest router of traffic",
        always=True,
    )


def _placing(found: Readings) -> Claim:
    lists, graph, disjoint = (found.get(TAKEN, name, BUSIEST) for name in ("list", "graph", "disjoint"))
    return Claim(
        "§4.2.2: Graphs need extra time for subscriptions, but not nearly as much as disjoint ids.",
        lists < graph < disjoint / 2,
        f"1,200 subscriptions to traffic: {lists:.1f} ms with lists, {graph:.1f} with graphs, {disjoint:.0f}"
        " with disjoint ids",
    )


def _ten_times(found: Readings) -> Claim:
    sending, alone = (found.at(ratio, "list", BUSIEST) for ratio in (SENT_RATIO, ALONE_RATIO))
    remembers = found.get(ALONE_RATIO, LIST_WITH_MEMORY, BUSIEST)
    return Claim(
        "§5: A busy router of graphs processes traffic more than ten times as fast as one of lists (12.5 in"
        " Table 2).",
        sending.value > 10,
        f"{sending.value:.1f} times, {alone.value:.1f} without sends (from {alone.low:.1f} to"
        f" {alone.high:.1f} over the runs)",
        because="a send costs both the same, and here it weighs more than a look-up; a list that keeps"
        f" answers by header, as graphs do, is only {remembers:.1f} times as slow",
    )


def _rate(found: Readings) -> Claim:
    lists, graph = (1e6 / found.get(SENT, name, BUSIEST) for name in ("list", "graph"))
    return Claim(
        "§4.2.2: The busiest router forwards 370 traffic alerts a second with lists, 4,608 with graphs.",
        lists > 370 and graph > 4608,
        f"{lists:,.0f} and {graph:,.0f} a second: {lists / 370:.0f} and {graph / 4608:.0f} times as many, in"
        " Python on a newer machine",
    )


def _ours(found: Readings) -> Iterator[Claim]:
    content, lists = (found.get(SENT, name, BUSIEST) for name in ("content", "list"))
    graph, disjoint = (found.get(SENT, name, BUSIEST) for name in ("graph", "disjoint"))
    yield Claim(
        "§2.2 holds that routers which match content are slow. With the access engine full content stays"
        " within reach of ids, and ahead of lists, where it matters.",
        content < lists,
        f"the busiest router of traffic: {content:.0f} ms with content, {graph:.0f} with graphs,"
        f" {disjoint:.0f} with disjoint ids, {lists:.0f} with lists",
        ours=True,
    )
    taken, placed = (found.get(TAKEN, name, BUSIEST) for name in ("content", "graph"))
    yield Claim(
        "The access engine takes in subscriptions faster than a graph places its ids.",
        taken < placed,
        f"{taken:.1f} ms against {placed:.1f} for 1,200 subscriptions to traffic, parsed from text",
        ours=True,
    )
