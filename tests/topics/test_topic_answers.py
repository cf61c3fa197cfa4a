"""Answers that are kept for topics that come again: they are right after every change, and bounded."""

import gc
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, rule
from topic_world import destinations, expected

from penstock.topics import TopicTable

# So few that every topic comes again, and begins as others do.
few_topics = st.sampled_from(["a", "a/b", "a/b/c", "b", "b/c", "ab"])
few_patterns = st.sampled_from(["a", "a/*/c", "a/b", "b", "b/c", "ab", "c"])


class AskedAgainAndAgain(RuleBasedStateMachine):
    """Each topic is asked for three times: an answer is kept at the second, and given at the third."""

    live = Bundle("live")

    def __init__(self) -> None:
        super().__init__()
        self.table = TopicTable()
        self.model: dict[int, tuple[str, str]] = {}

    @rule(target=live, pattern=few_patterns, destination=destinations)
    def subscribe(self, pattern: str, destination: str) -> int:
        number = self.table.subscribe(pattern, destination)
        self.model[number] = (pattern, destination)
        return number

    @rule(pattern=few_patterns, destination=destinations)
    def subscribe_many(self, pattern: str, destination: str) -> None:
        (number,) = self.table.subscribe_many([pattern], [destination]).tolist()
        self.model[number] = (pattern, destination)

    @rule(number=consumes(live))
    def unsubscribe(self, number: int) -> None:
        self.table.unsubscribe(number)
        del self.model[number]

    @rule(topic=few_topics)
    def match(self, topic: str) -> None:
        held = list(self.model.values())
        for _ in range(3):
            assert sorted(self.table.match(topic)) == expected(held, topic)


TestAskedAgainAndAgain: Any = AskedAgainAndAgain.TestCase
TestAskedAgainAndAgain.settings = settings(deadline=None)


def test_an_answer_is_given_again_until_a_change_concerns_it() -> None:
    table = TopicTable()
    table.subscribe("a", "x")
    first, kept = table.match("a/b"), table.match("a/b")
    assert table.match("a/b") is kept
    assert first == kept == ("x",)
    table.subscribe("b", "y")
    assert table.match("a/b") is kept
    held = table.subscribe("a/*", "y")
    assert sorted(table.match("a/b")) == ["x", "y"]
    table.unsubscribe(held)
    assert table.match("a/b") == ("x",)
    assert kept == ("x",)


def test_what_compares_like_a_topic_is_read_itself() -> None:
    class Topic(str):
        __slots__ = ()

        def __hash__(self) -> int:
            raise AssertionError("nobody asks for it")

    table = TopicTable()
    table.subscribe("a", "x")
    for _ in range(3):
        assert table.match("a/b") == table.match(Topic("a/b")) == ("x",)
        assert table.match(Topic("b")) == ()


def test_more_topics_than_are_kept() -> None:
    table = TopicTable()
    table.subscribe("a", "x")
    for number in range(0, 20_000, 2):
        table.subscribe(f"a/{number}", "y")
    for _ in range(3):
        for number in range(20_000):
            wanted = 2 if number % 2 == 0 else 1
            assert len(table.match(f"a/{number}")) == wanted


def test_more_names_than_are_kept() -> None:
    table = TopicTable()
    names = [f"d{number}" for number in range(20_000)]
    table.subscribe_many(["a"] * len(names), names)
    for number in range(200):
        for _ in range(3):
            assert len(table.match(f"a/{number}")) == len(names)
    gc.collect()
    assert sum(type(held) is tuple and len(held) == len(names) for held in gc.get_objects()) <= 60


def test_topics_that_are_too_long_to_keep() -> None:
    table = TopicTable()
    table.subscribe("a", "x")
    long = "a/" + "b" * 2_000
    assert [table.match(long) for _ in range(3)] == [("x",)] * 3
