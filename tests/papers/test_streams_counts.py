"""What is counted for figures 3 and 6, against counting in the plainest way."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from penstock.papers.experiment import Claim, Point, Readings
from penstock.papers.streams.sweep import workload_of
from penstock.papers.streams.tree_size import ALL_VALUES, BYTES, EDGES, NODES, TREE_SIZE, printed
from penstock.papers.streams.wildcards import WildcardLevels
from penstock.papers.timing import count

names = st.sampled_from(["a", "b"])
patterns = st.builds(
    lambda first, others: "/".join([first, *others]),
    names,
    st.lists(st.sampled_from(["a", "b", "*"]), max_size=4),
)
topics = st.lists(names, min_size=1, max_size=5).map("/".join)


def candidates(held: list[str], topic: str) -> set[str]:
    """Every pattern that the hashing scheme would look up, written out."""
    first, *others = topic.split("/")
    seen: set[int] = set()
    for pattern in held:
        levels = pattern.split("/")
        while levels[-1] == "*":
            levels.pop()
        if levels[0] == first:
            seen |= {at for at, level in enumerate(levels) if level == "*"}
    if not any(pattern.split("/")[0] == first for pattern in held):
        return set()
    choices = [(first,), *(("*", name) if at in seen else (name,) for at, name in enumerate(others, 1))]
    begun = ("/".join(levels) for end in range(1, len(choices) + 1) for levels in product(*choices[:end]))
    return {pattern for pattern in begun if not pattern.endswith("*")}


@given(st.lists(patterns, max_size=6), topics)
def test_keys_are_the_patterns_that_one_would_have_to_look_up(held: list[str], topic: str) -> None:
    assert WildcardLevels(held).keys(topic) == len(candidates(held, topic))


def test_a_first_attribute_is_complete_when_wildcards_were_seen_at_every_level_within() -> None:
    assert WildcardLevels(["a/*/c/d", "a/b/*/d", "b/*/c/d", "b/b/c/*"]).complete(4) == 0.5
    assert WildcardLevels([]).complete(4) == 0.0


def test_nodes_and_edges_are_the_beginnings_of_patterns() -> None:
    for each in TREE_SIZE.sweep("small"):
        little = Point(each.label, {**each.settings, "largest": 300})
        found = Readings(TREE_SIZE.measure(little))
        levels = [tuple(pattern.split("/")) for pattern in workload_of(little).patterns()]
        begun = {pattern[:end] for pattern in levels for end in range(1, len(pattern) + 1)}
        inner = {pattern[:end] for pattern in levels for end in range(len(pattern))}
        (series,) = found.series(NODES)
        assert found.get(EDGES, series, 300) == len(begun)
        assert found.get(NODES, series, 300) == len(inner)


def test_the_printed_numbers_are_held_against_both_readings_of_the_workload() -> None:
    def claim(nodes: int, edges: int) -> Claim:
        counts = {("10 attributes", NODES): nodes, ("10 attributes", EDGES): edges}
        counts |= {(ALL_VALUES, NODES): 798_280, (ALL_VALUES, EDGES): 898_279, ("tree", BYTES): 300}
        rows = [count(series, 100_000, quantity, value) for (series, quantity), value in counts.items()]
        return next(printed(Readings(rows)))

    assert claim(798_188, 898_187).holds
    found = claim(663_708, 763_707)
    assert not found.holds
    assert found.found == "663,708 nodes and 763,707 edges"
    assert "702,601 nodes at most; 5,000 values" in found.because
    assert "798,280 nodes and 898,279 edges" in found.because
