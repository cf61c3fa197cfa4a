"""What a report says, as frozen values; how it looks is the template's business."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from penstock.explain import Explanation

__all__ = ["Bar", "Chart", "Fact", "Mistake", "Report", "Sample", "Step"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure, and what it is."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart, with a remark if there is one."""

    label: str
    value: float
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars that are compared with each other, and what they show in a sentence."""

    title: str
    text: str
    unit: str
    bars: Sequence[Bar]


@dataclass(frozen=True, slots=True)
class Step:
    """A stage of the run."""

    label: str
    seconds: float
    rows: int | None
    unit: str
    rate: float | None


@dataclass(frozen=True, slots=True)
class Sample:
    """A message held against one interface."""

    title: str
    message: Mapping[str, Any]
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Mistake:
    """A row that was rejected."""

    place: str
    row: str
    error: str


@dataclass(frozen=True, slots=True)
class Report:
    """All of it, in the order of the page."""

    title: str
    lead: str
    facts: Sequence[Fact]
    sums: Sequence[str]
    steps: Sequence[Step]
    fan_out: Mapping[int, int]  #: how many messages went to how many interfaces
    days: Mapping[str, int]  #: deliveries by date
    charts: Sequence[Chart]
    table: Sequence[Fact]
    samples: Sequence[Sample]
    mistakes: Sequence[Mistake]
    mistakes_text: str
    commands: Sequence[tuple[str, str]]  #: what it is for, and the command
    made: str
