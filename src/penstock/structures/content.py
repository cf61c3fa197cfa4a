"""Full content: entries are filters, a message carries its attributes, and every router matches anew.

The reference for the other formats, and the only one in which entries cover each other: a filter that is told
stands for all that it covers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from penstock.errors import StructureError, WireError
from penstock.language import parse
from penstock.model import Filter, Limits, Message, Predicate
from penstock.structures.attributes import Attributes, flatten, read_attributes, write_attributes
from penstock.structures.filters import FilterInterest, Filters
from penstock.structures.format import Link
from penstock.structures.identifier import Holders
from penstock.table import ForwardingTable

__all__ = ["CONTENT", "Content", "ContentProcessor", "ContentTable"]

MAX_FILTER = 2**20  # bytes of text: an IN list may be long
LIMITS = Limits(text_bytes=MAX_FILTER, filters=1)


class ContentTable:
    """Filters to links, matched natively."""

    __slots__ = ("_holders", "_links", "_names", "_next", "_subscriptions", "_table")

    def __init__(self) -> None:
        self._table = ForwardingTable()
        self._holders: Holders[Filter] = Holders()
        self._subscriptions: dict[tuple[Link, Filter], int] = {}
        self._names: dict[Link, str] = {}  # the forwarding table knows interfaces by text
        self._links: dict[str, Link] = {}
        self._next = 0

    def add(self, link: Link, entry: Filter) -> None:
        """Let a link hold a filter."""
        self._holders.hold(link, entry)
        if link not in self._names:
            self._names[link] = name = str(self._next)
            self._links[name] = link
            self._next += 1
        self._subscriptions[link, entry] = self._table.subscribe(self._names[link], entry)

    def remove(self, link: Link, entry: Filter) -> None:
        """Take a filter from a link."""
        self._holders.release(link, entry)
        self._table.unsubscribe(self._subscriptions.pop((link, entry)))
        if self._names[link] not in self._table.interfaces:
            del self._links[self._names.pop(link)]

    def forward(self, header: Attributes) -> Mapping[Link, Attributes]:
        """The links with a filter that the message matches; the header goes on as it came."""
        return dict.fromkeys([self._links[name] for name in self._table.match(header)], header)

    def ids(self) -> int:
        """Distinct filters held."""
        return len(self._holders)


@dataclass(frozen=True, slots=True)
class Content:
    """Entries are filters, headers are flat messages."""

    name: str = field(default="content", init=False)

    def table(self) -> ContentTable:
        """An empty table."""
        return ContentTable()

    def covers(self, one: Filter, other: Filter) -> bool:
        """As filters do."""
        return one.covers(other)

    def encode_entry(self, entry: Filter) -> bytes:
        """Write a filter as text."""
        data = str(entry).encode()
        if len(data) > MAX_FILTER:
            raise WireError(f"a filter of {len(data):,} bytes is over the limit of {MAX_FILTER:,}")
        return data

    def decode_entry(self, data: bytes) -> Filter:
        """Read a filter, printed just as it prints itself."""
        if len(data) > MAX_FILTER:
            raise WireError(f"a filter of {len(data):,} bytes is over the limit of {MAX_FILTER:,}")
        try:
            (filter_,) = parse(data.decode(), LIMITS).filters
        except ValueError as error:  # of UTF-8, of the language, or because there is not one filter
            raise WireError(f"not a filter: {error}") from error
        if str(filter_).encode() != data:
            raise WireError(f"a filter that is not written as it prints itself: {filter_}")
        return filter_

    def encode_header(self, header: Attributes) -> bytes:
        """Write the attributes."""
        return write_attributes(header)

    def decode_header(self, data: bytes) -> Attributes:
        """Read the attributes."""
        return read_attributes(data)

    def merge(self, one: Attributes, other: Attributes) -> Attributes:  # noqa: ARG002 - as everywhere
        """The one that both are."""
        return one

    def size(self, header: Attributes) -> int:
        """How many attributes there are."""
        return len(header)


CONTENT = Content()


class ContentProcessor:
    """Splits a predicate into its filters; a message carries itself."""

    __slots__ = ("_held", "application")

    def __init__(self) -> None:
        self.application = Filters()
        self._held: dict[Predicate, int] = {}

    @property
    def format(self) -> Content:
        """Full content."""
        return CONTENT

    def subscribe(self, interest: FilterInterest) -> Sequence[Filter]:
        """The filters of the predicate."""
        topic = self.application.topic(interest)
        self._held[topic] = self._held.get(topic, 0) + 1
        return topic.filters

    def unsubscribe(self, interest: FilterInterest) -> Sequence[Filter]:
        """The same filters again."""
        topic = self.application.topic(interest)
        if topic not in self._held:
            raise StructureError(f"nobody holds the interest {topic}")
        self._held[topic] -= 1
        if not self._held[topic]:
            del self._held[topic]
        return topic.filters

    def headers(self, message: Message) -> Sequence[Attributes]:
        """The message, flat; whether anybody wants it, the tables know."""
        return (flatten(message),)

    def wants(self, interest: FilterInterest, message: Message) -> bool:
        """Ask the oracle."""
        return self.application.wants(self.application.topic(interest), message)
