"""The report of a simulation says what the result says, in a page that needs nothing else."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from penstock.network import Result, Scenario, complete, line, parse_scenario, ring, run_scenario
from penstock.network.scenario import (
    Attend,
    Crash,
    Cut,
    Event,
    Heal,
    Publish,
    Recover,
    Subscribe,
    Unsubscribe,
)
from penstock.network_report import metrics, tell
from penstock.network_report.circumstance import (
    CIRCUMSTANCES,
    LABELS,
    count_circumstances,
    find_circumstances,
)
from penstock.network_report.metrics import describe_events
from penstock.network_report.picture import STEPS, draw_network, link_messages, step_of
from penstock.network_report.timeline import MOST, cut_time
from penstock.report import render_essay
from penstock.structures import Filters

SECOND = 1_000_000
HOSTILE = "<script>alert('x')</script>&amp;\"'"

STORY = Scenario(
    name="A line that breaks",
    topology=line(4),
    application=Filters(),
    format="content",
    sources=(0,),
    duration=10 * SECOND,
    events=(
        Attend(0, "ann", 1),
        Attend(0, "bob", 3),
        Subscribe(0, "ann", "price < 500"),
        Subscribe(0, "bob", "price < 100"),
        *(Publish(second * SECOND, 0, {"price": 50}) for second in range(1, 9)),
        Cut(2 * SECOND + 1, 1, 2),  # with a message on it
        Heal(4 * SECOND - 1, 1, 2),  # a moment before the next message
        Unsubscribe(5 * SECOND + 1, "bob", "price < 100"),  # with a message under way
        Subscribe(7 * SECOND - 1, "bob", "price < 60"),  # a moment before the next message
        Crash(9 * SECOND, 2),
    ),
)


@pytest.fixture(scope="module")
def result() -> Result:
    return run_scenario(STORY)


@pytest.fixture(scope="module")
def page(result: Result) -> str:
    return render_essay(tell(result, "penstock simulate line.toml"))


def test_every_circumstance_is_recognised(result: Result) -> None:
    assert find_circumstances(result) == ["failed", "settling", "withdrawn", "new"]
    assert [result.publications[miss.publication].at // SECOND for miss in result.misses] == [2, 4, 5, 7]
    assert {miss.host for miss in result.misses} == {"bob"}
    lossy = run_scenario(replace(STORY, events=STORY.events[:12], loss=0.3, timeout=1000, seed=3))
    assert lossy.missed
    assert set(find_circumstances(lossy)) == {"lost"}
    assert set(LABELS) == set(CIRCUMSTANCES)


def test_what_does_not_show_is_not_explained(result: Result) -> None:
    bare = replace(result, scenario=replace(STORY, events=()), disturbances=(), latencies=None)
    assert count_circumstances(bare) == {"unknown": 4}


def test_the_page_says_what_the_result_says(result: Result, page: str) -> None:
    totals = result.totals
    for text in (
        "<h1>A line that breaks</h1>", "4 routers, 3 links, 2 hosts.", f"{result.due} deliveries due = ",
        f"{totals.messages} messages crossed a link", "link 1–2 fails", "link 1–2 heals", "router 2 crashes",
        "Over time", "After failures", "Table sizes", "Delay", "What was missed, and why",
        *(CIRCUMSTANCES[name] for name in ("failed", "settling", "withdrawn", "new")),
        "Not counted, for they were down: 1.", "line.toml --seed 0", "line.toml --seed 1",
    ):  # fmt: skip
        assert text in page, text


def test_the_page_needs_nothing_but_itself_and_suits_every_screen(page: str) -> None:
    assert not re.search(r"<(script|link|img|iframe)\b|@import|(src|href)=\"(?!#)", page)
    assert "url(" not in re.sub(r"url\(#\w+\)", "", page)
    assert "prefers-color-scheme: dark" in page
    drawings = re.findall(r"<svg .*?</svg>", page, re.S)
    assert len(drawings) == 6
    for svg in drawings:
        assert not re.findall(r"#[0-9a-f]{6}\b", svg)


def test_the_same_scenario_gives_the_same_page(page: str) -> None:
    assert render_essay(tell(run_scenario(STORY), "penstock simulate line.toml")) == page


def test_what_comes_from_outside_stays_text() -> None:
    events = tuple(
        replace(event, host=HOSTILE)
        if isinstance(event, Attend | Subscribe | Unsubscribe) and event.host == "bob"
        else event
        for event in STORY.events
    )
    played = run_scenario(replace(STORY, name=HOSTILE, description=HOSTILE, events=events))
    page = render_essay(tell(played, HOSTILE))
    assert "<script" not in page
    assert (
        page.count("&lt;script&gt;alert(&#39;x&#39;)") >= 4
    )  # title, heading, lead, a host that missed something


@pytest.mark.parametrize("scenario", [
    replace(STORY, events=()),
    replace(STORY, events=(), topology=line(1)),
    replace(STORY, duration=1, sample=SECOND, events=()),
    replace(STORY, sample=3 * SECOND),
    replace(STORY, events=(Crash(0, 0), Publish(1, 0, {}))),
    replace(STORY, events=tuple(Crash(0, router) for router in range(4))),
])  # fmt: skip
def test_whatever_happens_there_is_a_report(scenario: Scenario) -> None:
    played = run_scenario(scenario)
    page = render_essay(tell(played, "x"))
    assert "nan" not in re.sub(r"<style>.*?</style>", "", page, flags=re.S).lower().split()
    assert metrics(played)["missed"] == played.missed


def test_the_picture_has_every_link_and_router(result: Result) -> None:
    svg = draw_network(result)
    titles = re.findall(r"<title>(.*?)</title>", svg)
    assert len(titles) == 3 + 4
    loads = link_messages(result)
    for link in STORY.topology.links:
        assert any(
            title.startswith(f"link {link.one}–{link.other}: {loads[link.ends]} messages") for title in titles
        )
    assert "router 2: " + f"{loads[1, 2]} messages came, down at the end" in titles
    assert len(re.findall(r'<rect class="router', svg)) == 1 + 1  # the source, and the legend
    assert 'class="load' in svg
    assert " failed" in svg


def test_a_crowd_is_not_drawn(result: Result) -> None:
    many = replace(result, scenario=replace(STORY, topology=line(2_001)))
    assert draw_network(many) == ""
    assert "too many routers for a picture" in render_essay(tell(many, "x"))


def test_steps_of_load_widen_towards_the_greatest() -> None:
    assert [step_of(load, 100) for load in (0, 1, 5, 6, 15, 16, 35, 36, 65, 66, 100)] == [
        0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5,
    ]  # fmt: skip
    assert step_of(0, 0) == 0
    assert len(STEPS) == 5


@pytest.mark.parametrize("sample", [1, 2, 3, 4, 10, 20])
def test_stretches_of_time_add_up(sample: int) -> None:
    played = run_scenario(replace(STORY, sample=sample * SECOND))
    stretches = cut_time(played)
    assert (sum(stretches.delivered), sum(stretches.missed), sum(stretches.control)) == (
        played.totals.delivered, played.missed, played.totals.control,
    )  # fmt: skip
    assert stretches.edges[0] == 0
    assert sorted(set(stretches.edges)) == list(stretches.edges)
    assert stretches.edges[-1] == pytest.approx(10, abs=0.1)
    assert len(stretches.latencies) == len(stretches.delivered) == len(stretches.edges) - 1


def test_many_samples_are_cut_into_few_stretches() -> None:
    played = run_scenario(replace(STORY, sample=10_000))
    stretches = cut_time(played)
    assert len(stretches.delivered) <= MOST
    assert sum(stretches.delivered) == played.totals.delivered
    told = [late for late in stretches.latencies if late is not None]
    assert max(late.largest for late in told) == (played.latencies and played.latencies.largest)


def test_events_are_told_by_name_or_by_number() -> None:
    assert describe_events([Recover(0, 7)]) == "router 7 recovers"
    assert describe_events([Heal(0, 1, 2)]) == "link 1–2 heals"
    several: list[Event] = [Crash(0, 1), Crash(0, 2), Cut(0, 3, 4), Recover(0, 5)]
    assert describe_events(several) == "2 routers crash, 1 router recovers, 1 link fails"


def test_bytes_are_told_where_they_are_counted() -> None:
    scenario = parse_scenario(
        "name='x'\nduration=2\nsources=[0]\nwire=true\nformat='graph'\ntopology={shape='ring',routers=3}\n"
        "[application]\nkind='baseball'\n[[subscribers]]\nper_router=1\ndraw=2\n[[messages]]\nrate=20\n"
    )
    played = run_scenario(scenario)
    assert f"took {played.totals.bytes:,} bytes" in render_essay(tell(played, "x"))


def test_loads_of_links_are_those_of_both_directions() -> None:
    events = (
        Attend(0, "a", 0), Attend(0, "b", 1), Subscribe(0, "a", "TRUE"), Subscribe(0, "b", "TRUE"),
        Publish(SECOND, 0, {}), Publish(SECOND, 1, {}),
    )  # fmt: skip
    for topology in (ring(3), complete(3)):
        played = run_scenario(replace(STORY, topology=topology, sources=(0, 1), events=events))
        assert link_messages(played) == Counter({(0, 1): 2, (0, 2): 0, (1, 2): 0})
