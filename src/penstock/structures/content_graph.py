"""Content graphs: ids with an order among them, so that a header need name only the lowest that match.

The first router gets every id that matches, as in a content list: it alone knows which of them lie beyond its
links. Were the lowest chosen before, a header could name an id that has not arrived yet, or lies in a part of
the network that is cut off, and nobody above it would get the message. From the first router on, headers
carry the lowest ids.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from penstock.errors import StructureError
from penstock.structures.application import Application
from penstock.structures.graph_table import GraphTable
from penstock.structures.order import Order
from penstock.structures.place import Place, read_place, write_place
from penstock.structures.register import Register
from penstock.structures.rising import RisingIds
from penstock.structures.wire import MAX_IDS

__all__ = ["GRAPH", "ContentGraph", "GraphProcessor"]

I = TypeVar("I")  # noqa: E741
T = TypeVar("T", bound=Hashable)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class ContentGraph(RisingIds):
    """Entries are places, headers are rising ids."""

    name: str = field(default="graph", init=False)

    def table(self) -> GraphTable:
        """An empty table."""
        return GraphTable()

    def covers(self, one: Place, other: Place) -> bool:
        """Only what is equal: headers name the lower ids, so tables must know them."""
        return one == other

    def encode_entry(self, entry: Place) -> bytes:
        """Write a place."""
        return write_place(entry)

    def decode_entry(self, data: bytes) -> Place:
        """Read a place."""
        return read_place(data)


GRAPH = ContentGraph()


class GraphProcessor(Generic[I, T, M]):
    """An id for each topic, placed in the order of covering; topics that want the same share one."""

    __slots__ = ("_order", "_places", "_register", "_topics", "application")

    def __init__(self, application: Application[I, T, M]) -> None:
        self.application = application
        self._register: Register[T, M] = Register(application.index())
        self._order = Order()
        self._topics: dict[int, T] = {}
        self._places: dict[int, Place] = {}

    @property
    def format(self) -> ContentGraph:
        """Content graphs."""
        return GRAPH

    def subscribe(self, interest: I) -> Sequence[Place]:
        """The place of the topic."""
        topic = self.application.topic(interest)
        if self._register.find(topic) is not None:
            return (self._places[self._register.acquire(topic)],)
        covering, covered = self._compare(topic)
        above, below = self._order.above(covering), self._order.below(covered)
        if same := above & below:  # it covers what covers it
            return (self._places[self._register.acquire(topic, same_as=min(same))],)
        below = self._order.certain(above, below)
        if max(len(above), len(below)) > MAX_IDS:
            raise StructureError(f"{topic} has more than {MAX_IDS:,} live topics above or below it")
        id_ = self._register.acquire(topic)
        self._order.insert(id_, above, below)
        self._topics[id_] = topic
        place = self._places[id_] = Place(id_, frozenset(above), frozenset(below))
        return (place,)

    def unsubscribe(self, interest: I) -> Sequence[Place]:
        """The place of the topic; once nobody holds it, its id is never used again."""
        id_ = self._register.release(self.application.topic(interest))
        if id_ in self._register:
            return (self._places[id_],)
        self._order.remove(id_)
        del self._topics[id_]
        return (self._places.pop(id_),)

    @property
    def topics(self) -> dict[int, T]:
        """What each id stands for that is live."""
        return self._register.topics

    def headers(self, message: M) -> Sequence[tuple[int, ...]]:
        """All ids whose topics want the message, for the first router to choose the lowest from."""
        ids = self._register.match(message)
        return (ids,) if ids else ()

    def lowest(self, message: M) -> tuple[int, ...]:
        """The lowest of all ids that want the message: enough where the first router knows them all."""
        return self._order.lowest(self._register.match(message))

    def wants(self, interest: I, message: M) -> bool:
        """Ask the application."""
        return self.application.wants(self.application.topic(interest), message)

    def _compare(self, topic: T) -> tuple[set[int], set[int]]:
        covers = self.application.covers
        covering = {id_ for id_, other in self._topics.items() if covers(other, topic)}
        covered = {id_ for id_, other in self._topics.items() if covers(topic, other)}
        return covering, covered
