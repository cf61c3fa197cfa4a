"""The report is one page that needs nothing else, says what it was given, and lets nothing out of place."""

import re
from dataclasses import replace

import pytest

from html_balance import Balance
from penstock import ForwardingTable
from penstock.report import Bar, Chart, Fact, Mistake, Report, Sample, Step, render
from penstock.report.drawing import VARIABLES
from penstock.report.plot import plot_days, plot_fan_out, plot_steps

HOSTILE = "<script>alert('x')</script>&amp;\"'"


@pytest.fixture(scope="module")
def report() -> Report:
    table = ForwardingTable()
    table.subscribe("alice", "dest = 'MXP' AND price < 500")
    message = {"dest": "MXP", "price": 612}
    return Report(
        title="A title",
        lead="A lead.",
        facts=[Fact("336,776", "departures")],
        sums=["3 = 1 + 2"],
        steps=[Step("starting", 1.5, None, "row", None), Step("forwarding", 2.0, 1_000, "messages", 500.0)],
        fan_out={0: 5, 1: 2_000, 3: 1},
        days={f"2013-01-{day:02}": day for day in range(1, 32)},
        charts=[Chart("Routes", "All.", "deliveries", [Bar("JFK → LAX", 12_345, "99 flights"), Bar("b", 0)])],
        table=[Fact("1", "subscription")],
        samples=[
            Sample("A miss", message, table.explain(message, "alice")),
            Sample("A match", {"dest": "MXP"}, table.explain({"dest": "MXP", "price": 1}, "alice")),
        ],
        mistakes=[Mistake("a.csv, row 7", "x", "column 1: expected\n  x\n  ^")],
        mistakes_text="Some were rejected.",
        commands=[("Again", "penstock forward --out out")],
        made="today",
    )  # fmt: skip


def test_the_page_needs_nothing_but_itself(report: Report) -> None:
    page = render(report)
    balance = Balance(page)
    assert all(each.startswith("#") for each in balance.fetched)
    assert not {"script", "link", "img", "iframe"} & set(balance.tags)
    assert "url(" not in re.sub(r"url\(#\w+\)", "", page)
    assert "@import" not in page
    assert balance.tags.count("svg") == 3


def test_the_page_says_what_it_was_given(report: Report) -> None:
    page = render(report)
    for text in (
        "A title", "336,776", "3 = 1 + 2", "12,345", "99 flights", "does not want it", "wants it",
        "price is 612", "0 of 1 filters matched", "a.csv, row 7",
        "penstock forward --out out", "1,000 messages",
    ):  # fmt: skip
        assert text in page, text
    assert page.index('class="yes">dest = &#39;MXP&#39;') < page.index('class="no">price &lt; 500')


def test_the_page_is_made_for_light_dark_and_paper(report: Report) -> None:
    page = render(report)
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert 'name="viewport"' in page


def test_what_comes_from_outside_stays_text(report: Report) -> None:
    table = ForwardingTable()
    table.subscribe(HOSTILE, "a = '<b>' AND `<i>` > 1")
    sample = Sample(HOSTILE, {HOSTILE: HOSTILE}, table.explain({"a": HOSTILE}, HOSTILE))
    page = render(
        replace(
            report,
            title=HOSTILE,
            lead=HOSTILE,
            facts=[Fact(HOSTILE, HOSTILE)],
            sums=[HOSTILE],
            steps=[Step(HOSTILE, 1.0, 5, HOSTILE, 5.0)],
            charts=[Chart(HOSTILE, HOSTILE, "", [Bar(HOSTILE, 1, HOSTILE)])],
            samples=[sample],
            mistakes=[Mistake(HOSTILE, HOSTILE, HOSTILE)],
            commands=[(HOSTILE, HOSTILE)],
            made=HOSTILE,
        )
    )
    assert "<script" not in page
    Balance(page)


def test_an_empty_run_has_a_report_too(report: Report) -> None:
    empty = replace(
        report, steps=[], fan_out={0: 0}, days={}, charts=[], samples=[], mistakes=[], commands=[]
    )
    Balance(render(empty))


def test_the_same_run_gives_the_same_page(report: Report) -> None:
    assert render(report) == render(report)


@pytest.mark.parametrize(
    "svg",
    [
        plot_steps(["a", "b"], [1.0, 2.0]),
        plot_fan_out({0: 3, 2: 5_000}),
        plot_days({"2013-01-01": 5, "2013-01-02": 7}),
    ],
    ids=["steps", "fan-out", "days"],
)
def test_plots_take_their_colours_from_the_page(svg: str) -> None:
    assert svg.startswith('<svg role="img" aria-label="')
    assert not re.findall(r"#[0-9a-f]{6}\b", svg)
    assert set(re.findall(r"var\((--\w+)\)", svg)) <= set(VARIABLES.values())
    assert re.search(r"<text [^>]*>", svg)
    assert not re.search(r'<svg [^>]*\b(width|height)="', svg)
