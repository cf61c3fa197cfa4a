"""All schemes find what the definition says: for any patterns, after any changes."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule
from topic_world import SCHEMES, destinations, every_scheme, expected, filled, patterns, rows, takes, topics

from penstock.errors import FilterError, MessageError, UnknownSubscriptionError
from penstock.topics import Scheme, TopicTable


@every_scheme
@given(held=rows, sent=st.lists(topics, min_size=1, max_size=5))
def test_every_scheme_finds_what_the_definition_says(
    scheme: Scheme, held: list[tuple[str, str]], sent: list[str]
) -> None:
    table = filled(scheme, held)
    for topic in sent:
        assert sorted(table.match(topic)) == expected(held, topic)
        named = sorted(map(table.destinations.name_of, table.match_ids(topic).tolist()))
        assert named == expected(held, topic)
    answers = table.match_batch(pa.array(sent), names=True).to_pylist()
    assert [sorted(answer or ()) for answer in answers] == [expected(held, topic) for topic in sent]


@given(pattern=patterns, topic=topics)
def test_a_pattern_takes_its_own_literal_form_and_all_below(pattern: str, topic: str) -> None:
    named = "/".join("x" if level == "*" else level for level in pattern.split("/"))
    table = filled("radix", [(pattern, "here")])
    for below in (named, f"{named}/{topic}"):
        assert takes(pattern, below)
        assert table.match(below) == ("here",)


class EverySchemeEqualsTheModel(RuleBasedStateMachine):
    """The model is `key -> (pattern, destination)`; each table has its own id for each key."""

    live = Bundle("live")
    stale = Bundle("stale")

    def __init__(self) -> None:
        super().__init__()
        self.tables = [TopicTable(scheme) for scheme in SCHEMES]
        self.model: dict[int, tuple[str, str]] = {}
        self.ids: dict[int, list[int]] = {}
        self.given: list[set[int]] = [set() for _ in self.tables]

    def add(self, row: tuple[str, str], ids: list[int]) -> int:
        for number, given_out in zip(ids, self.given, strict=True):
            assert number not in given_out, "an id was given out twice"
            given_out.add(number)
        key = len(self.ids)
        self.model[key], self.ids[key] = row, ids
        return key

    @rule(target=live, pattern=patterns, destination=destinations)
    def subscribe(self, pattern: str, destination: str) -> int:
        ids = [table.subscribe(pattern, destination) for table in self.tables]
        return self.add((pattern, destination), ids)

    @rule(target=live, held=rows)
    def subscribe_many(self, held: list[tuple[str, str]]) -> Any:
        wanted, names = [row[0] for row in held], [row[1] for row in held]
        columns = [table.subscribe_many(wanted, names).tolist() for table in self.tables]
        return multiple(*(self.add(row, list(ids)) for row, *ids in zip(held, *columns, strict=True)))

    @rule(held=rows, bad=st.sampled_from(["", "*/a", "a//b", "a/\n", "/".join("a" * 17)]))
    def fail_to_subscribe(self, held: list[tuple[str, str]], bad: str) -> None:
        for table in self.tables:
            with pytest.raises(FilterError):
                table.subscribe(bad, "new")
            with pytest.raises(FilterError) as raised:
                table.subscribe_many([*(row[0] for row in held), bad], [*(row[1] for row in held), "new"])
            assert raised.value.row == len(held)

    @rule(target=stale, key=consumes(live))
    def unsubscribe(self, key: int) -> int:
        for table, number in zip(self.tables, self.ids[key], strict=True):
            table.unsubscribe(number)
        del self.model[key]
        return key

    @rule(key=stale)
    def fail_to_unsubscribe(self, key: int) -> None:
        for table, number in zip(self.tables, self.ids[key], strict=True):
            assert number not in table
            with pytest.raises(UnknownSubscriptionError):
                table.unsubscribe(number)

    @rule(sent=st.lists(topics, max_size=4))
    def match(self, sent: list[str]) -> None:
        held = list(self.model.values())
        for table in self.tables:
            for topic in sent:
                assert sorted(table.match(topic)) == expected(held, topic), table
            answers = table.match_batch(pa.array(sent, pa.string()), names=True).to_pylist()
            assert [sorted(answer or ()) for answer in answers] == [expected(held, topic) for topic in sent]

    @rule(bad=st.sampled_from(["", "a/*", "a//b", "/a", "a/\x7f", "/".join("a" * 17), "\ud800"]))
    def fail_to_match(self, bad: str) -> None:
        for table in self.tables:
            with pytest.raises(MessageError):
                table.match(bad)

    @rule()
    def save_and_load(self) -> None:
        with TemporaryDirectory() as directory:
            for index, table in enumerate(self.tables):
                path = Path(directory, str(index))
                table.save(path)
                self.tables[index] = TopicTable.load(path)

    @invariant()
    def tables_list_what_the_model_holds(self) -> None:
        names = {name for _, name in self.model.values()}
        for index, table in enumerate(self.tables):
            listed = {number: row for number, *row in table.subscriptions()}
            assert listed == {
                self.ids[key][index]: [_normal(pattern), name] for key, (pattern, name) in self.model.items()
            }
            assert set(table.destinations) == names
            stats = table.stats()
            assert len(table) == stats.subscriptions == len(self.model)
            assert stats.destinations == len(names) == len(table.destinations)
            distinct = {_normal(pattern) for pattern, _ in self.model.values()}
            assert stats.patterns == len(self.model if table.scheme == "regex" else distinct)


def _normal(pattern: str) -> str:
    while pattern.endswith("/*"):
        pattern = pattern.removesuffix("/*")
    return pattern


TestEverySchemeEqualsTheModel = EverySchemeEqualsTheModel.TestCase
