"""One router on one workload, all formats in turn: milliseconds for its messages and its subscriptions."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from penstock.papers.structures.process import RouterProcess, Send, drop
from penstock.papers.structures.workload import FORMATS, Workload
from penstock.papers.timing import FILL, calls, seconds
from penstock.structures import Link

__all__ = ["LIST_WITH_MEMORY", "MILLISECONDS", "Contest"]

# A content list whose table also keeps answers by header, as that of a content graph does.
LIST_WITH_MEMORY = "list that remembers"
MILLISECONDS = 1e3


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
    def draw(
        cls, load: Callable[[str, str, int, int], Workload], application: str, seed: int, run: int = 0
    ) -> "Contest":
        """The same scenario in all formats."""
        drawn = {format_: load(application, format_, seed, run) for format_ in FORMATS}
        return cls(load.__name__, application, drawn | {LIST_WITH_MEMORY: drawn["list"]})

    def without(self, format_: str) -> "Contest":
        """The same without a format."""
        left = {name: workload for name, workload in self.workloads.items() if name != format_}
        return Contest(self.router, self.application, left)

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

    def forwarding(self, repeats: int, send: Send, slice_: float = FILL) -> dict[str, list[float]]:
        """Milliseconds to forward all messages, by format; the formats take turns."""
        passes = {
            format_: calls(self.filled(format_, send).forward, workload.messages)
            for format_, workload in self.workloads.items()
        }
        counts = {format_: max(1, round(slice_ / run(1))) for format_, run in passes.items()}
        spent: dict[str, list[float]] = {format_: [] for format_ in passes}
        for _ in range(repeats):
            for format_, run in passes.items():
                spent[format_].append(MILLISECONDS * run(counts[format_]))
        return spent
