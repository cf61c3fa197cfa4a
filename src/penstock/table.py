"""The forwarding table, which finds the interfaces that a message goes to.

Everything that grows with the number of subscriptions lives in the native core; this module gives it its
Python face. An interface's id is stable while the interface holds at least one subscription.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, final, get_args, overload

from penstock import _core
from penstock.arrow import ArrowData, import_batch, import_list
from penstock.errors import UnknownInterfaceError, UnknownSubscriptionError
from penstock.explain import Explanation, explain
from penstock.model import Limits, Predicate

if TYPE_CHECKING:
    import pyarrow as pa

Engine = Literal["access", "counting", "selectivity"]

# The core keeps both in 32 bits.
MAX_ROUNDS = 2**32 - 1
MAX_INTERFACES = 2**32

MAX_THREADS = 1024


@dataclass(frozen=True, slots=True)
class Stats:
    """How large a table is, in counts and in bytes."""

    engine: str
    subscriptions: int
    interfaces: int
    filters: int  #: distinct
    constraints: int  #: in the distinct filters
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

    engine="access" looks filters up under their least likely constraint, follows every change in place and
    matches in as many threads as there are. engine="counting" is the papers' counting algorithm, and
    engine="selectivity" consults the `rounds` most selective names of the selectivity table before it; both
    consolidate changes at the next match, or build(), and match in one thread at a time.
    """

    def __init__(self, engine: Engine = "access", *, rounds: int = 10, limits: Limits | None = None) -> None:
        if engine not in get_args(Engine):
            raise ValueError(f"engine must be one of {', '.join(get_args(Engine))}, not {engine!r}")
        rounds = operator.index(rounds)
        if not 0 <= rounds <= MAX_ROUNDS:
            raise ValueError(f"rounds must be from 0 to {MAX_ROUNDS:,}")
        if limits is not None and not isinstance(limits, Limits):
            raise TypeError(f"limits must be Limits, not {type(limits).__name__}")
        super().__init__(
            _core.Engine[engine.upper()],
            rounds if engine == "selectivity" else 0,
            Limits() if limits is None else limits,
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> ForwardingTable:
        """Take up a table where save() left it: engine, limits, subscriptions and their ids.

        The file is mapped, so that loading costs a pass over it and processes share its pages; what is
        changed afterwards belongs to this table, and never reaches the file. Load only files that you trust:
        checksums find accidents, not malice.
        """
        table = cls.__new__(cls)
        _core.Table.__init__(table, path)
        return table

    @property
    def engine(self) -> str:
        """The name of the engine."""
        return self._engine.name.lower()

    @property
    def rounds(self) -> int:
        """How many rows of the selectivity table are consulted; 0 for the other engines."""
        return self._rounds

    @property
    def interfaces(self) -> Interfaces:
        """The interfaces that hold at least one subscription."""
        return Interfaces(self)

    def subscriptions(self) -> Iterator[tuple[int, str, Predicate]]:
        """Read back every subscription: its id, its interface and its predicate."""
        for id_ in self._subscription_ids().tolist():
            try:
                held = self._subscription(id_)
            except UnknownSubscriptionError:  # it was removed in the meantime
                continue
            yield id_, *held

    def explain(self, message: Mapping[str, Any], interface: str, *, limit: int | None = 5) -> Explanation:
        """Say why the interface wants the message, or does not: which of its filters matched or came close.

        Keeps the best `limit` filters, matches before near misses; None keeps all.
        """
        return explain(self, message, interface, limit)

    @overload
    def match_batch(
        self, data: ArrowData, *, names: bool = ..., json: None = ..., threads: int = ...
    ) -> pa.ListArray[Any]: ...
    @overload
    def match_batch(
        self, data: ArrowData, *, names: bool = ..., json: str, threads: int = ...
    ) -> pa.RecordBatch: ...
    def match_batch(
        self, data: ArrowData, *, names: bool = False, json: str | None = None, threads: int = 1
    ) -> pa.ListArray[Any] | pa.RecordBatch:
        """Match the rows of an Arrow table: for each, the ids of its interfaces, or their names.

        Columns are attributes, nulls are absent, structs flatten to dotted names. The data is read where it
        lies, from any library that speaks Arrow's capsule protocol.

        With `json`, each message is a JSON text in the column of that name, and other columns are ignored;
        the answer has two columns, `interfaces` and `error`: a bad text costs its own row only.

        With several `threads` (0: one for each core) each takes a part of the rows, and sees the table as it
        is then; the counting engines always use one.
        """
        threads = operator.index(threads)
        if not 0 <= threads <= MAX_THREADS:
            raise ValueError(f"threads must be from 0 to {MAX_THREADS:,}")
        if json is not None:
            return import_batch(*self._match_json_batch(data, names, threads, json))
        return import_list(*self._match_batch(data, names, threads))

    def stats(self) -> Stats:
        """Count and weigh the table; consolidates changes first."""
        counts, parts = self._weigh()
        return Stats(
            engine=self.engine,
            **counts,
            bytes={name: size for name, size, _ in parts},
            total_bytes=sum(size for _, size, _ in parts),
            index_bytes=sum(size for _, size, index in parts if index),
        )

    def __repr__(self) -> str:
        sizes = f"{len(self)} subscriptions on {len(self.interfaces)} interfaces"
        return f"<ForwardingTable {self.engine}: {sizes}>"
