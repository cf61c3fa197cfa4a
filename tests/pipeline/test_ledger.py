"""Accounts that are right pass; a change of any single count is found."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from penstock.errors import LedgerError
from penstock.pipeline.ledger import Ledger, SubscriptionCounts

COUNT = st.integers(0, 10**12)
OWN = ["rows", "skipped", "matched", "unmatched", "rejected", "deliveries"]
SUBSCRIPTIONS = ["rows", "compiled", "rejected", "skipped"]


@st.composite
def ledgers(draw: st.DrawFn) -> Ledger:
    """Accounts that add up."""
    matched, unmatched, rejected, skipped = (draw(COUNT) for _ in range(4))
    deliveries = matched + draw(COUNT) if matched else 0
    compiled, refused, passed = (draw(COUNT) for _ in range(3))
    subscriptions = SubscriptionCounts(compiled + refused + passed, compiled, refused, passed)
    counts = draw(st.none() | st.just(subscriptions))
    in_files = rejected + (refused if counts else 0)
    written = {"deliveries": deliveries, "unmatched": unmatched, "rejected": in_files}
    rows = matched + unmatched + rejected + skipped
    return Ledger(rows, skipped, matched, unmatched, rejected, deliveries, written, counts)


@given(ledgers())
def test_accounts_that_add_up_pass(ledger: Ledger) -> None:
    ledger.check()
    assert ledger.messages == ledger.matched + ledger.unmatched + ledger.rejected


@given(ledgers(), st.sampled_from(OWN), st.integers(-(10**12), 10**12))
def test_a_change_of_any_count_is_found(ledger: Ledger, what: str, by: int) -> None:
    assume(by != 0)
    with pytest.raises(LedgerError):
        replace(ledger, **{what: getattr(ledger, what) + by}).check()


@given(ledgers(), st.sampled_from(["deliveries", "unmatched", "rejected"]), st.integers(1, 10**12))
def test_a_row_that_is_not_in_the_files_is_found(ledger: Ledger, what: str, by: int) -> None:
    for change in (by, -by):
        with pytest.raises(LedgerError):
            replace(ledger, written={**ledger.written, what: ledger.written[what] + change}).check()


@given(ledgers(), st.sampled_from(SUBSCRIPTIONS), st.integers(1, 10**12))
def test_a_lost_subscription_is_found(ledger: Ledger, what: str, by: int) -> None:
    counts = ledger.subscriptions
    assume(counts is not None)
    assert counts is not None
    wrong = replace(counts, **{what: getattr(counts, what) + by})
    assert wrong.discrepancies()
    with pytest.raises(LedgerError):
        replace(ledger, subscriptions=wrong).check()


def test_the_error_says_what_does_not_add_up() -> None:
    ledger = Ledger(10, 1, 3, 4, 1, 5, {"deliveries": 5, "unmatched": 4, "rejected": 1})
    with pytest.raises(LedgerError) as raised:
        ledger.check()
    assert str(raised.value) == "the counts do not add up: messages 9 ≠ matched + unmatched + rejected 8"


def test_matched_messages_have_deliveries() -> None:
    ledger = Ledger(2, 0, 2, 0, 0, 1, {"deliveries": 1, "unmatched": 0, "rejected": 0})
    assert ledger.discrepancies() == ["deliveries 1 < matched 2"]
