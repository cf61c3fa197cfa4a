"""A table under updates: which filters it holds now, and which wait outside. All are parsed beforehand."""

from collections.abc import Iterable
from dataclasses import dataclass

from penstock import ForwardingTable, Predicate, parse
from penstock.table import Engine
from penstock.workload import Scenario2002, filters
from versus import load

__all__ = ["Live"]


@dataclass(slots=True)
class Live:
    """Interface n holds the filter `held[n]` under the subscription `ids[n]`."""

    engine: Engine
    table: ForwardingTable
    texts: list[str]
    predicates: list[Predicate]
    ids: list[int]
    held: list[int]
    spare: list[int]

    @classmethod
    def load(cls, engine: Engine, count: int, seed: int) -> "Live":
        """So many filters of the 2002 workload, each with its own interface, and as many spare ones."""
        texts = filters(Scenario2002(I=2 * count), seed)[1]
        table = ForwardingTable(engine)
        ids = table.subscribe_many([f"i{n}" for n in range(count)], texts[:count]).tolist()
        table.build()
        held, spare = list(range(count)), list(range(count, 2 * count))
        return cls(engine, table, texts, [parse(text) for text in texts], ids, held, spare)

    def exchange(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Exchange filters of interfaces for spare ones: one unsubscribe and one subscribe each."""
        for slot, other in pairs:
            self.table.unsubscribe(self.ids[slot])
            self.held[slot], self.spare[other] = self.spare[other], self.held[slot]
            self.ids[slot] = self.table.subscribe(f"i{slot}", self.predicates[self.held[slot]])

    def fresh(self) -> ForwardingTable:
        """A table that was built from what is held now."""
        held = [self.texts[number] for number in self.held]
        return load(self.engine, [f"i{n}" for n in range(len(held))], held)
