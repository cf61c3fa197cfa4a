"""Any predicate of the filter language as a topic, ordered by covering: routers then need ids alone.

Topics that want a message are found natively, by a forwarding table with an interface for each.
"""

from collections.abc import Iterable
from typing import TypeAlias

from penstock import oracle
from penstock.errors import UniverseError
from penstock.language import parse
from penstock.model import Constraint, Filter, Message, Predicate
from penstock.structures.application import Index
from penstock.table import ForwardingTable

__all__ = ["FilterInterest", "Filters"]

FilterInterest: TypeAlias = str | Predicate | Filter | Constraint


class Filters:
    """The application of those who write filters and send attributes."""

    __slots__ = ()

    def topic(self, interest: FilterInterest) -> Predicate:
        """The predicate, which is canonical by itself; FilterError for a text that is none."""
        match interest:
            case Predicate():
                return interest
            case Filter():
                return Predicate([interest])
            case Constraint():
                return Predicate([Filter([interest])])
        return parse(interest)

    def wants(self, topic: Predicate, message: Message) -> bool:
        """As the oracle says."""
        return oracle.matches(topic, message)

    def covers(self, one: Predicate, other: Predicate) -> bool:
        """As predicates do."""
        return one.covers(other)

    def universe(self) -> Iterable[Message]:
        """Messages cannot be listed."""
        raise UniverseError(
            "messages with attributes are without number, so they have no disjoint categories",
            "use content lists or content graphs",
        )

    def index(self) -> Index[Predicate, Message]:
        """An empty table."""
        return _Matcher()


class _Matcher:
    """A forwarding table whose interfaces are ids."""

    __slots__ = ("_subscriptions", "_table")

    def __init__(self) -> None:
        self._table = ForwardingTable()
        self._subscriptions: dict[int, int] = {}

    def add(self, id_: int, topic: Predicate) -> None:
        self._subscriptions[id_] = self._table.subscribe(str(id_), topic)

    def remove(self, id_: int) -> None:
        self._table.unsubscribe(self._subscriptions.pop(id_))

    def match(self, message: Message) -> Iterable[int]:
        return map(int, self._table.match(message))
