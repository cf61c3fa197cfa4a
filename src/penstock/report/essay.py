"""A report in sections: each says something in words, and then in a drawing, tables or bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from penstock.report.content import Chart, Fact

__all__ = ["Essay", "Section", "Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; names of columns that begin with `#` stand over numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what is below it."""

    title: str
    text: str
    drawing: str = ""  #: SVG, which goes into the page as it is
    charts: Sequence[Chart] = ()
    table: Table | None = None
    commands: Sequence[tuple[str, str]] = ()  #: what it is for, and the command


@dataclass(frozen=True, slots=True)
class Essay:
    """All of it, in the order of the page."""

    title: str
    lead: str
    facts: Sequence[Fact]
    sums: Sequence[str]
    sections: Sequence[Section]
    made: str
