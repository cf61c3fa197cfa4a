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

SHIPPED = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))

SMALL = """
name = "small"
duration = 10
sources = [0]
[topology]
shape = "line"
routers = 3
[application]
kind = "traffic"
"""


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


FILTERS = """
kind = "filters"
templates = ["dest = {dest} AND price < {price}", "late = {late} AND weight <= {weight}"]
[application.attributes]
dest = { values = ["MXP", "it's"], skew = 2 }
price = { between = [1, 9] }
weight = { between = [0.5, 1.5] }
late = { values = [true, false] }
"""


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


CATEGORIES = 'kind = "categories"\nlabels = 2\nparents = { top = [], left = ["top"], right = ["top"] }'

# What is put in the place of what, and what is said then.
WRONG = [
    ("name =", "nome =", "name: is missing; it must be a string"),
    ("duration = 10", "duration = 10\nlos = 0.5", "los: is not known here; did you mean 'loss'?"),
    ('name = "small"', "name = 5", "name: must be a string, not a whole number"),
    ("duration = 10", "", "duration: is missing; it must be a number"),
    ("duration = 10", "duration = -1", "duration: is a time in seconds, from 0 on, not -1.0"),
    ("duration = 10", "duration = 0", "duration: must be at least a microsecond"),
    ("duration = 10", "duration = 1e300", "duration: is a time in seconds"),
    ("duration = 10", "duration = nan", "duration: is a time in seconds"),
    ("duration = 10", "duration = 07:30:00", "duration: must be a number, not a time"),
    ("duration = 10", "duration = 10\nloss = 1.0", "loss: from 0 to less than 1, not 1.0"),
    ("duration = 10", "duration = 10\nseed = -1", "seed: must be at least 0, not -1"),
    ("duration = 10", "duration = 10\nsample = 1e-6", "sample: makes more than 100,000 samples"),
    ("sources = [0]", "sources = [7]", "sources: there is no router 7"),
    ("sources = [0]", 'sources = ["a"]', "sources: must be a number of sources, or a list of routers"),
    ("sources = [0]", "sources = 4", "sources: there are only 3 routers"),
    ("sources = [0]", "", "sources: is missing"),
    ('shape = "line"', 'shape = "lime"', "topology.shape: 'lime' is none of line, .* did you mean 'line'?"),
    ("routers = 3", "routers = 0", "topology.routers: must be at least 1, not 0"),
    ("routers = 3", "routers = 1000000", "topology.routers: at most 100,000, not 1,000,000"),
    ("routers = 3", "routers = 3\ndegree = 2", "topology.degree: is not known here"),
    ('"line"\nrouters = 3', '"ring"\nrouters = 2', "topology: this shape needs at least 3, not 2"),
    ('"line"\nrouters = 3', '"links"\nlinks = [[0]]', r"topology.links\[0\]: must be \[one, other\]"),
    ('"line"\nrouters = 3', '"links"\nlinks = [[0, 1], [1, 0]]', "topology: link 1-0: there is another link"),
    ('"line"\nrouters = 3', '"file"\npath = "none.links"', "topology: .*none.links"),
    ('"line"\nrouters = 3', '"transit-stub"\ncosts = [1]', "topology.costs: must be four whole numbers"),
    ('"line"\nrouters = 3', '"transit-stub"\nstub = 0', "topology: domains, transit and stub are at least 1"),
    ('"line"\nrouters = 3', '"transit-stub"\nstub = 99999', "topology: has .* routers, of at most 100,000"),
    ('kind = "traffic"', 'kind = "trafic"', "application.kind: 'trafic' .* did you mean 'traffic'?"),
    ('kind = "traffic"', 'kind = "traffic"\nexits = 1', "application.exits: must be at least 2, not 1"),
    ('kind = "traffic"', 'kind = "filters"\nattributes = {}', "application.templates: is missing"),
    (
        'kind = "traffic"',
        'kind = "filters"\nattributes = {}\ntemplates = ["a <"]',
        r"templates\[0\]: column 4",
    ),
    (
        'kind = "traffic"',
        'kind = "filters"\nattributes = {}\ntemplates = [1]',
        "templates: must be a list of",
    ),
    ("between = [1, 9]", "between = [9, 1]", "attributes.price.between: must be two numbers"),
    ("between = [1, 9]", "values = []", "attributes.price.values: must be a list of"),
    ("between = [1, 9]", "", "attributes.price: needs exactly one of values, between"),
    ("skew = 2", "skew = -1", "attributes.dest.skew: is from 0"),
    ('left = ["top"]', 'left = ["up"]', "application.parents: .* has a parent 'up' that is no category"),
    ('left = ["top"]', "left = 5", "application.parents.left: must be a list of categories"),
    ("labels = 2", "labels = 0", "application.labels: must be at least 1, not 0"),
    ("", "[[subscribers]]\n", r"subscribers\[0\]: needs exactly one of router, count, per_router"),
    ("", "[[subscribers]]\nrouter = 9", r"subscribers\[0\]: host 'host 0' is there already, or router 9"),
    ("", "[[subscribers]]\ncount = 1\nrouter = 1", r"subscribers\[0\]: needs exactly one of"),
    ("", "[[subscribers]]\ncount = 9999999", r"subscribers\[0\].count: is at most 1,000,000"),
    (
        "",
        "[[subscribers]]\nrouter = 1\ninterests = [[9, 3]]",
        r"subscribers\[0\].interests: \(9, 3\) are not",
    ),
    ("", '[[subscribers]]\nrouter = 1\ninterests = ["a"]', r"subscribers\[0\].interests: "),
    (
        "duration = 10",
        "duration = 10\nsubscribers = [5]",
        r"subscribers\[0\]: must be a table, not a whole number",
    ),
    ("", "[[subscribers]]\nrouter = 1\n" * 2 + 'name = "host 0"', r"subscribers\[1\].name: there is a host"),
    ("", "[[messages]]\nat = 1\nsource = 2\nmessage = [1, 2]", r"messages\[0\]: router 2 is no source"),
    (
        "",
        "[[messages]]\nat = 99\nsource = 0\nmessage = [1, 2]",
        r"messages\[0\]: 99,000,000 µs is not within",
    ),
    (
        "",
        "[[messages]]\nat = 1\nsource = 0\nmessage = [2, 1]",
        r"messages\[0\].message: \[2, 1\] is no message",
    ),
    ("", "[[messages]]\nat = 1\nsource = 0", r"messages\[0\].message: is missing"),
    ("", "[[messages]]\nrate = 0", r"messages\[0\].rate: is above 0"),
    ("", "[[messages]]\nrate = 900000", r"messages\[0\].rate: makes more than 1,000,000 events"),
    ("", "[[churn]]\nrate = 5", r"churn\[0\]: there is no host that could change its mind"),
    ("", '[[failures]]\nat = 1\nwhat = "crsh"', r"failures\[0\].what: 'crsh' .* did you mean 'crash'?"),
    ("", '[[failures]]\nat = 1\nwhat = "crash"\nrouter = 8', r"failures\[0\]: there is no router 8"),
    ("", '[[failures]]\nat = 1\nwhat = "crash"\ncount = 3', r"failures\[0\].count: there are only 2"),
    (
        "",
        '[[failures]]\nat = 1\nwhat = "cut"\nlink = [0, 2]',
        r"failures\[0\]: there is no link between 0 and 2",
    ),
    ("", '[[failures]]\nat = 1\nwhat = "cut"\nlink = [0]', r"failures\[0\].link: must be two routers"),
    ("", "a = [", "not TOML: "),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=[message for _, _, message in WRONG])
def test_what_is_wrong_is_said_with_its_place(old: str, new: str, message: str) -> None:
    text = SMALL
    for application in (FILTERS, CATEGORIES):
        if old and old in application and old not in SMALL:
            text = SMALL.replace('kind = "traffic"', application)
    text = 'format = "list"\n' + (text.replace(old, new) if old else text + new)
    with pytest.raises(ScenarioError, match=message):
        parse_scenario(text)


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
