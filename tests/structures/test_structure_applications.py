"""The applications: what they want, in which order they stand, and the numbers that the paper gives."""

from itertools import product
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.errors import StructureError, UniverseError
from penstock.structures import (
    Application,
    Baseball,
    Categories,
    DisjointProcessor,
    Filters,
    GraphProcessor,
    ListProcessor,
    Traffic,
)

NEWS = {
    "News": [],
    "Baseball": ["News"],
    "Boston": ["News"],
    "Seattle": ["News"],
    "Boston baseball": ["Baseball", "Boston"],
    "Boston at Seattle": ["Boston baseball", "Seattle"],
}
LABELLED = Categories(NEWS, labels=2)
APPLICATIONS: dict[str, tuple[Application[Any, Any, Any], list[Any]]] = {
    "categories": (LABELLED, list(NEWS)),
    "baseball": (
        Baseball(4),
        [(), *((team,) for team in range(4)), *product(range(4), repeat=2)],
    ),
    "traffic": (Traffic(6), [(first, last) for last in range(7) for first in range(1, last)]),
    "inclusive traffic": (
        Traffic(6, inclusive=True),
        [(first, last) for last in range(7) for first in range(1, last)],
    ),
}
every_application = pytest.mark.parametrize(
    ("application", "interests"), APPLICATIONS.values(), ids=APPLICATIONS
)


@every_application
def test_covering_is_exact(application: Application[Any, Any, Any], interests: list[Any]) -> None:
    universe = list(application.universe())
    topics = {application.topic(interest) for interest in interests}
    wanted = {
        topic: {message for message in universe if application.wants(topic, message)} for topic in topics
    }
    for one, other in product(topics, repeat=2):
        assert application.covers(one, other) == (wanted[one] >= wanted[other])


@every_application
def test_the_universe_has_every_message_once(
    application: Application[Any, Any, Any], interests: list[Any]
) -> None:
    universe = list(application.universe())
    assert len(set(universe)) == len(universe)
    assert all(application.topic(interest) is not None for interest in interests)


def test_the_papers_messages_are_465_games_and_210_alerts() -> None:
    assert len(list(Baseball().universe())) == 465
    assert len(list(Traffic().universe())) == 210


def test_an_interest_in_traffic_is_in_118_alerts_as_in_the_paper() -> None:
    drawn = Traffic().interests(20_000, 1)
    for traffic, alerts in ((Traffic(), 118.5), (Traffic(inclusive=True), 128.5)):
        processor = DisjointProcessor(traffic)
        assert mean(len(processor.subscribe(exits)) for exits in drawn) == pytest.approx(alerts, abs=1)


def test_interests_in_baseball_have_30_games_or_one_or_all() -> None:
    processor = DisjointProcessor(Baseball())
    assert len(processor.subscribe((3,))) == 30
    assert len(processor.subscribe((3, 5))) == 1
    assert len(processor.subscribe(())) == 465


def test_1200_interests_in_traffic_are_188_topics_as_in_the_paper() -> None:
    assert mean(len(set(Traffic().interests(1200, seed))) for seed in range(50)) == pytest.approx(
        187.5, abs=1
    )


def test_interests_in_baseball_are_mixed_as_in_the_paper() -> None:
    drawn = Baseball().interests(20_000, 1)
    shares = [sum(len(interest) == teams for interest in drawn) / len(drawn) for teams in (1, 2, 0)]
    assert shares == pytest.approx([0.4, 0.5, 0.1], abs=0.02)
    assert {len(interest) for interest in Baseball().interests(100, 1, mix=(0, 0, 1))} == {0}


@pytest.mark.parametrize("application", [Baseball(), Traffic()])
def test_workloads_are_alike_for_a_seed_and_differ_for_another(application: Any) -> None:
    assert application.interests(50, 3) == application.interests(50, 3) != application.interests(50, 4)
    assert application.messages(50, 3) == application.messages(50, 3) != application.messages(50, 4)
    assert all(application.topic(each) == each for each in application.interests(500, 5))
    assert set(application.messages(20_000, 6)) == set(application.universe())


def test_teams_come_in_any_order() -> None:
    assert Baseball().topic((5, 3)) == (3, 5)


def test_a_category_wants_its_own_and_what_lies_below() -> None:
    for category, label, wanted in [
        ("News", "Boston at Seattle", True), ("Boston", "Boston at Seattle", True),
        ("Boston", "Boston", True), ("Boston", "News", False), ("Seattle", "Boston baseball", False),
    ]:  # fmt: skip
        assert LABELLED.wants(category, frozenset({label})) is wanted
    assert LABELLED.wants("Seattle", frozenset({"Boston", "Seattle"}))


WRONG: dict[str, Any] = {
    "did you mean 'Boston'": lambda: LABELLED.topic("boston"),
    "no category is named 'Q'$": lambda: LABELLED.wants("News", frozenset({"Q"})),
    "'a' has a parent 'b' that is no category": lambda: Categories({"a": ["b"]}),
    "their own parents: 'a' under 'b' under 'a'|'b' under 'a' under 'b'": lambda: Categories(
        {"a": ["b"], "b": ["a"]}
    ),
    "at most two of the teams 0 to 29": lambda: Baseball().topic((30,)),
    "at most two of the teams": lambda: Baseball().topic((1, 2, 3)),  # type: ignore[arg-type]
    "two exits in order, between 1 and 20": lambda: Traffic().topic((5, 5)),
    "two exits in order": lambda: Traffic().topic((0, 5)),
    "nobody holds the interest": lambda: GraphProcessor(Traffic()).unsubscribe((1, 2)),
    "nobody holds the interest ": lambda: ListProcessor(Traffic()).unsubscribe((1, 2)),
    "nobody holds the interest  ?": lambda: DisjointProcessor(Traffic()).unsubscribe((1, 2)),
    "none of the 210 messages of the universe": lambda: DisjointProcessor(Traffic()).headers((1, 21)),
}


@pytest.mark.parametrize(("words", "call"), WRONG.items())
def test_what_makes_no_sense_is_refused(words: str, call: Any) -> None:
    with pytest.raises(StructureError, match=words):
        call()


def test_messages_without_number_have_no_disjoint_categories() -> None:
    with pytest.raises(UniverseError, match="use content lists or content graphs"):
        DisjointProcessor(Filters())
    many = Categories({str(n): [] for n in range(100)}, labels=4)
    with pytest.raises(UniverseError, match="100 categories have 4,087,975 sets"):
        DisjointProcessor(many)


def test_a_message_may_carry_a_label_at_least() -> None:
    with pytest.raises(ValueError, match="at least one label"):
        Categories(NEWS, labels=0)


@given(st.dictionaries(st.integers(0, 9), st.frozensets(st.integers(0, 9), max_size=3)), st.data())
def test_any_order_of_categories_becomes_a_graph_with_the_same_order(
    drawn: dict[int, frozenset[int]], data: st.DataObject
) -> None:
    parents = {str(n): [str(above) for above in drawn.get(n, ()) if above < n] for n in range(10)}
    categories = Categories(parents)
    processor = GraphProcessor(categories)
    for name in data.draw(st.permutations(sorted(parents))):
        processor.subscribe(name)
    for name in parents:
        (header,) = processor.headers(frozenset({name}))
        assert len(header) == sum(categories.covers(other, name) for other in parents)
        assert len(processor.lowest(frozenset({name}))) == 1
