"""The accounts of a run: what came in, where it went, and whether the one equals the other.

Rows of the input are counted in a pass of their own, rows of the output in the files that were written;
nothing is counted only by who moved it.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

from penstock.errors import LedgerError

__all__ = ["Ledger", "SubscriptionCounts"]


@dataclass(frozen=True, slots=True)
class SubscriptionCounts:
    """The subscriptions of a run; zeros where a table was compiled before."""

    rows: int
    compiled: int
    rejected: int
    skipped: int = 0  #: lines that hold no subscription: blank, comments, the names of columns

    def discrepancies(self) -> list[str]:
        """What does not add up, in words."""
        given, used = self.rows - self.skipped, self.compiled + self.rejected
        return [] if given == used else [f"subscriptions {given:,} ≠ compiled + rejected {used:,}"]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The messages of a run, and its subscriptions."""

    rows: int  #: in the input, counted by themselves
    skipped: int  #: lines that hold no message: blank, or the names of columns
    matched: int
    unmatched: int
    rejected: int
    deliveries: int  #: pairs of a message and an interface
    written: dict[str, int] = field(default_factory=dict)  #: rows in the files of the output
    subscriptions: SubscriptionCounts | None = None

    @property
    def messages(self) -> int:
        """The rows that are messages, readable or not."""
        return self.rows - self.skipped

    def check(self) -> None:
        """Raise a LedgerError unless everything adds up."""
        if wrong := self.discrepancies():
            raise LedgerError(wrong)

    def discrepancies(self) -> list[str]:
        """What does not add up, in words."""
        refused = self.subscriptions.rejected if self.subscriptions else 0
        ends = self.matched + self.unmatched + self.rejected
        sums = [
            ("messages", self.messages, "matched + unmatched + rejected", ends),
            ("deliveries", self.deliveries, "written", self.written.get("deliveries", 0)),
            ("unmatched", self.unmatched, "written", self.written.get("unmatched", 0)),
            ("rejected", self.rejected + refused, "written", self.written.get("rejected", 0)),
        ]
        wrong = [f"{left} {a:,} ≠ {right} {b:,}" for left, a, right, b in sums if a != b]
        if self.deliveries < self.matched:
            wrong.append(f"deliveries {self.deliveries:,} < matched {self.matched:,}")
        return wrong + (self.subscriptions.discrepancies() if self.subscriptions else [])

    def to_dict(self) -> dict[str, Any]:
        """For metrics.json."""
        return {
            "messages": self.messages,
            "matched": self.matched,
            "unmatched": self.unmatched,
            "rejected": self.rejected,
            "deliveries": self.deliveries,
            "skipped": self.skipped,
            "subscriptions": asdict(self.subscriptions) if self.subscriptions else None,
        }
