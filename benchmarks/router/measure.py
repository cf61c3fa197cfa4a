"""Times of one router on one workload, all formats in turn, beside what the paper printed."""

import csv
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from common import FILL, Cell, Spread, calls, progress, seconds
from penstock.structures import Link
from router.process import Loopback, RouterProcess, Send, drop
from router.workload import PROCESSORS, Workload

__all__ = ["LIST_WITH_MEMORY", "Contest", "Times", "published"]

# A content list whose table also keeps answers by header, as that of a content graph does.
LIST_WITH_MEMORY = "list that remembers"
MILLISECONDS = 1e3


@cache
def published() -> dict[tuple[str, str, str], tuple[float, float]]:
    """The paper's second table: ms for messages and for subscriptions, by router, application and format."""
    with (Path(__file__).parent / "published.csv").open(newline="", encoding="utf-8") as file:
        return {
            (row["router"], row["application"], row["format"]): (
                float(row["notifications"]),
                float(row["subscriptions"]),
            )
            for row in csv.DictReader(file)
        }


class Remembering:
    """A table's forward() that answers from memory what it was asked before."""

    def __init__(self, ask: Callable[[Any], Mapping[Link, Any]]) -> None:
        self._ask = ask
        self._answers: dict[Any, Mapping[Link, Any]] = {}

    def __call__(self, header: Any) -> Mapping[Link, Any]:
        """The answer of before, or a new one."""
        answer = self._answers.get(header)
        if answer is None:
            answer = self._answers[header] = self._ask(header)
        return answer


@dataclass(frozen=True, slots=True)
class Contest:
    """The workloads of one router of the paper in every format."""

    router: str
    application: str
    workloads: dict[str, Workload]

    @classmethod
    def draw(cls, load: Callable[[str, str, int], Workload], application: str, seed: int) -> "Contest":
        """The same scenario in all formats."""
        progress(f"{load.__name__} router, {application}, seed {seed}")
        drawn = {format_: load(application, format_, seed) for format_ in PROCESSORS}
        return cls(load.__name__, application, drawn | {LIST_WITH_MEMORY: drawn["list"]})

    def filled(self, format_: str, send: Send) -> RouterProcess:
        """A router that has taken in its subscriptions."""
        workload = self.workloads[format_]
        process = RouterProcess(workload.format, send)
        deque(map(process.subscribe, workload.subscriptions), maxlen=0)
        if format_ == LIST_WITH_MEMORY:
            process.ask = Remembering(process.ask)
        return process

    def subscribing(self, format_: str, repeats: int) -> list[float]:
        """Milliseconds to take in all subscriptions."""
        return [MILLISECONDS * seconds(lambda: self.filled(format_, drop)) for _ in range(repeats)]

    def forwarding(self, repeats: int, send: Send) -> dict[str, list[float]]:
        """Milliseconds to forward all messages, by format; the formats take turns."""
        passes = {
            format_: calls(self.filled(format_, send).forward, workload.messages)
            for format_, workload in self.workloads.items()
        }
        counts = {format_: max(1, round(FILL / run(1))) for format_, run in passes.items()}
        spent: dict[str, list[float]] = {format_: [] for format_ in passes}
        for _ in range(repeats):
            for format_, run in passes.items():
                spent[format_].append(MILLISECONDS * run(counts[format_]))
        return spent

    def measure(self, repeats: int) -> "Times":
        """All times of this router."""
        alone = self.forwarding(repeats, drop)
        with Loopback() as loopback:
            sending = self.forwarding(repeats, loopback.send)
        taken = {format_: self.subscribing(format_, repeats) for format_ in PROCESSORS}
        return Times(self, alone, sending, taken)


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
