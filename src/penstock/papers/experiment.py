"""An experiment of a paper: its sweep, how a point is measured, what the paper claims, how it is drawn.

A sweep is a list of points; each is measured by itself, in a task of its own, and gives readings. A paper's
printed numbers are data (`published/*.csv`), joined to the readings by series, x and quantity.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from penstock.errors import ExperimentError

__all__ = ["Claim", "Experiment", "Plot", "Point", "Reading", "Readings", "Scale", "Setting"]

Scale = Literal["small", "full"]
Setting = int | float | str


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a sweep: whatever `measure` needs to know, and nothing that cannot be written as JSON."""

    label: str  #: for the progress bar: "counting, I=20, 100,000 constraints"
    settings: Mapping[str, Setting] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was measured: the median of repeats with the lowest and highest, or an exact count."""

    series: str  #: a curve or a row of a table: "I=20", "counting, r=10", "graph"
    x: str  #: where on the curve or in which column: "100000", "heaviest traffic"
    quantity: str  #: "time", "bytes per constraint", "ids per table"
    unit: str  #: "µs", "bytes", "" for counts
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Plot:
    """How one quantity is drawn: x across, a line for each series with its name at its end."""

    quantity: str
    title: str
    x_label: str
    y_label: str
    log_x: bool = False
    log_y: bool = False
    series: Sequence[str] = ()  #: those drawn, in order; all if empty
    bars: bool = False  #: grouped bars for columns that are names


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper says in words, held against the readings."""

    text: str  #: what the paper says, in our words, with the place: "§5.3: ..."
    holds: bool
    found: str  #: what was measured, with figures
    because: str = ""  #: why it does not hold, if it does not
    ours: bool = False  #: about the engines that the papers did not have
    always: bool = False  #: an ordering, a count or a shape that must hold at every scale: tests assert it


@dataclass(frozen=True, slots=True)
class Experiment:
    """A figure or a table of a paper."""

    key: str  #: "2001-fig9"
    paper: str  #: "fast-2001" | "fast-2002" | "structures" | "streams"
    figure: str  #: "Figure 9"
    shows: str  #: one line: what one sees
    timed: bool  #: its points run one after the other, each alone; else as many at once as there are cores
    sweep: Callable[[Scale], Sequence[Point]]
    measure: Callable[[Point], Iterable[Reading]]
    claims: Callable[["Readings"], Iterable[Claim]]
    plots: Sequence[Plot]
    #: how far a printed number may be from ours and still agree, as a factor (1.1: ten per cent); None: times
    #: of other machines, which are shown with their ratio and judged by the claims alone.
    agrees: float | None = None


class Readings:
    """The readings of one experiment, with look-ups that claims are written in."""

    __slots__ = ("_found",)

    def __init__(self, rows: Iterable[Reading]) -> None:
        """No two may be of the same quantity, series and x."""
        self._found: dict[str, dict[str, dict[str, Reading]]] = {}
        for row in rows:
            line = self._found.setdefault(row.quantity, {}).setdefault(row.series, {})
            if row.x in line:
                raise ExperimentError(f"{row.quantity} of {row.series} at {row.x} was measured twice")
            line[row.x] = row

    def __iter__(self) -> Iterator[Reading]:
        """In the order of quantities, series and x in which they first came."""
        for lines in self._found.values():
            for line in lines.values():
                yield from line.values()

    def __len__(self) -> int:
        return sum(len(line) for lines in self._found.values() for line in lines.values())

    def at(self, quantity: str, series: str, x: str | int) -> Reading:
        """One reading; KeyError says what there is."""
        found: Mapping[str, object] = self._found
        for key, what in ((quantity, "quantity"), (series, f"series of {quantity}"), (str(x), "x")):
            if key not in found:
                raise KeyError(f"no {what} {key!r}; there are {', '.join(map(repr, found)) or 'none'}")
            found = found[key]  # type: ignore[assignment]
        return found  # type: ignore[return-value]

    def get(self, quantity: str, series: str, x: str | int) -> float:
        """The value of one reading; KeyError says what there is."""
        return self.at(quantity, series, x).value

    def find(self, quantity: str, series: str, x: str | int) -> Reading | None:
        """One reading, or None where nothing was measured."""
        return self._found.get(quantity, {}).get(series, {}).get(str(x))

    def curve(self, quantity: str, series: str) -> list[tuple[float, float]]:
        """What was measured along a curve, sorted by x, which must be numbers; empty if nothing was."""
        line = self._found.get(quantity, {}).get(series, {})
        return sorted((float(x), reading.value) for x, reading in line.items())

    def xs(self, quantity: str, series: str) -> list[str]:
        """Where a series was measured, in the order in which it was."""
        return list(self._found.get(quantity, {}).get(series, {}))

    def series(self, quantity: str) -> list[str]:
        """All series of a quantity, in the order in which they were measured."""
        return list(self._found.get(quantity, {}))

    def quantities(self) -> list[str]:
        """All quantities, in the order in which they were measured."""
        return list(self._found)
