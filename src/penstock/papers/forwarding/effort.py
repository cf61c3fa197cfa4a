"""What a match takes: time, and the work that an engine counts. Nothing is measured before engines agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from penstock.errors import ExperimentError
from penstock.papers.experiment import Reading, Scale, Setting
from penstock.papers.forwarding.contender import Contender
from penstock.papers.timing import fill, natively, spread
from penstock.table import ForwardingTable

__all__ = ["Effort", "Message", "agreed", "timed", "work"]

Message = Mapping[str, str | int | bool]
NAMED = 20


@dataclass(frozen=True, slots=True)
class Effort:
    """How long and how often something is timed."""

    repeats: int
    slice: float  # seconds of one measurement, at least a pass

    @classmethod
    def at(cls, scale: Scale) -> "Effort":
        """Enough to see the shape, or enough to trust a figure."""
        return cls(5, 0.05) if scale == "full" else cls(3, 0.01)

    @classmethod
    def of(cls, settings: Mapping[str, Setting]) -> "Effort":
        """What `settings` wrote into a point."""
        return cls(int(settings["repeats"]), float(settings["slice"]))

    def settings(self) -> dict[str, Setting]:
        """For a point."""
        return {"repeats": self.repeats, "slice": self.slice}


def agreed(tables: Mapping[Contender, ForwardingTable], sent: Sequence[Message]) -> list[int]:
    """How many interfaces each message goes to, after all tables were seen to find the same ones.

    Numbers are compared for all messages, names for some: with millions of interfaces they take long to read.
    """
    (first, reference), *others = tables.items()
    found = [len(reference.match_ids(message)) for message in sent]
    named = [sorted(reference.match(message)) for message in sent[:NAMED]]
    for other, table in others:
        if found != [len(table.match_ids(message)) for message in sent]:
            raise ExperimentError(f"{other.name} and {first.name} find other numbers of interfaces")
        if named != [sorted(table.match(message)) for message in sent[:NAMED]]:
            raise ExperimentError(f"{other.name} and {first.name} find other interfaces")
    return found


def timed(
    table: ForwardingTable, sent: Sequence[Message], effort: Effort, cell: tuple[str, str | int, str]
) -> Reading:
    """Microseconds per message in the native loop, for this series, x and quantity."""
    passes = fill(natively(table, sent), effort.repeats, effort.slice)
    return spread(*cell, "µs", passes, each=1e6 / len(sent))


def work(table: ForwardingTable, sent: Sequence[Message], what: str) -> float:
    """What an engine counts while it matches, per message."""
    return sum(table.trace(message)[what] for message in sent) / len(sent)
