"""Every experiment of the catalogue at small scale: it runs, and what must hold at every scale does.

One session of Spark is enough here: that points run alike on both kinds is tested with smaller ones.
"""

import pytest
from pyspark.sql import SparkSession

from penstock.errors import ExperimentError
from penstock.papers import EXPERIMENTS, PAPERS, Experiment, Point, Scale
from penstock.papers.catalogue import choose
from penstock.papers.comparison import Comparison, Verdict
from penstock.papers.experiment import Setting
from penstock.papers.measuring import pack
from penstock.papers.published import read_disagreements, read_published
from penstock.papers.runner import describe_run, run_experiment
from penstock.papers.story import tell

every = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.key)
SCALES: tuple[Scale, ...] = ("small", "full")
classic = pytest.mark.parametrize("spark", ["classic"], indirect=True)


def test_keys_are_unique_and_papers_known() -> None:
    keys = [each.key for each in EXPERIMENTS]
    assert len(set(keys)) == len(keys)
    assert {each.paper for each in EXPERIMENTS} <= {paper.key for paper in PAPERS}
    assert not set(keys) & {paper.key for paper in PAPERS}


@every
def test_sweeps_have_points_with_names_of_their_own_at_both_scales(experiment: Experiment) -> None:
    for scale in SCALES:
        points = experiment.sweep(scale)
        assert points
        assert len({point.label for point in points}) == len(points)
        assert all(map(pack, points))
    assert experiment.plots or experiment.agrees is not None
    assert experiment.agrees is None or experiment.agrees >= 1


@classic
@every
def test_an_experiment_runs_and_what_must_always_hold_does(
    spark: SparkSession, experiment: Experiment
) -> None:
    found = run_experiment(spark, experiment, describe_run(spark, "small", "the tests"))
    assert found.failures == []
    story = tell([found], read_published(), read_disagreements())
    (figure,) = story.figures
    assert figure.claims
    assert [claim for claim in figure.claims if claim.always and not claim.holds] == []
    if not experiment.timed:  # a busy machine may overthrow what a short run says of times
        assert [
            claim for claim in figure.claims if not claim.holds and not claim.ours and not claim.because
        ] == []
    assert bool(figure.drawings) == bool(experiment.plots)
    if has_printed_sizes(experiment):
        assert undocumented(figure.comparison) == []


def has_printed_sizes(experiment: Experiment) -> bool:
    """Whether the small scale differs from the papers' own in the number of repeats alone."""
    small, full = ([sizes(point) for point in experiment.sweep(scale)] for scale in SCALES)
    return small == full


def sizes(point: Point) -> dict[str, Setting]:
    return {name: value for name, value in point.settings.items() if name not in ("runs", "repeats")}


def test_counts_are_compared_at_small_scale_where_sizes_are_as_printed() -> None:
    compared = [each.key for each in EXPERIMENTS if each.agrees is not None and has_printed_sizes(each)]
    assert "structures-table1" in compared


def undocumented(comparison: Comparison) -> list[str]:
    """Disagreements of exact counts, which do not depend on the draw, that no row explains."""
    return [
        f"{row.quantity} of {row.series} at {row.x}"
        for row in comparison.rows
        if row.verdict is Verdict.DISAGREES
        and row.reading is not None
        and row.reading.low == row.reading.high
        and not row.reason
    ]


def test_experiments_are_chosen_by_key_by_paper_or_all() -> None:
    assert choose(["all"]) == EXPERIMENTS
    assert [each.key for each in choose(["structures"])] == ["structures-table1", "structures-table2"]
    assert [each.key for each in choose(["structures-table2"])] == ["structures-table2"]
    with pytest.raises(
        ExperimentError, match=r"no experiment has the key 'structure'; did you mean structures"
    ):
        choose(["structure"])
    with pytest.raises(ExperimentError, match="`penstock papers` lists them"):
        choose(["all", "qqqq"])
