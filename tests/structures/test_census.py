"""The census: what the paper's first table counts, on trees to count by hand and on its network."""

from typing import Any

import pytest

from penstock.errors import StructureError
from penstock.papers.structures.workload import draw_tree
from penstock.structures import (
    Baseball,
    DisjointProcessor,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
    Traffic,
)
from penstock.structures.census import HOSTS, Load, SourceTree, shortest_path_tree

LINE = {"a": ["b"], "b": ["a", "c"], "c": ["b"]}
RING = {0: [1, 5], 1: [0, 2], 2: [1, 3], 3: [2, 4], 4: [3, 5], 5: [4, 0]}


def line(processor: Any) -> SourceTree[str]:
    """All games wanted at c, those of team 0 at b, and a game of it at c."""
    interests = [("c", ()), ("b", (0,)), ("c", (0, 1))]
    return SourceTree(processor, "a", shortest_path_tree(LINE, "a"), interests)


GAMES = [(0, 1), (1, 2), (1, 2)]


def test_paths_are_the_shortest() -> None:
    assert shortest_path_tree(LINE, "a") == {"b": "a", "c": "b"}
    assert shortest_path_tree(RING, 0) == {1: 0, 5: 0, 2: 1, 4: 5, 3: 2}


def test_overlapping_categories_are_counted_by_the_copy() -> None:
    census = line(OverlappingProcessor(Baseball(3))).census(GAMES)
    assert census.tables == {"a": 3, "b": 3, "c": 2}
    assert census.carried == {"b": 3 + 2, "c": 2 + 2}
    assert census.heaviest() == Load(5, 1.0, 3, 1.0)


def test_disjoint_categories_fill_tables_and_subscriptions() -> None:
    census = line(DisjointProcessor(Baseball(3))).census(GAMES)
    assert census.subscriptions == (6, 3, 1)
    assert census.tables == {"a": 6, "b": 6, "c": 6}
    assert census.carried == {"b": 3, "c": 3}
    assert census.typical() == Load(3, 10 / 3, 6, 1.0)


def test_lists_are_pruned_on_their_way() -> None:
    census = line(ListProcessor(Baseball(3))).census(GAMES)
    assert census.carried == {"b": 3, "c": 3}
    assert census.carried_ids == {"b": 3 + 1 + 1, "c": 2 + 1 + 1}
    assert census.typical().ids_per_notification == pytest.approx(9 / 6)


def test_graphs_carry_the_lowest() -> None:
    census = line(GraphProcessor(Baseball(3))).census(GAMES)
    assert census.carried == census.carried_ids == {"b": 3, "c": 3}
    assert census.tables == {"a": 3, "b": 3, "c": 2}


def test_a_link_without_subscribers_behind_it_counts_and_carries_nothing() -> None:
    interests = [("b", ())]
    tree = SourceTree(ListProcessor(Baseball(3)), "a", shortest_path_tree(LINE, "a"), interests)
    assert tree.census(GAMES).typical() == Load(1.5, 1.0, 2 / 3, 1.0)
    nobody = SourceTree(ListProcessor(Baseball(3)), "a", shortest_path_tree(LINE, "a"), [])
    assert nobody.census(GAMES).typical() == nobody.census(GAMES).heaviest() == Load(0, 0, 0, 0)
    assert SourceTree(ListProcessor(Baseball(3)), 0, {}, []).census(GAMES).typical() == Load(0, 0, 0, 0)


def test_links_lead_to_what_lies_behind_them() -> None:
    tree = line(ListProcessor(Baseball(3)))
    assert tree.link_towards("a", "c") == "b"
    assert tree.link_towards("b", "b") == HOSTS
    assert tree.link_towards("c", "b") is None


def test_a_subscriber_needs_a_way_to_the_source() -> None:
    with pytest.raises(StructureError, match="router 'z' has no way to the source 'a'"):
        SourceTree(ListProcessor(Baseball()), "a", shortest_path_tree(LINE, "a"), [("z", ())])


@pytest.mark.parametrize("application", ["baseball", "traffic"])
def test_the_papers_network_gives_the_papers_counts(application: str) -> None:
    """Exact where the paper's are: single ids, all 465 games at the source, and alike for the other three."""
    drawn: dict[str, Any] = {"baseball": Baseball(), "traffic": Traffic()}
    sent = drawn[application].messages(1_000, 1)
    found = {}
    for name in ("overlapping", "disjoint", "list", "graph"):
        tree, _ = draw_tree(application, name, 1)
        census = tree.census(sent)
        found[name] = census.typical(), census.heaviest()
    for name in ("overlapping", "list", "graph"):
        assert all(load.ids_per_subscription == 1.0 for load in found[name])
    for name in ("overlapping", "disjoint"):
        assert all(load.ids_per_notification == 1.0 for load in found[name])
    for which in (0, 1):
        links = {found[name][which].notifications_per_link for name in ("disjoint", "list", "graph")}
        assert len(links) == 1
        assert found["overlapping"][which].notifications_per_link > links.pop()
        tables = {found[name][which].ids_per_table for name in ("overlapping", "list", "graph")}
        assert len(tables) == 1
        assert found["graph"][which].ids_per_notification < found["list"][which].ids_per_notification
    # Nobody wants an alert about the stretch before the first exit alone.
    assert found["disjoint"][1].ids_per_table == {"baseball": 465, "traffic": 209}[application]


def test_all_210_alerts_are_at_the_source_if_interests_begin_before_their_first_exit() -> None:
    traffic = Traffic(inclusive=True)
    interests = [("b", exits) for exits in traffic.interests(1_200, 1)]
    tree = SourceTree(DisjointProcessor(traffic), "a", shortest_path_tree(LINE, "a"), interests)
    assert tree.census(traffic.messages(1_000, 1)).heaviest().ids_per_table == 210
