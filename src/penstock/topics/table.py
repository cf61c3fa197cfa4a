"""The table of topics: patterns in, destinations out.

Everything that grows with the number of subscriptions lives in the native core; this module gives it its
Python face. The one exception is the scheme `regex`, which matches with Python's own `re`.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, final, get_args

from penstock._core import MAX_TOPIC_LEVELS, TopicScheme
from penstock._core import TopicTable as CoreTable
from penstock.arrow import ArrowData, import_list
from penstock.errors import UnknownDestinationError, UnknownSubscriptionError
from penstock.topics.regex import RegexMatcher

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["Destinations", "Scheme", "TopicStats", "TopicTable"]

Scheme = Literal["radix", "tree", "hash", "regex"]

MAX_DESTINATIONS = 2**32  # the core keeps their ids in 32 bits


@dataclass(frozen=True, slots=True)
class TopicStats:
    """How large a table is, in counts and in bytes."""

    scheme: str
    subscriptions: int
    destinations: int
    patterns: int  #: distinct; `regex` keeps one for each subscription
    index: dict[str, int]  #: in the scheme's own words: nodes, edges, first levels
    bytes: dict[str, int]  #: by part
    total_bytes: int
    index_bytes: int  #: what finds patterns, without the patterns themselves

    @property
    def bytes_per_pattern(self) -> float:
        """Bytes of all structures, shared out over the patterns."""
        return self.total_bytes / max(self.patterns, 1)


@final
class Destinations(Mapping[str, int]):
    """The destinations of a table: a live, read-only mapping of names to ids."""

    __slots__ = ("_table",)

    def __init__(self, table: CoreTable) -> None:
        self._table = table

    def __getitem__(self, name: str) -> int:
        found = self._table._destination_id(name)
        if found is None:
            raise UnknownDestinationError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._table._destination_names())

    def __len__(self) -> int:
        return self._table._destination_count()

    def __contains__(self, name: object) -> bool:
        return self._table._destination_id(name) is not None

    def __repr__(self) -> str:
        return f"<Destinations: {len(self)}>"

    def name_of(self, id: SupportsIndex) -> str:  # noqa: A002
        """Translate an id of `match_ids` back."""
        number = operator.index(id)
        found = self._table._destination_at(number) if number in range(MAX_DESTINATIONS) else None
        if found is None:
            raise UnknownDestinationError(number)
        return found


class TopicTable(CoreTable):
    """Maps patterns to destinations, and finds the destinations of a topic.

    scheme="radix" is a trie that ends where a pattern is alone, the fastest and smallest. The others are
    those of the streams paper: "tree", "hash", and "regex", which tries one expression after the other.
    All give the same answers. Topics and patterns have at most so many `levels`.
    """

    def __new__(cls, scheme: Scheme = "radix", *, levels: int = 16) -> TopicTable:  # noqa: ARG004
        """Make a table; the one of scheme `regex` is of a class of its own."""
        return super().__new__(_RegexTopicTable if scheme == "regex" else cls)

    def __init__(self, scheme: Scheme = "radix", *, levels: int = 16) -> None:
        if scheme not in get_args(Scheme):
            raise ValueError(f"scheme must be one of {', '.join(get_args(Scheme))}, not {scheme!r}")
        levels = operator.index(levels)
        if not 1 <= levels <= MAX_TOPIC_LEVELS:
            raise ValueError(f"levels must be from 1 to {MAX_TOPIC_LEVELS}")
        super().__init__(TopicScheme[scheme.upper()], levels)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TopicTable:
        """Take up a table where save() left it: scheme, levels, subscriptions and their ids.

        The file is mapped, so that loading costs a pass over it and processes share its pages; what is
        changed afterwards belongs to this table, and never reaches the file. Load only files that you trust:
        checksums find accidents, not malice.
        """
        table = cls.__new__(cls)
        CoreTable.__init__(table, path)
        if table.scheme == "regex":
            table = cls.__new__(cls, "regex")
            CoreTable.__init__(table, path)
        table._catch_up()
        return table

    def _catch_up(self) -> None:
        """After loading: whatever is kept beside the core."""

    @property
    def scheme(self) -> str:
        """The name of the scheme."""
        return self._scheme.name.lower()

    @property
    def levels(self) -> int:
        """How many levels a pattern or a topic may have."""
        return self._levels

    @property
    def destinations(self) -> Destinations:
        """The destinations that hold at least one subscription."""
        return Destinations(self)

    def subscriptions(self) -> Iterator[tuple[int, str, str]]:
        """Read back every subscription: its id, its pattern and its destination."""
        for id_ in self._subscription_ids().tolist():
            try:
                held = self._subscription(id_)
            except UnknownSubscriptionError:  # it was removed in the meantime
                continue
            yield id_, *held

    def match_batch(
        self, topics: ArrowData, *, column: str | None = None, names: bool = False
    ) -> pa.ListArray[Any]:
        """Match an Arrow array of strings: for each topic, the ids of its destinations, or their names.

        The array may be of any library that speaks Arrow's capsule protocol, and of any layout of strings,
        dictionaries included; of a table, `column` is the one that holds the topics. A null has no answer,
        and its list is null. What is no topic raises a MessageError with its `row`.
        """
        return import_list(*self._match_batch(topics, column, names))

    def stats(self) -> TopicStats:
        """Count and weigh the table."""
        counts, index, parts = self._weigh()
        return TopicStats(
            scheme=self.scheme,
            **counts,
            index=index,
            bytes={name: size for name, size, _ in parts},
            total_bytes=sum(size for _, size, _ in parts),
            index_bytes=sum(size for _, size, of_index in parts if of_index),
        )

    def __repr__(self) -> str:
        sizes = f"{len(self)} subscriptions of {len(self.destinations)} destinations"
        return f"<TopicTable {self.scheme}: {sizes}>"


@final
class _RegexTopicTable(TopicTable):
    """The scheme `regex`: the core keeps the subscriptions, Python's `re` matches, one thread at a time."""

    def __init__(self, scheme: Scheme = "regex", *, levels: int = 16) -> None:
        super().__init__(scheme, levels=levels)
        self._catch_up()

    def _catch_up(self) -> None:
        self._lock = RLock()
        self._matcher = RegexMatcher()
        self._take_up(self._subscription_ids().tolist())

    def _take_up(self, ids: list[int]) -> None:
        for id_ in ids:
            pattern, destination = self._subscription(id_)
            self._matcher.add(id_, pattern, self.destinations[destination])

    def subscribe(self, pattern: str, destination: str) -> int:
        with self._lock:
            id_ = super().subscribe(pattern, destination)
            self._take_up([id_])
            return id_

    def subscribe_many(self, patterns: Sequence[str], destinations: Sequence[str]) -> NDArray[np.int64]:
        with self._lock:
            ids = super().subscribe_many(patterns, destinations)
            self._take_up(ids.tolist())
            return ids

    def unsubscribe(self, id: SupportsIndex) -> None:  # noqa: A002
        with self._lock:
            super().unsubscribe(id)
            self._matcher.remove(operator.index(id))

    def match(self, topic: str) -> tuple[str, ...]:
        with self._lock:
            self._check_topic(topic)
            return tuple(self.destinations.name_of(id_) for id_ in self._matcher.match(topic))

    def match_ids(self, topic: str) -> NDArray[np.uint32]:
        import numpy as np  # noqa: PLC0415 (loaded when it is needed, as the core does)

        with self._lock:
            self._check_topic(topic)
            return np.array(self._matcher.match(topic), dtype=np.uint32)

    def match_batch(
        self, topics: ArrowData, *, column: str | None = None, names: bool = False
    ) -> pa.ListArray[Any]:
        with self._lock:
            return import_list(*self._match_batch_by(topics, column, names, self._matcher.match))

    def stats(self) -> TopicStats:
        with self._lock:
            stats, expressions = super().stats(), self._matcher.bytes()
        return replace(
            stats,
            bytes={**stats.bytes, "index": expressions},
            total_bytes=stats.total_bytes + expressions,
            index_bytes=expressions,
        )
