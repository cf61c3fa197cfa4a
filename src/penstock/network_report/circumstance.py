"""What went on when a delivery was missed: the nearest thing to a cause that can be seen from outside.

A message is sent once, so it may be lost on a link, be under way where something fails, or come to routers
that have not heard of a failure or a subscription yet. The first circumstance that applies is taken.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from penstock.network import Result
from penstock.network.scenario import Crash, Cut, Subscribe, Unsubscribe

__all__ = ["CIRCUMSTANCES", "LABELS", "count_circumstances", "find_circumstances"]

LABELS = {
    "withdrawn": "interest withdrawn",
    "failed": "failure on the way",
    "settling": "routers settling",
    "new": "new subscription",
    "lost": "lost by chance",
    "unknown": "unknown",
}

CIRCUMSTANCES = {
    "withdrawn": "the host withdrew an interest before the message could arrive",
    "failed": "a link or a router failed while the message was under way",
    "settling": "routers were telling each other of a failure or a recovery",
    "new": "the host had subscribed a moment before, and routers had yet to hear of it",
    "lost": "nothing else: frames are lost by chance here",
    "unknown": "nothing that shows",
}


def find_circumstances(result: Result) -> list[str]:
    """Of each miss the circumstance, a key of `CIRCUMSTANCES`."""
    return list(map(_Finder(result).find, *zip(*result.misses, strict=True))) if result.misses else []


def count_circumstances(result: Result) -> dict[str, int]:
    """How many were missed in each circumstance, in the order of `CIRCUMSTANCES`."""
    counts = Counter(find_circumstances(result))
    return {name: counts[name] for name in CIRCUMSTANCES if counts[name]}


class _Finder:
    """The times of everything that may matter."""

    def __init__(self, result: Result) -> None:
        scenario = result.scenario
        self.publications = result.publications
        self.is_lossy = scenario.loss > 0
        # As long as the slowest delivery took, a message may be under way, and news of an interest as well;
        # what is lost of these is told again, and again.
        self.reach = result.latencies.largest if result.latencies else 0
        self.telling = 2 * self.reach + (2 * scenario.timeout if self.is_lossy else 0)
        self.failures = sorted(event.at for event in scenario.events if isinstance(event, Crash | Cut))
        self.disturbances = result.disturbances
        self.subscribed = _times(scenario.events, Subscribe)
        self.withdrawn = _times(scenario.events, Unsubscribe)

    def find(self, publication: int, host: str) -> str:
        """The first that applies."""
        at = self.publications[publication].at
        if _any_within(self.withdrawn.get(host, ()), at, at + self.reach):
            return "withdrawn"
        if _any_within(self.failures, at, at + self.reach):
            return "failed"
        if any(each.at - self.reach <= at <= each.at + each.settled for each in self.disturbances):
            return "settling"
        if _any_within(self.subscribed.get(host, ()), at - self.telling, at):
            return "new"
        return "lost" if self.is_lossy else "unknown"


def _times(
    events: Sequence[object], kind: type[Subscribe] | type[Unsubscribe]
) -> Mapping[str, Sequence[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for event in events:
        if isinstance(event, kind):
            found[event.host].append(event.at)
    return {host: sorted(times) for host, times in found.items()}


def _any_within(times: Sequence[int], start: int, end: int) -> bool:
    return bisect_left(times, start) < bisect_right(times, end)
