"""The applications of scenario files: what hosts ask for and publish, by chance or as it is written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Protocol

from penstock.errors import PenstockError, StructureError
from penstock.network.scenario import known
from penstock.network.section import Section
from penstock.structures import Application, Filters
from penstock.structures.attributes import flatten
from penstock.structures.baseball import Baseball
from penstock.structures.category import Categories
from penstock.structures.traffic import Traffic

__all__ = ["Cast", "read_cast"]

KINDS: Final = ("filters", "categories", "baseball", "traffic")


class Cast(Protocol):
    """An application, and the habits of those who use it."""

    @property
    def application(self) -> Application[Any, Any, Any]:
        """The application itself."""

    def draw_interest(self, draw: Random) -> Any:
        """What a host asks for."""

    def draw_message(self, draw: Random) -> Any:
        """What is published."""

    def read_interest(self, value: Any) -> Any:
        """An interest as it is written in a file."""

    def read_message(self, value: Any) -> Any:
        """A message as it is written in a file."""


def read_cast(section: Section) -> Cast:
    """The application that a section describes."""
    kind = known(section.place("kind"), section.get("kind", str), KINDS)
    cast = READERS[kind](section)
    section.close()
    return cast


@dataclass(frozen=True, slots=True)
class Attribute:
    """Values to draw from: a list, the first ones more often if it is skewed, or a range of numbers."""

    values: tuple[Any, ...] = ()
    weights: tuple[float, ...] = ()
    least: float = 0
    most: float = 0

    def draw(self, draw: Random) -> Any:
        """A value."""
        if self.values:
            return draw.choices(self.values, self.weights)[0]
        if type(self.least) is int and type(self.most) is int:
            return draw.randint(self.least, self.most)
        return round(draw.uniform(self.least, self.most), 3)


class FilterCast:
    """Hosts ask by templates such as `dest = {dest} AND price < {price}`; messages have all attributes."""

    def __init__(self, attributes: dict[str, Attribute], templates: Sequence[str]) -> None:
        self.application = Filters()
        self._attributes = attributes
        self._templates = templates

    def draw_interest(self, draw: Random) -> str:
        """A template, with values in its gaps."""
        text = draw.choice(self._templates)
        for name, attribute in self._attributes.items():
            while (gap := "{" + name + "}") in text:
                text = text.replace(gap, _literal(attribute.draw(draw)), 1)
        return text

    def draw_message(self, draw: Random) -> dict[str, Any]:
        """A value for each attribute."""
        return {name: attribute.draw(draw) for name, attribute in self._attributes.items()}

    def read_interest(self, value: Any) -> Any:
        """A filter."""
        return value

    def read_message(self, value: Any) -> Any:
        """A table of attributes."""
        if not isinstance(value, dict):
            raise StructureError("a message is a table of attributes", "such as { price = 99 }")
        return flatten(value)


class CategoryCast:
    """Hosts ask for categories; messages carry one to three labels from the ends of the hierarchy."""

    def __init__(self, parents: dict[str, list[str]], labels: int) -> None:
        self.application = Categories(parents, labels=labels)
        self._labels = labels
        inner = {above for each in parents.values() for above in each}
        self._names = list(parents)
        self._ends = [name for name in parents if name not in inner]

    def draw_interest(self, draw: Random) -> str:
        """Any category."""
        return draw.choice(self._names)

    def draw_message(self, draw: Random) -> frozenset[str]:
        """Labels."""
        return frozenset(draw.choices(self._ends, k=draw.randint(1, self._labels)))

    def read_interest(self, value: Any) -> Any:
        """A category."""
        return value

    def read_message(self, value: Any) -> Any:
        """A list of labels."""
        if not isinstance(value, list) or len(value) > self._labels:
            raise StructureError(f"a message is a list of at most {self._labels} labels")
        return frozenset(self.application.topic(label) for label in value)


class PaperCast:
    """An application of the match-structure paper, with its own distributions."""

    def __init__(self, application: Baseball | Traffic) -> None:
        self.application: Application[Any, Any, Any] = application
        self._paper = application

    def draw_interest(self, draw: Random) -> Any:
        """As the paper draws them."""
        return self._paper.interests(1, draw.getrandbits(32))[0]

    def draw_message(self, draw: Random) -> Any:
        """As the paper draws them."""
        return self._paper.messages(1, draw.getrandbits(32))[0]

    def read_interest(self, value: Any) -> Any:
        """A list of numbers."""
        return tuple(value) if isinstance(value, list) else value

    def read_message(self, value: Any) -> Any:
        """A list of two numbers."""
        message = tuple(value) if isinstance(value, list) else value
        if message not in self.application.universe():
            raise StructureError(f"{value} is no message of this application", "write two numbers in order")
        return message


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _read_filters(section: Section) -> Cast:
    templates = section.get("templates", list)
    attributes = {}
    tables = section.section("attributes")
    for name in section.get("attributes", dict):
        attributes[name] = _read_attribute(tables.section(name))
    if not templates or not all(type(each) is str for each in templates):
        raise section.fail("templates", "must be a list of filters as text, with gaps such as {price}")
    cast = FilterCast(attributes, templates)
    for number, template in enumerate(templates):
        try:
            cast.application.topic(FilterCast(attributes, [template]).draw_interest(Random(0)))
        except PenstockError as error:
            raise section.fail(f"templates[{number}]", str(error)) from error
    return cast


def _read_attribute(section: Section) -> Attribute:
    if section.one_of("values", "between") == "values":
        values = section.get("values", list)
        skew = section.get("skew", float, 0.0)
        if not values or not all(type(each) in (str, int, float, bool) for each in values):
            raise section.fail("values", "must be a list of strings, numbers or truths")
        if not 0 <= skew <= 100:
            raise section.fail("skew", f"is from 0 (all alike) to 100, not {skew}")
        found = Attribute(tuple(values), tuple(1 / rank**skew for rank in range(1, len(values) + 1)))
    else:
        bounds = section.get("between", list)
        if (
            len(bounds) != 2
            or not all(type(each) in (int, float) for each in bounds)
            or bounds[0] > bounds[1]
        ):
            raise section.fail("between", "must be two numbers, the least and the most")
        found = Attribute(least=bounds[0], most=bounds[1])
    section.close()
    return found


def _read_categories(section: Section) -> Cast:
    parents = section.get("parents", dict)
    for name, above in parents.items():
        if type(above) is not list or not all(type(each) is str for each in above):
            raise section.fail(f"parents.{name}", "must be a list of categories, empty at the top")
    if not parents:
        raise section.fail("parents", "names no category")
    try:
        return CategoryCast(parents, section.number("labels", 1, 1))
    except PenstockError as error:
        raise section.fail("parents", str(error)) from error


def _read_baseball(section: Section) -> Cast:
    return PaperCast(Baseball(section.number("teams", 2, 30)))


def _read_traffic(section: Section) -> Cast:
    return PaperCast(Traffic(section.number("exits", 2, 20)))


READERS: Final[dict[str, Callable[[Section], Cast]]] = {
    "filters": _read_filters,
    "categories": _read_categories,
    "baseball": _read_baseball,
    "traffic": _read_traffic,
}
