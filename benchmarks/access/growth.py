"""A table that grows tenfold while every message finds as much as before.

The large table is the small one ten times over. What tells the copies apart is either their attribute names
(each has a vocabulary of its own) or one more constraint, `tenant.account = n` (all share the paper's names).
A message speaks to one of the copies, so it has exactly the results that it had in the small table. The large
table gets its messages for all copies in turn: what it has to touch grows as it does.
"""

from dataclasses import dataclass, replace

from access.figure import Run
from common import Cell, Message, Spread, natively, progress
from penstock import ForwardingTable
from penstock.table import Engine
from penstock.workload import Scenario2002, filters, messages, sized
from penstock.workload.shape import Shape
from versus import in_turn, load

__all__ = ["measure_growth"]

COPIES = 10
MESSAGES = 1_000
# Accounts of one copy.
ACCOUNTS = 10
FACTOR = 1.5


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of the small table: the interfaces and texts of its filters, and its messages."""

    interfaces: list[str]
    texts: list[str]
    sent: list[Message]


@dataclass(frozen=True, slots=True)
class Renamed:
    """A scenario whose names all carry a number."""

    scenario: Scenario2002
    number: int

    def shape(self) -> Shape:
        """The same draws of other names."""
        shape = self.scenario.shape()
        words, weights = shape.attribute_names
        names = tuple(f"{word}.{self.number}" for word in words), weights
        return replace(shape, attribute_names=names, constraint_names=names)


def by_names(number: int, constraints: int, seed: int) -> Copy:
    """A copy with a vocabulary of its own."""
    scenario = Renamed(replace(sized(constraints, None, seed), M=MESSAGES), number)
    return Copy(*filters(scenario, seed), messages(scenario, seed))


def by_accounts(number: int, constraints: int, seed: int) -> Copy:
    """A copy with accounts of its own; five constraints a filter become six, in as many in all."""
    scenario = replace(sized(constraints * 5 // 6, None, seed), M=MESSAGES)
    interfaces, texts = filters(scenario, seed)
    first = ACCOUNTS * number
    narrowed = [f"tenant.account = {first + n % ACCOUNTS} AND {text}" for n, text in enumerate(texts)]
    sent = messages(scenario, seed)
    addressed = [message | {"tenant.account": first + n % ACCOUNTS} for n, message in enumerate(sent)]
    return Copy(interfaces, narrowed, addressed)


KINDS = {"names": by_names, "accounts": by_accounts}


def measure_growth(run: Run, constraints: int) -> list[dict[str, Cell]]:
    """Both kinds of growth to so many constraints, with the engine and with counting."""
    rows: list[dict[str, Cell]] = []
    for kind, draw in KINDS.items():
        copies = [draw(number, constraints // COPIES, run.seed) for number in range(COPIES)]
        for each in dict.fromkeys((run.engine, "counting")):
            progress(f"growth by {kind} to {constraints:,} constraints: {each}")
            row = _grow(each, copies, run.repeats)
            if each == run.engine:
                what = f"growth {constraints // COPIES:,} → {constraints:,} constraints, ten times the {kind}"
                run.figures.at_most(FACTOR, "x", what, row["growth"])
            rows.append({"ten times the": kind, "engine": each, **row})
    return rows


def _grow(engine: Engine, copies: list[Copy], repeats: int) -> dict[str, float | Spread]:
    (small, few), (large, many) = _table(engine, copies[:1]), _table(engine, copies)
    results = _results(small, few)
    if results != _results(large, many):
        raise AssertionError(f"the results of {engine} grow with the table")
    turns = in_turn(natively(small, few), natively(large, many), repeats)
    return {
        "results": results,
        "small µs": Spread.of(before for before, _ in turns).times(1e6 / MESSAGES),
        "large µs": Spread.of(after for _, after in turns).times(1e6 / MESSAGES),
        "growth": Spread.of(after / before for before, after in turns),
    }


def _table(engine: Engine, copies: list[Copy]) -> tuple[ForwardingTable, list[Message]]:
    """All copies, and messages to each in turn."""
    names = [f"{number}/{name}" for number, copy in enumerate(copies) for name in copy.interfaces]
    table = load(engine, names, [text for copy in copies for text in copy.texts])
    return table, [copies[n % len(copies)].sent[n] for n in range(MESSAGES)]


def _results(table: ForwardingTable, sent: list[Message]) -> float:
    return sum(len(table.match_ids(message)) for message in sent) / len(sent)
