"""A content graph: lowest ids on every link, nodes that reconnect, rows that go exactly when they must."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from structure_world import MESSAGES, Sets, Topic, links, messages, topics, worlds

from penstock.errors import StructureError
from penstock.structures import GRAPH, GraphProcessor, Link, Place, content_graph
from penstock.structures.graph_table import ANSWERS, LONGEST, REMEMBERED, GraphTable


def is_above(one: Place, other: Place) -> bool:
    """Whether the later of the two says so."""
    return other.id in one.below if one.id > other.id else one.id in other.above


def lowest(places: set[Place]) -> tuple[int, ...]:
    return tuple(sorted(place.id for place in places if not any(is_above(place, other) for other in places)))


def hasse(places: set[Place]) -> set[tuple[int, int]]:
    """Pairs in order with nothing between them."""
    return {
        (one.id, other.id)
        for one in places
        for other in places
        if is_above(one, other)
        and not any(is_above(one, middle) and is_above(middle, other) for middle in places)
    }


def state(table: GraphTable) -> dict[int, Any]:
    return {id_: (node.above, node.below, node.links) for id_, node in table._nodes.items()}


def remembered(table: GraphTable) -> dict[tuple[int, ...], Any]:
    return {(id_,): row for id_, row in table._rows.items()} | dict(table._answers)


class Graph(RuleBasedStateMachine):
    """Churn on a few links; the model is the set of places that each link holds."""

    @initialize(world=worlds)
    def start(self, world: Sets) -> None:
        self.processor: GraphProcessor[Topic, Topic, int] = GraphProcessor(world)
        self.table = GRAPH.table()
        self.held: Counter[tuple[Link, Topic]] = Counter()
        self.places: dict[Topic, Place] = {}
        self.ever: dict[int, Place] = {}
        self.under_way: list[tuple[int, ...]] = []

    def entries(self) -> set[tuple[Link, Place]]:
        return {(link, self.places[topic]) for link, topic in self.held}

    def change(self, link: Link, place: Place, change: Any) -> None:
        """Rows and answers that name an id at or below the place go, the others stay."""
        before = remembered(self.table)
        change(link, place)
        after = remembered(self.table)
        places = {each.id: each for each in self.places.values()}
        assert after == {
            header: answer
            for header, answer in before.items()
            if all(id_ != place.id and not is_above(place, places[id_]) for id_ in header)
        }

    @rule(link=links, topic=topics)
    def subscribe(self, link: Link, topic: Topic) -> None:
        (place,) = self.processor.subscribe(topic)
        assert self.places.setdefault(topic, place) is place
        self.ever[place.id] = place
        new = (link, place) not in self.entries()
        self.held[link, topic] += 1
        if new:
            self.change(link, place, self.table.add)

    @rule(data=st.data())
    def unsubscribe(self, data: st.DataObject) -> None:
        if not self.held:
            return
        link, topic = data.draw(st.sampled_from(sorted(self.held, key=repr)))
        (place,) = self.processor.unsubscribe(topic)
        assert place is self.places[topic]
        self.held[link, topic] -= 1
        self.held = +self.held
        if (link, place) not in self.entries():
            self.change(link, place, self.table.remove)
        if all(topic != other for _, other in self.held):
            del self.places[topic]

    @rule(message=messages, choose=st.booleans())
    def forward(self, message: int, choose: bool) -> None:
        """From all ids or from the lowest, each link gets the lowest that it holds."""
        header = self.processor.lowest(message) if choose else sum(self.processor.headers(message), ())
        self.under_way.append(header)
        wanted: dict[Link, set[Place]] = {}
        for link, topic in self.held:
            if message in topic:
                wanted.setdefault(link, set()).add(self.places[topic])
        assert self.table.forward(header) == {link: lowest(places) for link, places in wanted.items()}

    @rule(data=st.data())
    def forward_what_was_under_way(self, data: st.DataObject) -> None:
        """A header of before may name ids that are gone; what is above them gets the message all the same."""
        if not self.under_way:
            return
        header = data.draw(st.sampled_from(self.under_way))
        named = [self.ever[id_] for id_ in header]
        wanted: dict[Link, set[Place]] = {}
        for link, place in self.entries():
            if place in named or any(is_above(place, low) for low in named):
                wanted.setdefault(link, set()).add(place)
        assert self.table.forward(header) == {link: lowest(places) for link, places in wanted.items()}

    @invariant()
    def churn_equals_fresh(self) -> None:
        fresh = GRAPH.table()
        for link, place in sorted(self.entries(), key=lambda each: (-each[1].id, repr(each))):
            fresh.add(link, place)
        assert state(self.table) == state(fresh)

    @invariant()
    def answers_are_known_by_each_of_their_ids(self) -> None:
        named = {(id_, header) for id_, headers in self.table._named.items() for header in headers}
        assert named == {(id_, header) for header in self.table._answers for id_ in header}

    @invariant()
    def neighbours_in_the_graph_are_those_with_nothing_between_them(self) -> None:
        assert set(self.table.edges()) == hasse({place for _, place in self.entries()})

    @invariant()
    def the_order_is_transitive_and_true(self) -> None:
        by_place = {place: topic for topic, place in self.places.items()}
        for one, topic in by_place.items():
            for other, smaller in by_place.items():
                if is_above(one, other):
                    assert topic > smaller
                    assert not is_above(other, one)
                    assert all(is_above(one, low) for low in by_place if is_above(other, low))


TestGraph = Graph.TestCase


def test_removal_reconnects_what_was_above_and_below() -> None:
    processor = GraphProcessor(Sets())
    table = GRAPH.table()
    top, middle, bottom = [processor.subscribe(frozenset(topic))[0] for topic in ({0, 1, 2}, {0, 1}, {0})]
    for place in (top, middle, bottom):
        table.add("north", place)
    assert set(table.edges()) == {(top.id, middle.id), (middle.id, bottom.id)}
    table.remove("north", middle)
    assert set(table.edges()) == {(top.id, bottom.id)}
    assert table.forward((bottom.id,)) == {"north": (bottom.id,)}


def test_a_place_has_room_for_so_many_ids_and_is_not_made_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_graph, "MAX_IDS", 2)
    processor = GraphProcessor(Sets())
    for topic in ({0}, {1}, {2}):
        processor.subscribe(frozenset(topic))
    with pytest.raises(StructureError, match="more than 2 live topics above or below"):
        processor.subscribe(frozenset({0, 1, 2}))
    assert processor.headers(0) == ((1,),)
    assert processor.subscribe(frozenset({0, 1}))[0].below == {1, 2}


def test_a_link_that_holds_only_what_is_above_gets_that() -> None:
    processor = GraphProcessor(Sets())
    table = GRAPH.table()
    (high,), (low,) = processor.subscribe(frozenset({0, 1})), processor.subscribe(frozenset({0}))
    table.add("north", high)
    table.add("south", low)
    assert table.forward((low.id,)) == {"north": (high.id,), "south": (low.id,)}


def test_topics_that_want_the_same_share_a_place_until_the_last_is_gone() -> None:
    class Parity(Sets):
        """Numbers that differ by two are one and the same message."""

        def wants(self, topic: Topic, message: int) -> bool:
            return message % 2 in {each % 2 for each in topic}

        def covers(self, one: Topic, other: Topic) -> bool:
            return {each % 2 for each in one} >= {each % 2 for each in other}

    processor = GraphProcessor(Parity())
    first, second = frozenset({1}), frozenset({3})
    assert processor.subscribe(first) == processor.subscribe(second)
    (place,) = processor.unsubscribe(first)
    assert processor.headers(5) == ((place.id,),)
    assert processor.subscribe(first) == (place,)
    processor.unsubscribe(first)
    processor.unsubscribe(second)
    assert processor.headers(5) == ()
    assert processor.subscribe(first)[0].id > place.id


@given(worlds, st.lists(topics, min_size=1, max_size=12, unique=True), st.data())
def test_what_is_withdrawn_downstream_while_a_message_is_under_way_costs_nobody_else_the_message(
    world: Sets, wanted: list[Topic], data: st.DataObject
) -> None:
    processor: GraphProcessor[Topic, Topic, int] = GraphProcessor(world)
    upstream, downstream = GRAPH.table(), GRAPH.table()
    places = {topic: processor.subscribe(topic)[0] for topic in wanted}
    for place in set(places.values()):
        upstream.add("down", place)
        downstream.add(("host", place.id), place)
    leaving = data.draw(st.frozensets(st.sampled_from(wanted), max_size=len(wanted) - 1))
    staying = {places[topic] for topic in wanted if topic not in leaving}
    for place in set(places.values()) - staying:
        downstream.remove(("host", place.id), place)
    for message in MESSAGES:
        headers = [upstream.forward(header)["down"] for header in processor.headers(message)]
        found = {link for header in headers for link in downstream.forward(header)}
        assert found == {("host", places[t].id) for t in wanted if message in t and places[t] in staying}


@given(worlds, st.lists(topics, min_size=1, max_size=12, unique=True), st.data())
def test_what_has_not_arrived_costs_nobody_else_the_message(
    world: Sets, wanted: list[Topic], data: st.DataObject
) -> None:
    processor: GraphProcessor[Topic, Topic, int] = GraphProcessor(world)
    places = {topic: processor.subscribe(topic)[0] for topic in wanted}
    arrived = data.draw(st.frozensets(st.sampled_from(wanted)))
    table = GRAPH.table()
    for place in {places[topic] for topic in arrived}:
        table.add(("host", place.id), place)
    for message in MESSAGES:
        found = {link for header in processor.headers(message) for link in table.forward(header)}
        assert found == {("host", places[topic].id) for topic in arrived if message in topic}


def test_what_comes_above_an_id_that_is_gone_still_gets_the_headers_that_name_it() -> None:
    processor = GraphProcessor(Sets())
    low, beside, high = [processor.subscribe(frozenset(topic))[0] for topic in ({0}, {0, 1}, {0, 2})]
    table = GRAPH.table()
    table.add("north", low)
    table.add("north", beside)
    table.remove("north", low)
    header = (low.id, beside.id)
    assert table.forward(header) == {"north": (beside.id,)}
    table.add("south", high)
    assert table.forward(header) == {"north": (beside.id,), "south": (high.id,)}


def test_only_so_many_answers_are_remembered() -> None:
    table = GRAPH.table()
    for id_ in range(60):
        table.add("north", Place(id_))
    headers = [(one, other) for one in range(60) for other in range(one + 1, 60)]
    for header in headers:
        assert table.forward(header) == {"north": header}
        assert len(table._answers) <= ANSWERS
        assert sum(map(len, table._named.values())) == 2 * len(table._answers)
    table.remove("north", Place(59))
    assert table.forward((58, 59)) == {"north": (58,)}


def test_headers_that_are_too_long_are_answered_but_not_remembered() -> None:
    table = GRAPH.table()
    header = tuple(range(LONGEST + 1))
    for id_ in header:
        table.add("north", Place(id_))
    assert table.forward(header) == {"north": header}
    assert not table._answers
    assert table.forward(header[1:]) == {"north": header[1:]}
    assert table._answers.keys() == {header[1:]}


def test_only_so_many_places_of_the_gone_are_remembered() -> None:
    table = GRAPH.table()
    for id_ in range(1, 2 * REMEMBERED):
        table.add("north", Place(id_))
        table.remove("north", Place(id_))
    assert len(table._gone) == REMEMBERED
    assert table.forward((1,)) == {}


PLACES = st.builds(
    Place,
    st.integers(0, 5),
    st.frozensets(st.integers(0, 5)),
    st.frozensets(st.integers(0, 5)),
)


@given(st.lists(st.tuples(links, PLACES), unique=True), st.frozensets(st.integers(0, 6)))
def test_hostile_places_lose_no_link_that_is_named_and_leave_nothing_behind(
    held: list[tuple[Link, Place]], header: frozenset[int]
) -> None:
    table = GRAPH.table()
    for link, place in held:
        table.add(link, place)
    answer = table.forward(tuple(sorted(header)))
    assert answer.keys() >= {link for link, place in held if place.id in header}
    assert all(ids for ids in answer.values())
    for link, place in held:
        table.remove(link, place)
    assert not state(table)
    assert table.ids() == 0
    assert not table._rising
