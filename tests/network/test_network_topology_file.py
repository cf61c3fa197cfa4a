"""Files of links and GraphML become the network they describe, or an error that says where."""

import contextlib
import sys
from pathlib import Path

import networkx  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from networks import graphs
from penstock.errors import TopologyError
from penstock.network.topology import Link, Topology, ring
from penstock.network.topology_file import parse_links, read_topology


@given(graphs(8))
def test_a_list_of_links_is_read_as_it_was_written(topology: Topology) -> None:
    lines = [" ".join(map(str, link)) for link in topology.links]
    assert parse_links("\n".join(["0", *lines])) == topology


def test_cost_latency_comments_and_lonely_routers_may_be_given() -> None:
    text = "# a small network\n1 2\n2 3 5   # dear\n\n3 1 2 40000\n9\n"
    assert parse_links(text) == Topology((1, 2, 3, 9), (Link(1, 2), Link(2, 3, 5), Link(3, 1, 2, 40_000)))


WRONG = {
    "1 2\n1 x": "line 2: expected ids, cost and latency as whole numbers",
    "1 2 3 4 5": "line 1: expected: one other [cost [latency]]",
    "1 2\n2 1": "link 2-1: there is another link between the two",
    "# nothing": "there is no router",
    "1 2 0": "link 1-2: cost (up to 4,294,967,295) and latency are at least 1",
    "-1 2": "the ids of routers are from 0 to 4,294,967,295",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_what_is_wrong_in_a_list_is_said(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(TopologyError) as raised:
        parse_links(text)
    assert str(raised.value) == message
    file = tmp_path / "net.links"
    file.write_text(text, "utf-8")
    with pytest.raises(TopologyError) as raised:
        read_topology(file)
    assert str(raised.value).startswith(str(file))


@given(st.text(max_size=60))
def test_hostile_lists_of_links_are_networks_or_typed_errors(text: str) -> None:
    with contextlib.suppress(TopologyError):
        parse_links(text)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "net.links"
    file.write_bytes(b"1 2\xff")
    with pytest.raises(TopologyError, match="not UTF-8"):
        read_topology(file)
    with pytest.raises(OSError, match="no\\.links"):
        read_topology(tmp_path / "no.links")


def test_graphml_is_read_with_its_costs(tmp_path: Path) -> None:
    graph = networkx.Graph()
    graph.add_edge("10", "20", cost=3, latency=2_000)
    graph.add_edge("20", "30")
    networkx.write_graphml(graph, tmp_path / "net.graphml")
    assert read_topology(tmp_path / "net.graphml") == Topology(
        (10, 20, 30), (Link(10, 20, 3, 2_000), Link(20, 30))
    )


def test_routers_with_names_are_numbered_and_directions_joined(tmp_path: Path) -> None:
    graph = networkx.DiGraph([("milan", "rome"), ("rome", "milan"), ("rome", "bari")])
    networkx.write_graphml(graph, tmp_path / "net.graphml")
    topology = read_topology(tmp_path / "net.graphml")
    assert topology.routers == (0, 1, 2)
    assert sorted(link.ends for link in topology.links) == [(0, 1), (1, 2)]


def graph_of(**data: object) -> networkx.Graph:
    """Two routers whose link has these attributes."""
    graph = networkx.Graph()
    graph.add_edge("1", "2", **data)
    return graph


BAD_GRAPHS = {
    "half a cost": (graph_of(cost=0.5), "the cost of a link is a whole number"),
    "endless": (graph_of(latency=float("inf")), "the latency of a link is a whole number"),
    "a word": (graph_of(cost="dear"), "the cost of a link is a whole number"),
    "two links": (networkx.MultiGraph([("1", "2"), ("1", "2")]), "more than one link"),
    "itself": (networkx.Graph([("1", "1")]), "a link joins two routers"),
}


@pytest.mark.parametrize(("graph", "message"), BAD_GRAPHS.values(), ids=BAD_GRAPHS)
def test_what_is_wrong_in_graphml_is_said(graph: networkx.Graph, message: str, tmp_path: Path) -> None:
    networkx.write_graphml(graph, tmp_path / "net.graphml")
    with pytest.raises(TopologyError, match=message):
        read_topology(tmp_path / "net.graphml")


def test_what_is_no_graphml_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "net.GraphML"
    file.write_text("<graph", "utf-8")
    with pytest.raises(TopologyError, match="not a graph in GraphML"):
        read_topology(file)


def test_without_networkx_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    networkx.write_graphml(networkx.Graph([("1", "2")]), tmp_path / "net.graphml")
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(TopologyError, match=r"penstock\[network\]"):
        read_topology(tmp_path / "net.graphml")
    (tmp_path / "ring.links").write_text("0 1\n1 2\n2 0\n", "utf-8")
    assert read_topology(tmp_path / "ring.links") == ring(3)
