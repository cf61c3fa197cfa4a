"""Scenario files become the scenarios they describe; what is wrong in them is said with its place."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.errors import ScenarioError
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
from penstock.network.scenario_file import parse_scenario, read_scenario
from penstock.network.topology import Topology, complete, line, random_graph, ring, star, tree
from penstock.network.transit_stub import TransitStub
from penstock.structures import Filters
from penstock.structures.baseball import Baseball
from penstock.structures.traffic import Traffic
from scenario_texts import FILTERS, SMALL

SHIPPED = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))


def section(text: str) -> str:
    """A small scenario, and more."""
    return SMALL + text


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_scenarios_are_read_alike_each_time(path: Path) -> None:
    scenario = read_scenario(path)
    again = read_scenario(path)
    assert scenario.events == again.events
    assert (scenario.topology, scenario.sources) == (again.topology, again.sources)
    assert scenario.description
    assert {type(event) for event in scenario.events} >= {Attend, Subscribe, Publish, Crash}


def test_there_are_scenarios() -> None:
    assert [path.stem for path in SHIPPED] == ["airport-alerts", "news-desk", "sensor-field"]


def test_a_small_scenario_has_its_defaults() -> None:
    scenario = small("list")
    assert scenario.topology == line(3)
    assert scenario.application == Traffic(20)
    assert (scenario.duration, scenario.sample, scenario.loss, scenario.jitter) == (
        10_000_000,
        1_000_000,
        0.0,
        0,
    )
    assert scenario.events == ()


def small(format_: str, more: str = "") -> Scenario:
    """A small scenario in a format."""
    return parse_scenario(f'format = "{format_}"\n' + section(more))


def test_what_is_written_is_taken_as_it_is() -> None:
    scenario = small(
        "graph",
        """
        [[subscribers]]
        name = "ann"
        router = 2
        at = 0.5
        interests = [[3, 9]]
        [[messages]]
        at = 2.25
        source = 0
        message = [4, 4]
        [[failures]]
        at = 3
        what = "crash"
        router = 1
        lasts = 2
        [[failures]]
        at = 6
        what = "cut"
        link = [1, 0]
        [[failures]]
        at = 9
        what = "heal"
        link = [1, 0]
        lasts = 5
        """,
    )
    assert scenario.events == (
        Attend(500_000, "ann", 2),
        Subscribe(500_000, "ann", (3, 9)),
        Publish(2_250_000, 0, (4, 4)),
        Crash(3_000_000, 1),
        Recover(5_000_000, 1),
        Cut(6_000_000, 1, 0),
        Heal(9_000_000, 1, 0),
    )


def test_what_is_left_to_chance_is_drawn_within_bounds() -> None:
    scenario = small(
        "graph",
        """
        [[subscribers]]
        per_router = 2
        draw = 3
        [[messages]]
        rate = 30
        from = 2
        to = 4
        [[churn]]
        rate = 10
        from = 5
        [[failures]]
        at = 7
        what = "crash"
        count = 2
        [[failures]]
        at = 8
        what = "cut"
        count = 1
        """,
    )
    kinds: dict[type, list[Any]] = {}
    for event in scenario.events:
        kinds.setdefault(type(event), []).append(event)
    assert sorted(event.router for event in kinds[Attend]) == [0, 0, 1, 1, 2, 2]
    assert len([event for event in kinds[Subscribe] if event.at == 0]) == 18
    assert 30 < len(kinds[Publish]) < 100
    assert all(2_000_000 <= event.at < 4_000_000 for event in kinds[Publish])
    assert 20 < len(kinds[Unsubscribe]) < 90
    assert {event.router for event in kinds[Crash]} == {1, 2}, "sources are spared"


def test_subscribers_in_different_groups_may_be_counted_or_placed() -> None:
    scenario = small("list", '[[subscribers]]\nname = "a"\ncount = 4\n[[subscribers]]\ncount = 2\n')
    assert [event.host for event in scenario.events if isinstance(event, Attend)] == [
        "a 0", "a 1", "a 2", "a 3", "host 4 0", "host 4 1",
    ]  # fmt: skip


SHAPES: dict[str, Topology] = {
    'shape = "star"\nrouters = 4': star(4),
    'shape = "ring"\nrouters = 4': ring(4),
    'shape = "complete"\nrouters = 4': complete(4),
    'shape = "tree"\nrouters = 9\nseed = 3': tree(9, seed=3),
    'shape = "tree"\nrouters = 9\ndegree = 3': tree(9, degree=3),
    'shape = "random"\nrouters = 9\nprobability = 0.5': random_graph(9, 0.5),
    'shape = "transit-stub"\ndomains = 1\nstub = 2\ncosts = [5, 3, 2, 1]': TransitStub(
        1, stub=2, costs=(5, 3, 2, 1)
    ).topology(0),
    'shape = "links"\nlinks = [[0, 1], [1, 2, 5], [2, 0, 1, 40]]': Topology.of(
        [(0, 1), (1, 2, 5), (2, 0, 1, 40)]
    ),
}


@pytest.mark.parametrize(("text", "topology"), SHAPES.items())
def test_shapes_have_their_parameters(text: str, topology: Topology) -> None:
    scenario = parse_scenario('format = "list"\n' + SMALL.replace('shape = "line"\nrouters = 3', text))
    assert scenario.topology == topology


def test_a_topology_may_come_from_a_file_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "net.links").write_text("0 1\n1 2\n2 0\n", "utf-8")
    text = SMALL.replace('shape = "line"\nrouters = 3', 'shape = "file"\npath = "net.links"')
    (tmp_path / "ring.toml").write_text('format = "list"\n' + text, "utf-8")
    assert read_scenario(tmp_path / "ring.toml").topology == ring(3)


APPLICATIONS = {
    'kind = "baseball"\nteams = 4': (Baseball(4), "[2, 3]"),
    'kind = "traffic"\nexits = 5': (Traffic(5), "[1, 5]"),
}


@pytest.mark.parametrize(("text", "expected"), APPLICATIONS.items())
def test_applications_of_the_paper_have_their_size(text: str, expected: tuple[Any, str]) -> None:
    scenario = parse_scenario(
        'format = "disjoint"\n'
        + SMALL.replace('kind = "traffic"', text)
        + f"[[messages]]\nat = 1\nsource = 0\nmessage = {expected[1]}"
    )
    assert scenario.application == expected[0]


def test_filters_are_drawn_from_templates_and_messages_have_all_attributes() -> None:
    text = SMALL.replace('kind = "traffic"', FILTERS)
    scenario = parse_scenario(text + "[[subscribers]]\ncount = 20\ndraw = 2\n[[messages]]\nrate = 20\n")
    assert isinstance(scenario.application, Filters)
    texts = {str(event.interest) for event in scenario.events if isinstance(event, Subscribe)}
    assert any("dest = 'it''s' AND price < " in text for text in texts)
    for event in scenario.events:
        if isinstance(event, Publish):
            assert event.message.keys() == {"dest", "price", "weight", "late"}
            assert 1 <= event.message["price"] <= 9
            assert type(event.message["late"]) is bool


def test_formats_must_fit_the_application() -> None:
    with pytest.raises(ScenarioError, match="format: full content needs an application with filters"):
        small("content")
    with pytest.raises(ScenarioError, match=r"format: 'grahp' is none of .* did you mean 'graph'?"):
        small("grahp")


def test_an_error_in_a_file_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text("nome = 1", "utf-8")
    with pytest.raises(ScenarioError, match=r"s.toml: duration: is missing"):
        read_scenario(tmp_path / "s.toml")
    (tmp_path / "s.toml").write_bytes(b"\xff")
    with pytest.raises(ScenarioError, match=r"s.toml: the file is not UTF-8"):
        read_scenario(tmp_path / "s.toml")


@given(st.data())
def test_hostile_scenario_files_are_scenarios_or_typed_errors(data: st.DataObject) -> None:
    text = 'format = "graph"\n' + section(
        "[[subscribers]]\nrouter = 1\ndraw = 1\n[[messages]]\nrate = 3\n"
        "[[failures]]\nat = 1\nwhat = 'crash'\ncount = 1\n"
    )
    lines = text.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        key = lines[at].partition("=")[0]
        value = data.draw(
            st.sampled_from(["", "-1", "0", "7", "1e9", "nan", "[]", "[1]", '""', "{}", "true", '"crash"'])
        )
        lines[at] = data.draw(st.sampled_from([f"{key}= {value}", "", f"x{lines[at]}"]))
    try:
        parse_scenario("\n".join(lines))
    except ScenarioError as error:
        assert error.message  # noqa: PT017 - most are refused, and each says why


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_seed_given_here_replaces_the_one_of_the_file(path: Path) -> None:
    own = read_scenario(path)
    assert read_scenario(path, seed=own.seed).events == own.events
    other = read_scenario(path, seed=own.seed + 1)
    text = path.read_text("utf-8").replace(f"seed = {own.seed}\n", f"seed = {own.seed + 1}\n")
    written = parse_scenario(text, beside=path.parent)
    assert (other.seed, other.topology, other.events) == (written.seed, written.topology, written.events)
    assert other.events != own.events
