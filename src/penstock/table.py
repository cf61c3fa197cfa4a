"""The forwarding table, which finds the interfaces that a message goes to.

Everything that grows with the number of subscriptions lives in the native core; this module gives it its
Python face. An interface's id is stable while the interface holds at least one subscription.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, final

from penstock import _core
from penstock.arrow import ArrowData, import_list
from penstock.errors import UnknownInterfaceError
from penstock.explain import Explanation, explain
from penstock.model import Limits, Predicate

if TYPE_CHECKING:
    import pyarrow as pa

Engine = Literal["counting", "selectivity"]

# The core keeps both in 32 bits.
MAX_ROUNDS = 2**32 - 1
MAX_INTERFACES = 2**32


@dataclass(frozen=True, slots=True)
class Stats:
    """How large a table is, in counts and in bytes."""

    engine: str
    subscriptions: int
    interfaces: int
    filters: int  #: distinct
    constraints: int  #: in the distinct filters
    distinct_constraints: int
    names: int  #: distinct attribute names
    bytes: dict[str, int]  #: by part
    total_bytes: int
    index_bytes: int  #: what matching uses, without the catalogue that subscriptions are read back from

    @property
    def bytes_per_constraint(self) -> float:
        """Bytes of all structures, shared out over the constraints."""
        return self.total_bytes / max(self.constraints, 1)

    @property
    def index_bytes_per_constraint(self) -> float:
        """Bytes of what matching uses: the figure that the papers give."""
        return self.index_bytes / max(self.constraints, 1)


@final
class Interfaces(Mapping[str, int]):
    """The interfaces of a table: a live, read-only mapping of names to ids."""

    __slots__ = ("_table",)

    def __init__(self, table: _core.Table) -> None:
        self._table = table

    def __getitem__(self, name: str) -> int:
        found = self._table._interface_id(name)
        if found is None:
            raise UnknownInterfaceError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._table._interface_names())

    def __len__(self) -> int:
        return self._table._interface_count()

    def __contains__(self, name: object) -> bool:
        return self._table._interface_id(name) is not None

    def __repr__(self) -> str:
        return f"<Interfaces: {len(self)}>"

    def name_of(self, id: SupportsIndex) -> str:  # noqa: A002
        """Translate an id of `match_ids` back."""
        number = operator.index(id)
        found = self._table._interface_at(number) if number in range(MAX_INTERFACES) else None
        if found is None:
            raise UnknownInterfaceError(number)
        return found


@final
class ForwardingTable(_core.Table):
    """Maps predicates to interfaces and finds the interfaces that a message matches.

    engine="counting" is the counting algorithm; engine="selectivity" first consults the `rounds` most
    selective names of the selectivity table. Changes are buffered; the next match, or build(), consolidates.
    """

    def __init__(
        self, engine: Engine = "counting", *, rounds: int = 10, limits: Limits | None = None
    ) -> None:
        if engine not in ("counting", "selectivity"):
            raise ValueError(f"engine must be 'counting' or 'selectivity', not {engine!r}")
        rounds = operator.index(rounds)
        if not 0 <= rounds <= MAX_ROUNDS:
            raise ValueError(f"rounds must be from 0 to {MAX_ROUNDS:,}")
        if limits is not None and not isinstance(limits, Limits):
            raise TypeError(f"limits must be Limits, not {type(limits).__name__}")
        super().__init__(rounds if engine == "selectivity" else 0, Limits() if limits is None else limits)
        self._engine = engine
        self._rounds = rounds

    @property
    def engine(self) -> str:
        """The name of the engine."""
        return self._engine

    @property
    def rounds(self) -> int:
        """How many rows of the selectivity table are consulted; 0 for the counting engine."""
        return self._rounds if self._engine == "selectivity" else 0

    @property
    def interfaces(self) -> Interfaces:
        """The interfaces that hold at least one subscription."""
        return Interfaces(self)

    def subscriptions(self) -> Iterator[tuple[int, str, Predicate]]:
        """Read back every subscription: its id, its interface and its predicate."""
        for id_ in self._subscription_ids().tolist():
            if id_ in self:  # it may have been removed since
                yield id_, *self._subscription(id_)

    def explain(self, message: Mapping[str, Any], interface: str, *, limit: int | None = 5) -> Explanation:
        """Say why the interface wants the message, or does not: which of its filters matched or came close.

        Keeps the best `limit` filters, matches before near misses; None keeps all.
        """
        return explain(self, message, interface, limit)

    def match_batch(self, data: ArrowData, *, names: bool = False) -> pa.ListArray[Any]:
        """Match the rows of an Arrow table: for each, the ids of its interfaces, or their names.

        Columns are attributes, nulls are absent, structs flatten to dotted names. The data is read where it
        lies, from any library that speaks Arrow's capsule protocol.
        """
        return import_list(*self._match_batch(data, names))

    def stats(self) -> Stats:
        """Count and weigh the table; consolidates changes first."""
        counts = self._counts()
        parts = self._parts()
        return Stats(
            engine=self._engine,
            **counts,
            bytes={name: size for name, size, _ in parts},
            total_bytes=sum(size for _, size, _ in parts),
            index_bytes=sum(size for _, size, index in parts if index),
        )

    def __repr__(self) -> str:
        sizes = f"{len(self)} subscriptions on {len(self.interfaces)} interfaces"
        return f"<ForwardingTable {self._engine}: {sizes}>"
