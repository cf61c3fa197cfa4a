"""The paper's two applications as full content: interests are filters, messages carry their attributes.

The paper left content-based forwarding out, as too expensive to simulate; here its routers match by the
default engine, so it stands beside the others as our own entry.
"""

from collections.abc import Sequence
from typing import Any

from penstock.model import Filter
from penstock.structures import Baseball, Traffic
from penstock.structures.attributes import Attributes
from penstock.structures.content import Content, ContentProcessor

__all__ = ["ScenarioContent"]


class ScenarioContent:
    """A processor that writes interests as filters, and games and alerts as two attributes."""

    __slots__ = ("_application", "_processor")

    def __init__(self, application: Baseball | Traffic) -> None:
        self._application = application
        self._processor = ContentProcessor()

    @property
    def format(self) -> Content:
        """Full content."""
        return self._processor.format

    def subscribe(self, interest: Any) -> Sequence[Filter]:
        """The filters of an interest."""
        return self._processor.subscribe(self._text(interest))

    def unsubscribe(self, interest: Any) -> Sequence[Filter]:
        """The same filters again."""
        return self._processor.unsubscribe(self._text(interest))

    def headers(self, message: tuple[int, int]) -> Sequence[Attributes]:
        """The message's attributes, whoever wants them."""
        return self._processor.headers({"first": message[0], "last": message[1]})

    def wants(self, interest: Any, message: Any) -> bool:
        """As the application says."""
        application: Any = self._application
        return bool(application.wants(application.topic(interest), message))

    def _text(self, interest: Any) -> str:
        topic: Any = self._application.topic(interest)
        if isinstance(self._application, Traffic):
            begin = topic[0] if self._application.inclusive else topic[0] + 1
            return f"last >= {begin} AND first <= {topic[1]}"
        match topic:
            case ():
                return "EXISTS first"
            case (team,):
                return f"first = {team} OR last = {team}"
        return f"first = {topic[0]} AND last = {topic[1]}"
