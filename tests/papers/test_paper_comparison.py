"""Verdicts: within the factor or not, with a reason or without, and reasons that are not needed any more."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_papers import experiment, printed, reading
from penstock.errors import ExperimentError
from penstock.papers import Readings
from penstock.papers.comparison import Comparison, Verdict, compare
from penstock.papers.published import Disagreement

WHY = Disagreement("fake", "a", "10", "time", "the moon was full")


def judged(ours: float, theirs: float, *reasons: Disagreement, agrees: float | None = 1.1) -> Comparison:
    return compare(
        experiment(agrees=agrees), Readings([reading(value=ours)]), [printed(value=theirs)], reasons
    )


def test_what_is_within_the_factor_agrees() -> None:
    found = judged(2.1, 2.0)
    assert [row.verdict for row in found.rows] == [Verdict.AGREES]
    assert found.rows[0].ratio == pytest.approx(1.05)
    assert found.problems("full") == []


def test_what_is_not_disagrees_and_needs_a_reason() -> None:
    bare, explained = judged(3.0, 2.0), judged(3.0, 2.0, WHY)
    assert bare.problems("full") == ["fake, time of a at 10: disagrees, and no row says why"]
    assert bare.problems("small") == []
    assert (explained.rows[0].told, explained.problems("full")) == (
        "disagrees, because the moon was full",
        [],
    )


def test_a_reason_for_what_agrees_is_stale() -> None:
    found = judged(2.0, 2.0, WHY)
    assert found.rows[0].told == "agrees"
    assert found.problems("full") == ["fake, time of a at 10: the disagreement is stale"]


def test_a_reason_for_what_was_never_printed_is_stale() -> None:
    other = Disagreement("fake", "z", "10", "time", "no reason")
    assert compare(experiment(), Readings([]), [], [other]).stale == [other]


def test_reasons_of_other_experiments_do_not_count() -> None:
    other = Disagreement("other", "a", "10", "time", "not about this")
    found = judged(3.0, 2.0, other)
    assert (len(found.unexplained), list(found.stale)) == (1, [])


def test_times_of_other_machines_have_a_ratio_and_no_verdict() -> None:
    found = judged(2.0, 330_000.0, agrees=None)
    assert found.rows[0].verdict is Verdict.OTHER_MACHINE
    assert found.rows[0].ratio == pytest.approx(2 / 330_000)
    assert found.problems("full") == []


def test_what_was_printed_and_not_measured_is_missed_at_full_scale() -> None:
    found = compare(experiment(), Readings([]), [printed()], [])
    assert found.count(Verdict.NOT_MEASURED) == 1
    assert (found.rows[0].ratio, found.rows[0].series, found.rows[0].x) == (None, "a", "10")
    assert found.problems("small") == []
    assert found.problems("full") == ["fake, time of a at 10: was printed, and is not measured"]
    assert compare(experiment(), Readings([]), [printed()], [WHY]).problems("full") == []


def test_what_was_measured_and_not_printed_is_there_too() -> None:
    found = compare(experiment(), Readings([reading("b")]), [printed("other")], [])
    assert [(row.verdict, row.quantity) for row in found.rows] == [(Verdict.NOT_PRINTED, "time")]


def test_nothing_can_agree_with_nothing() -> None:
    assert judged(0.0, 0.0).rows[0].verdict is Verdict.AGREES
    assert judged(1.0, 0.0).rows[0].verdict is Verdict.DISAGREES
    assert judged(1.0, 0.0).rows[0].ratio is None


def test_units_must_be_the_same() -> None:
    in_ms = replace(reading(), unit="ms")
    with pytest.raises(ExperimentError, match="was printed in 'µs' and measured in 'ms'"):
        compare(experiment(), Readings([in_ms]), [printed()], [])


@given(st.floats(0.001, 1e9), st.floats(0.001, 1e9), st.floats(1.0, 3.0))
def test_it_does_not_matter_who_is_greater(ours: float, theirs: float, factor: float) -> None:
    one, other = judged(ours, theirs, agrees=factor), judged(theirs, ours, agrees=factor)
    assert one.rows[0].verdict is other.rows[0].verdict
