"""The experiments of the streams paper: what is drawn is measured, what is printed stands beside its like."""

import pytest

from penstock.papers.experiment import Experiment, Point, Readings
from penstock.papers.published import read_disagreements, read_published
from penstock.papers.streams import EXPERIMENTS

every = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.key)
TINY = {"largest": 200, "subscriptions": 20, "repeats": 1, "slice": 0.001}


@every
def test_what_is_drawn_was_measured_in_the_units_of_what_is_printed(experiment: Experiment) -> None:
    tiny = [
        Point(each.label, {key: value and TINY.get(key, value) for key, value in each.settings.items()})
        for each in experiment.sweep("small")
    ]
    found = Readings(row for point in tiny for row in experiment.measure(point))
    check_plots(experiment, found)
    check_units_of_printed_numbers(experiment, found)
    claims = list(experiment.claims(found))
    assert [claim.text for claim in claims if not claim.found] == []
    assert [claim.text for claim in claims if not (claim.always or claim.holds or claim.because)] == []


def check_plots(experiment: Experiment, found: Readings) -> None:
    for plot in experiment.plots:
        assert set(plot.series) <= set(found.series(plot.quantity))
        assert all(len(found.curve(plot.quantity, series)) > 1 for series in found.series(plot.quantity))


def check_units_of_printed_numbers(experiment: Experiment, found: Readings) -> None:
    for number in read_published():
        if number.experiment == experiment.key:
            x = found.xs(number.quantity, number.series)[0]
            assert found.at(number.quantity, number.series, x).unit == number.unit


@every
def test_the_full_scale_measures_the_same_at_the_sizes_of_the_paper(experiment: Experiment) -> None:
    small, full = experiment.sweep("small"), experiment.sweep("full")
    assert [point.label for point in small] == [point.label for point in full]
    largest = {point.settings.get("largest", point.settings.get("subscriptions")) for point in full}
    assert largest - {0} == {100_000}


def test_disagreements_are_about_printed_numbers() -> None:
    printed = {number.cell for number in read_published()}
    ours = {experiment.key for experiment in EXPERIMENTS}
    assert {each.cell for each in read_disagreements() if each.experiment in ours} <= printed
