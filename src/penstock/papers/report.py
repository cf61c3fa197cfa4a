"""From saved results to the report, without measuring anything."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from penstock.errors import InputError
from penstock.papers.catalogue import EXPERIMENTS
from penstock.papers.comparison import Verdict
from penstock.papers.experiment import Experiment
from penstock.papers.page import render
from penstock.papers.picture import write_pictures
from penstock.papers.published import read_disagreements, read_published
from penstock.papers.result import PAGE, PLOTS, read_results
from penstock.papers.story import Story, tell

__all__ = ["summarise", "tell_results", "write_page"]


def tell_results(directory: Path, experiments: Sequence[Experiment] = EXPERIMENTS) -> Story:
    """What the results in a directory say."""
    results = read_results(directory, experiments)
    if not results:
        message = "holds no results; `penstock papers run all --out` writes some"
        raise InputError(str(directory), None, message)
    published, disagreements = read_published(), read_disagreements()
    return tell(results, published, disagreements)


def write_page(story: Story, directory: Path) -> Path:
    """The page, in its place when it is whole, and its plots as files."""
    write_pictures(story, directory / PLOTS)
    aside = directory / f".{PAGE}"
    aside.write_text(render(story), encoding="utf-8")
    return aside.replace(directory / PAGE)


def summarise(story: Story) -> dict[str, Any]:
    """The report as data: claims, counts and problems."""
    return {
        "runs": [asdict(run) for run in story.runs],
        "experiments": [
            {
                "key": figure.experiment.key,
                "figure": figure.experiment.figure,
                "paper": figure.experiment.paper,
                "seconds": round(figure.seconds, 3),
                "readings": len(figure.measured),
                "verdicts": {
                    verdict.value: figure.comparison.count(verdict)
                    for verdict in Verdict
                    if figure.comparison.count(verdict)
                },
                "claims": [asdict(claim) for claim in figure.claims],
                "failures": [{"point": point, "error": why} for point, why in figure.failures],
            }
            for figure in story.figures
        ],
        "problems": story.problems,
    }
