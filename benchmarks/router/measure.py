"""Times of one router on one workload, all formats in turn, beside what the paper printed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from common import Cell, Spread, progress
from penstock.papers.published import read_published
from penstock.papers.structures.cells import SENT, TAKEN
from penstock.papers.structures.contest import Contest
from penstock.papers.structures.process import Loopback, drop
from penstock.papers.structures.table2 import TABLE2
from penstock.papers.structures.workload import FORMATS, Workload

__all__ = ["Times", "draw_contest", "measure", "published"]


@cache
def published() -> dict[tuple[str, str, str], tuple[float, float]]:
    """The paper's second table: ms for messages and for subscriptions, by router, application and format."""
    times = {
        (row.quantity, row.x, row.series): row.value
        for row in read_published()
        if row.experiment == TABLE2.key
    }
    found = {}
    for (quantity, column, format_), value in times.items():
        if quantity == SENT:
            router, application = column.split()
            found[router, application, format_] = (value, times[TAKEN, column, format_])
    return found


def draw_contest(load: Callable[[str, str, int, int], Workload], application: str, seed: int) -> Contest:
    """The same scenario in all formats."""
    progress(f"{load.__name__} router, {application}, seed {seed}")
    return Contest.draw(load, application, seed)


def measure(contest: Contest, repeats: int) -> "Times":
    """All times of this router."""
    alone = contest.forwarding(repeats, drop)
    with Loopback() as loopback:
        sending = contest.forwarding(repeats, loopback.send)
    taken = {format_: contest.subscribing(format_, repeats) for format_ in FORMATS}
    return Times(contest, alone, sending, taken)


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds by format: messages, messages with sends, subscriptions."""

    contest: Contest
    alone: dict[str, list[float]]
    sending: dict[str, list[float]]
    taken: dict[str, list[float]]

    def messages(self) -> list[dict[str, Cell]]:
        """Rows on messages; the paper's times have sends in them."""
        return [
            self._head(format_)
            | {"in": len(workload.messages), "ms": Spread.of(self.alone[format_])}
            | {"ms, with UDP": Spread.of(self.sending[format_])}
            | self._beside(format_, 0, self.sending)
            for format_, workload in self.contest.workloads.items()
        ]

    def subscriptions(self) -> list[dict[str, Cell]]:
        """Rows on subscriptions."""
        return [
            self._head(format_)
            | {"in": len(self.contest.workloads[format_].subscriptions), "ms": Spread.of(spent)}
            | self._beside(format_, 1, self.taken)
            for format_, spent in self.taken.items()
        ]

    def against_graph(self) -> list[dict[str, Cell]]:
        """How many times as long as a graph's messages take those of the others, here and in the paper."""
        return [
            self._head(format_)
            | {"alone": self.ratio(format_)}
            | {"with UDP": _median(self.sending, format_) / _median(self.sending, "graph")}
            | {"paper": paper and paper[0] / (self._paper("graph") or paper)[0]}
            for format_ in self.contest.workloads
            if format_ != "graph"
            for paper in [self._paper(format_)]
        ]

    def ratio(self, format_: str) -> Spread:
        """Times as long as the graph's, turn by turn."""
        turns = zip(self.alone[format_], self.alone["graph"], strict=True)
        return Spread.of(one / other for one, other in turns)

    def _head(self, format_: str) -> dict[str, Cell]:
        return {"router": self.contest.router, "application": self.contest.application, "format": format_}

    def _paper(self, format_: str) -> tuple[float, float] | None:
        return published().get((self.contest.router, self.contest.application, format_))

    def _beside(self, format_: str, which: int, ours: dict[str, list[float]]) -> dict[str, Cell]:
        paper = self._paper(format_)
        if paper is None:
            return {}
        return {"paper, ms": paper[which], "paper / ours": paper[which] / _median(ours, format_)}


def _median(spent: dict[str, list[float]], format_: str) -> float:
    return Spread.of(spent[format_]).median
