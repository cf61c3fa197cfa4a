"""What the papers printed: rows of small CSV files, each with the page and the place it was read from.

Nothing is guessed: a curve that is only in a picture has no rows. A row that no experiment knows is an error,
for it would never be compared with anything.
"""

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from importlib.resources import files
from importlib.resources.abc import Traversable

from penstock.errors import ExperimentError
from penstock.papers.catalogue import EXPERIMENTS
from penstock.papers.experiment import Experiment

__all__ = ["FILES", "Disagreement", "Published", "read_disagreements", "read_published"]

FILES: Traversable = files("penstock.papers").joinpath("published")
DISAGREEMENTS = "disagreements-"  # their files begin so, one for each paper
Cell = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Published:
    """One printed number, with a remark of ours."""

    experiment: str
    series: str
    x: str
    quantity: str
    unit: str
    value: float
    page: str
    place: str
    words: str

    @property
    def cell(self) -> Cell:
        """What it is joined to readings by."""
        return self.experiment, self.quantity, self.series, self.x


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Why a printed number is not what one finds."""

    experiment: str
    series: str
    x: str
    quantity: str
    reason: str

    @property
    def cell(self) -> Cell:
        """What it is joined to printed numbers by."""
        return self.experiment, self.quantity, self.series, self.x


def read_published(
    directory: Traversable = FILES, experiments: Sequence[Experiment] = EXPERIMENTS
) -> list[Published]:
    """All printed numbers, file by file in the order of their names."""
    known, seen, found = {each.key for each in experiments}, set[Cell](), []
    for file in _files(directory, disagreements=False):
        for place, row in _rows(file, [each.name for each in fields(Published)]):
            number = Published(**{**row, "value": _number(row["value"], place)})  # type: ignore[arg-type]
            _check(number.cell, known, seen, place)
            for name in ("page", "place"):
                if not row[name]:
                    raise ExperimentError(f"does not say the {name} that it was read from", place)
            found.append(number)
    return found


def read_disagreements(
    directory: Traversable = FILES, experiments: Sequence[Experiment] = EXPERIMENTS
) -> list[Disagreement]:
    """All rows that say why a printed number cannot be had."""
    known, seen, found = {each.key for each in experiments}, set[Cell](), []
    for file in _files(directory, disagreements=True):
        for place, row in _rows(file, [each.name for each in fields(Disagreement)]):
            one = Disagreement(**row)
            _check(one.cell, known, seen, place)
            if not one.reason:
                raise ExperimentError("gives no reason", place)
            found.append(one)
    return found


def _files(directory: Traversable, *, disagreements: bool) -> list[Traversable]:
    tables = [each for each in directory.iterdir() if each.name.endswith(".csv")]
    return sorted(
        (each for each in tables if each.name.startswith(DISAGREEMENTS) == disagreements),
        key=lambda each: each.name,
    )


def _rows(file: Traversable, columns: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Each row with its place in the file; a row has exactly the columns of the first line."""
    with file.open("r", encoding="utf-8") as lines:
        reader = csv.reader(lines, strict=True)
        try:
            if next(reader, None) != columns:
                raise ExperimentError(f"must begin with the columns {','.join(columns)}", f"{file.name}:1")
            for row in reader:
                place = f"{file.name}:{reader.line_num}"
                if len(row) != len(columns):
                    raise ExperimentError(f"has {len(row)} values for {len(columns)} columns", place)
                yield place, dict(zip(columns, row, strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            raise ExperimentError(f"is no CSV: {error}", f"{file.name}:{reader.line_num}") from None


def _number(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise ExperimentError(f"{text!r} is no number that was measured", place)
    return value


def _check(cell: Cell, known: set[str], seen: set[Cell], place: str) -> None:
    if cell[0] not in known:
        raise ExperimentError(f"no experiment has the key {cell[0]!r}", place)
    if cell in seen:
        raise ExperimentError(f"{' / '.join(cell)} was there before", place)
    seen.add(cell)
