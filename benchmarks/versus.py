"""An engine beside the counting engine: the same filters, loaded into both and timed in turn.

In turn, so that a busy moment of the machine hits both. A ratio is taken within a turn, and only after the
two have been seen to find the same.
"""

from dataclasses import dataclass

from common import Message, Pass, Spread, fill, natively
from penstock import ForwardingTable
from penstock.table import Engine

__all__ = ["Times", "Versus", "in_turn", "load"]

# Names of all interfaces are compared for so many messages, numbers of interfaces for all.
COMPARED_BY_NAME = 3


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds a message, native; the ratio is how many times as long counting takes."""

    counting: Spread
    subject: Spread
    ratio: Spread


@dataclass(frozen=True, slots=True)
class Versus:
    """Two tables with the same content."""

    counting: ForwardingTable
    subject: ForwardingTable

    @classmethod
    def load(cls, engine: Engine, interfaces: list[str], texts: list[str]) -> "Versus":
        """Fill both."""
        return cls(load("counting", interfaces, texts), load(engine, interfaces, texts))

    def results(self, sent: list[Message]) -> float:
        """Interfaces a message; an error if the two disagree."""
        for message in sent[:COMPARED_BY_NAME]:
            if sorted(self.counting.match(message)) != sorted(self.subject.match(message)):
                raise AssertionError(f"{self.subject.engine} disagrees with counting about {message}")
        counts = [len(self.counting.match_ids(message)) for message in sent]
        if counts != [len(self.subject.match_ids(message)) for message in sent]:
            raise AssertionError(f"{self.subject.engine} disagrees with counting on numbers of interfaces")
        return sum(counts) / len(sent)

    def times(self, sent: list[Message], repeats: int) -> Times:
        """Time both, one after the other, several times."""
        turns = in_turn(natively(self.counting, sent), natively(self.subject, sent), repeats)
        each = 1 / len(sent)
        return Times(
            Spread.of(slow for slow, _ in turns).times(each),
            Spread.of(fast for _, fast in turns).times(each),
            Spread.of(slow / fast for slow, fast in turns),
        )


def in_turn(first: Pass, second: Pass, repeats: int) -> list[tuple[float, float]]:
    """Seconds of both, one after the other."""
    return [(fill(first, 1)[0], fill(second, 1)[0]) for _ in range(repeats)]


def load(engine: Engine, interfaces: list[str], texts: list[str]) -> ForwardingTable:
    """A table that is ready to match."""
    table = ForwardingTable(engine)
    table.subscribe_many(interfaces, texts)
    table.build()
    return table
