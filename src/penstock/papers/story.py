"""What the report says: first which claims hold today, then every figure with our numbers beside the printed.

Plain values, from which the page and the Markdown are written.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from penstock.papers.catalogue import PAPERS, Paper
from penstock.papers.chart import choose_palette, draw
from penstock.papers.comparison import Compared, Comparison, Verdict, compare
from penstock.papers.experiment import Claim, Experiment
from penstock.papers.published import Disagreement, Published
from penstock.papers.result import Result, Run

__all__ = ["Chapter", "Figure", "Story", "tell"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure or table of a paper."""

    experiment: Experiment
    claims: Sequence[Claim]
    unjudged: str  #: why there are no claims; empty if there are
    drawings: Sequence[tuple[str, str]]  #: title and SVG
    comparison: Comparison
    failures: Sequence[tuple[str, str]]
    seconds: float

    @staticmethod
    def by_quantity(rows: Iterable[Compared]) -> dict[str, list[Compared]]:
        """Cells in groups, for tables with a heading for each quantity."""
        groups: dict[str, list[Compared]] = {}
        for row in rows:
            groups.setdefault(row.quantity, []).append(row)
        return groups

    @property
    def printed(self) -> list[Compared]:
        """The cells with a printed number."""
        return [row for row in self.comparison.rows if row.published is not None]

    @property
    def measured(self) -> list[Compared]:
        """The cells that were measured."""
        return [row for row in self.comparison.rows if row.reading is not None]

    @property
    def verdict(self) -> str:
        """`55 of 64 printed numbers agree, 9 disagree`."""
        if not self.printed:
            return "The paper prints no numbers for it, only a picture that we do not have."
        counts = {each: self.comparison.count(each) for each in Verdict}
        if self.experiment.agrees is None:
            said = (
                f"{counts[Verdict.OTHER_MACHINE]} printed numbers are of another machine: ratios, no verdict"
            )
        else:
            said = f"{counts[Verdict.AGREES]} of {len(self.printed)} printed numbers agree"
            if counts[Verdict.DISAGREES]:
                said += f", {counts[Verdict.DISAGREES]} disagree"
        if counts[Verdict.NOT_MEASURED]:
            said += f"; {counts[Verdict.NOT_MEASURED]} were not measured"
        return f"{said}."


@dataclass(frozen=True, slots=True)
class Chapter:
    """A paper and its figures."""

    paper: Paper
    figures: Sequence[Figure]

    def claims(self, *, holds: bool, ours: bool) -> list[tuple[Figure, Claim]]:
        """Its claims of a kind, with the figure that each is about."""
        return [
            (figure, claim)
            for figure in self.figures
            for claim in figure.claims
            if (claim.holds, claim.ours) == (holds, ours)
        ]

    @property
    def outcome(self) -> str:
        """How many of its claims hold."""
        hold = len(self.claims(holds=True, ours=False))
        return f"{hold} of {hold + len(self.claims(holds=False, ours=False))} claims hold."

    @property
    def moved(self) -> list[tuple[Figure, Claim]]:
        """What our engines change, whether it went our way or not."""
        return [(figure, claim) for figure in self.figures for claim in figure.claims if claim.ours]


@dataclass(frozen=True, slots=True)
class Story:
    """All of it, in the order of the page."""

    chapters: Sequence[Chapter]
    runs: Sequence[Run]

    @property
    def figures(self) -> list[Figure]:
        """Of all papers."""
        return [figure for chapter in self.chapters for figure in chapter.figures]

    @property
    def problems(self) -> list[str]:
        """What is left to explain: disagreements without a reason, stale ones, claims without readings."""
        found = [figure.unjudged for figure in self.figures if figure.unjudged]
        for figure in self.figures:
            for run in self.runs:
                found += [each for each in figure.comparison.problems(run.scale) if each not in found]
        return found

    @property
    def failures(self) -> list[tuple[str, str]]:
        """Points that could not be measured, and why."""
        return [failure for figure in self.figures for failure in figure.failures]

    def count(self, verdict: Verdict) -> int:
        """How many printed numbers have it."""
        return sum(figure.comparison.count(verdict) for figure in self.figures)

    def count_claims(self, *, holds: bool) -> int:
        """How many claims of the papers hold, or do not."""
        return sum(len(chapter.claims(holds=holds, ours=False)) for chapter in self.chapters)


def tell(
    results: Iterable[Result], published: Sequence[Published], disagreements: Sequence[Disagreement]
) -> Story:
    """Judge and draw all results."""
    found = list(results)
    figures = [_figure(result, published, disagreements) for result in found]
    chapters = [
        Chapter(paper, [figure for figure in figures if figure.experiment.paper == paper.key])
        for paper in PAPERS
    ]
    # Runs that differ only in when they began are one: their last stands for them.
    runs = {replace(result.run, when="", command=""): result.run for result in found}
    return Story([chapter for chapter in chapters if chapter.figures], list(runs.values()))


def _figure(result: Result, published: Sequence[Published], disagreements: Sequence[Disagreement]) -> Figure:
    experiment, readings = result.experiment, result.readings
    own = [row for row in published if row.experiment == experiment.key]
    palette = choose_palette(experiment.plots, readings)
    drawn = [(plot.title, draw(plot, readings, own, palette)) for plot in experiment.plots]
    claims, unjudged = _claims(result)
    return Figure(
        experiment,
        claims,
        unjudged,
        [(title, svg) for title, svg in drawn if svg],
        compare(experiment, readings, own, disagreements),
        result.failures,
        result.seconds,
    )


def _claims(result: Result) -> tuple[list[Claim], str]:
    """The claims, or why there are none: readings are missing that they need."""
    try:
        return list(result.experiment.claims(result.readings)), ""
    except (KeyError, IndexError, ValueError, ZeroDivisionError) as error:
        return [], f"{result.experiment.key}: its claims cannot be judged: {error}; run it again"
