"""A scenario that is played: the sums add up, failures show, and the same scenario gives the same result."""

from dataclasses import replace
from pathlib import Path

import pytest

from penstock.errors import ScenarioError
from penstock.network.play import Result, run_scenario
from penstock.network.scenario import (
    Attend,
    Crash,
    Cut,
    Heal,
    Publish,
    Recover,
    Scenario,
    Subscribe,
    Unsubscribe,
)
from penstock.network.scenario_file import read_scenario
from penstock.network.topology import line
from penstock.structures import Filters

SCENARIOS = Path(__file__).parents[2] / "scenarios"
SECOND = 1_000_000

STORY = Scenario(
    name="a line that breaks",
    topology=line(3),
    application=Filters(),
    format="content",
    sources=(0,),
    duration=10 * SECOND,
    events=(
        Attend(0, "ann", 1),
        Attend(0, "bob", 2),
        Subscribe(0, "ann", "price < 500"),
        Subscribe(0, "bob", "price < 100"),
        *(Publish(second * SECOND, 0, {"price": 50}) for second in range(1, 10)),
        Cut(2 * SECOND + 1, 1, 2),
        Heal(4 * SECOND - 1, 1, 2),
        Crash(5 * SECOND - 1, 0),
        Recover(6 * SECOND + 1, 0),
        Unsubscribe(7 * SECOND + SECOND // 2, "ann", "price < 500"),
    ),
)


@pytest.fixture(scope="module")
def result() -> Result:
    """The story, played."""
    return run_scenario(STORY, trace=True)


def test_who_could_be_reached_got_the_message(result: Result) -> None:
    both = ["ann", "bob"]
    # At 2 s the link breaks while the message is on it; at 5 and 6 s the source is down.
    assert [each.hosts for each in result.publications] == [
        both,
        ["ann"],
        ["ann"],
        ["ann"],
        both,
        ["bob"],
        ["bob"],
    ]
    assert result.not_published == 2


def test_what_was_due_and_did_not_come_is_missed(result: Result) -> None:
    # On its way when the link broke, and just after it was healed, before routers had greeted each other.
    assert result.missed == 2
    assert [sample.missed for sample in result.samples[:6]] == [0, 0, 1, 0, 1, 0]
    assert sum(sample.missed for sample in result.samples) == result.missed


def test_samples_add_up_to_the_totals(result: Result) -> None:
    for name in type(result.totals).__slots__:
        assert sum(getattr(sample.gained, name) for sample in result.samples) == getattr(result.totals, name)
    assert [sample.at for sample in result.samples][:10] == [second * SECOND for second in range(1, 11)]
    assert result.samples[0].tables.total == 1 + 2 + 1
    assert result.tables == {0: 1, 1: 1, 2: 1}


def test_every_disturbance_settles(result: Result) -> None:
    assert [each.at for each in result.disturbances] == [2_000_001, 3_999_999, 4_999_999, 6_000_001]
    assert [type(each.events[0]) for each in result.disturbances] == [Cut, Heal, Crash, Recover]
    assert all(0 < each.settled < 20_000 and each.control > 0 for each in result.disturbances)


def test_the_trace_holds_what_happened(result: Result) -> None:
    happened = {event.what for event in result.trace}
    assert happened >= {"publish", "send", "deliver", "cut", "heal", "crash", "recover", "unsubscribe"}
    assert run_scenario(STORY).trace == ()


def test_the_same_scenario_gives_the_same_result(result: Result) -> None:
    again = run_scenario(STORY)
    assert (again.totals, again.samples, again.disturbances, again.links) == (
        result.totals, result.samples, result.disturbances, result.links,
    )  # fmt: skip


@pytest.mark.parametrize("format_", ["content", "overlapping", "list", "graph"])
def test_every_format_delivers_the_same(format_: str, result: Result) -> None:
    other = run_scenario(replace(STORY, format=format_))
    assert [sorted(each.hosts) for each in other.publications] == [
        sorted(each.hosts) for each in result.publications
    ]


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_scenarios_play_and_miss_little(path: Path) -> None:
    scenario = read_scenario(path)
    short = replace(
        scenario,
        duration=12 * SECOND,
        events=tuple(event for event in scenario.events if event.at <= 12 * SECOND),
    )
    played = run_scenario(short)
    assert played.totals.published > 100
    assert played.totals.delivered > 10 * played.missed
    assert played.disturbances
    assert played.totals.repeated == 0


def test_what_the_application_refuses_while_playing_names_the_event() -> None:
    wrong = replace(STORY, events=(Attend(0, "ann", 1), Subscribe(0, "ann", "price <")))
    with pytest.raises(ScenarioError, match=r"events\[1\]: column 8"):
        run_scenario(wrong)
    with pytest.raises(ScenarioError, match="format: messages with attributes"):
        run_scenario(replace(STORY, format="disjoint"))


def test_who_never_subscribed_cannot_unsubscribe() -> None:
    with pytest.raises(ScenarioError, match=r"events\[1\]: .*has not subscribed"):
        run_scenario(replace(STORY, events=(Attend(0, "ann", 1), Unsubscribe(1, "ann", "a = 1"))))


def test_misses_name_the_message_and_the_host(result: Result) -> None:
    # At 2 s the message was on the link that broke, at 4 s routers had not greeted each other again.
    assert [(result.publications[miss.publication].at // SECOND, miss.host) for miss in result.misses] == [
        (2, "bob"),
        (4, "bob"),
    ]
    assert (
        result.due == 2 + 2 + 1 + 2 + 2 + 1 + 1
    )  # bob is out of reach at 3 s; from 8 s on ann wants nothing


def test_who_watches_is_told_the_time() -> None:
    times: list[int] = []
    played = run_scenario(STORY, watch=times.append)
    assert times == [sample.at for sample in played.samples]
