"""Networks that forward by ids, in stages without Spark: what the simulator does, in every structure."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from id_worlds import WORLDS, World, header_rows, message_rows
from network_here import forward_here, simulate
from networks import AnySimulation, graphs, meshes, some
from penstock.errors import NetworkError, TableFileError
from penstock.network import Simulation, line, random_graph, ring
from penstock.spark.network import NetworkRef, edge, header, hold, write_network
from penstock.structures import (
    Categories,
    DisjointProcessor,
    Filters,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
    Traffic,
)
from penstock.structures.identifier import SingleId
from penstock.structures.rising import merged

Steps = Callable[[AnySimulation], None]


@st.composite
def networks(draw: st.DrawFn, world: World) -> AnySimulation:
    """Any graph, with hosts that came and went, links and routers that failed, and some that came back."""
    topology = draw(graphs() | meshes())
    sim: AnySimulation = Simulation(
        topology, world.processor(), sources=draw(some(topology.routers, least=1))
    )
    held = draw(st.lists(st.tuples(st.sampled_from(topology.routers), world.interests), max_size=12))
    for number, (router, interest) in enumerate(held):
        host = f"h{router}.{number % 2}"
        if host not in sim.hosts:
            sim.attach(host, router)
        sim.subscribe(host, interest)
    sim.at_rest()
    links = draw(st.just([]) | some(topology.links)) if topology.links else []
    routers = draw(st.just([]) | some(topology.routers))
    for link in links:
        sim.cut(link.one, link.other)
    for router in routers:
        sim.crash(router)
    sim.at_rest()
    for number, (router, interest) in draw(some(list(enumerate(held)))) if held else []:
        sim.unsubscribe(f"h{router}.{number % 2}", interest)
    for link in draw(some(links)) if links else []:
        sim.heal(link.one, link.other)
    for router in draw(some(routers)) if routers else []:
        sim.recover(router)
    sim.at_rest()
    return sim


def sources_of(sim: AnySimulation) -> list[int]:
    return [node.id for node in sim.nodes.values() if node.is_alive and node.router.is_source]


@pytest.mark.parametrize("name", WORLDS)
@settings(max_examples=60)
@given(st.integers(1, 4), st.lists(st.integers(0, 50), max_size=3), st.data())
def test_stages_deliver_and_carry_what_the_simulator_does(
    name: str, hops: int, cuts: list[int], data: st.DataObject
) -> None:
    world = WORLDS[name]
    sim = data.draw(networks(world))
    sources = sources_of(sim)
    drawn = st.lists(st.tuples(st.sampled_from(sources), world.messages), max_size=12)
    sent = data.draw(drawn) if sources else []
    with TemporaryDirectory() as directory:
        network = write_network(sim, directory)
        assert NetworkRef.open(directory) == network
        assert write_network(sim, directory) == network
        assert f"{network.application}, {network.structure}" == name
        expected = simulate(sim, sent)
        event(f"{network.sources} sources, {bool(expected.deliveries)}, {bool(expected.traffic)}")
        assert forward_here(network, message_rows(world, sent), cuts, hops) == (expected, {})
        rows = header_rows(sim.processor, sent)
        assert forward_here(network, rows, cuts, hops, header="ids") == (expected, {})
        if network.application == "filters":
            texts = pa.array([json.dumps(message) for _, message in sent], pa.string())
            rows = message_rows(world, sent).select([0, 1]).append_column("text", texts)
            assert forward_here(network, rows, cuts, hops, json="text") == (expected, {})


@pytest.mark.parametrize("make", [OverlappingProcessor, DisjointProcessor, ListProcessor, GraphProcessor])
def test_branches_of_a_link_that_are_meant_for_some_sources(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    united: list[tuple[int, ...]] = []

    def noted(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
        united.append(merged(one, other))
        return united[-1]

    monkeypatch.setattr(header, "merged", noted)
    for seed in range(4):
        sim: AnySimulation = Simulation(random_graph(12, 0.3, seed=seed), make(Traffic(4)), sources=range(5))
        for router in range(12):
            sim.attach(f"h{router}", router)
            sim.subscribe(f"h{router}", [(1, 2), (2, 4), (1, 4), (3, 4)][router % 4])
        sim.at_rest()
        network = write_network(sim, tmp_path)
        assert any(hold.held_router(network, place).has_branches for place in range(12))
        sent = [(source, alert) for source in range(5) for alert in Traffic(4).universe()]
        rows = message_rows(WORLDS["traffic, list"], sent)
        assert forward_here(network, rows, [7], 2) == (simulate(sim, sent), {})
    # A message of disjoint categories has one id, which a neighbour tells for all its sources at once.
    assert any(len(ids) > 1 for ids in united) == (make is not DisjointProcessor)


def highway(path: Path, make: Any = ListProcessor) -> tuple[AnySimulation, NetworkRef]:
    """Five routers in a circle, and a driver at each."""
    sim: AnySimulation = Simulation(ring(5), make(Traffic(6)), sources=[0, 2])
    for router in range(5):
        sim.attach(f"h{router}", router)
        sim.subscribe(f"h{router}", (router + 1, 6))
    sim.at_rest()
    return sim, write_network(sim, path)


@pytest.mark.parametrize("make", [OverlappingProcessor, DisjointProcessor, ListProcessor, GraphProcessor])
def test_a_row_that_is_no_message_costs_itself_only(make: Any, tmp_path: Path) -> None:
    sim, network = highway(tmp_path, make)
    rows = pa.RecordBatch.from_pydict(
        {
            "router": pa.array([0, 1, None, 0, 2], pa.int64()),
            "id": pa.array(range(5)),
            "first": pa.array([2, 2, 2, None, 3]),
            "last": pa.array([5, 5, 5, 5, 3]),
        }
    )
    outcome, refused = forward_here(network, rows, [2], 2)
    assert refused == {1: "router 1 is no source", 2: "the source is null", 3: "first is null"}
    assert outcome.traffic == simulate(sim, [(0, (2, 5)), (2, (3, 3))]).traffic
    assert {row for row, _, _ in outcome.deliveries} == {0, 4}


def test_what_the_application_refuses_says_why(tmp_path: Path) -> None:
    _, network = highway(tmp_path / "disjoint", DisjointProcessor)
    rows = message_rows(WORLDS["traffic, list"], [(0, (1, 7)), (0, (1, 6))])
    outcome, refused = forward_here(network, rows, [], 1)
    assert refused == {0: "(1, 7) is none of the 21 messages of the universe"}
    assert {row for row, _, _ in outcome.deliveries} == {1}
    sim: AnySimulation = Simulation(line(2), GraphProcessor(Categories({"news": []})), sources=[0])
    sim.at_rest()
    network = write_network(sim, tmp_path / "categories")
    lists = pa.array([["nwes"], None, ["news", None], []], pa.list_(pa.string()))
    rows = pa.RecordBatch.from_pydict({"router": [0] * 4, "id": [*range(4)], "labels": lists})
    assert forward_here(network, rows, [], 1)[1] == {
        1: "labels is null",
        2: "there is a null in labels",
    }, "nobody has asked for a category, so none is looked at"
    sim.attach("host", 1)
    sim.subscribe("host", "news")
    sim.at_rest()
    network = write_network(sim, tmp_path / "categories")
    refused = forward_here(network, rows, [], 1)[1]
    assert refused[0] == "no category is named 'nwes'; did you mean 'news'?"


def test_headers_that_no_router_would_take_are_refused(tmp_path: Path) -> None:
    _, network = highway(tmp_path)
    lists = [[3, 1, 3], [-1], None, [1, None], list(range(2**16 + 1))]
    rows = pa.RecordBatch.from_pydict(
        {"router": [0] * 5, "id": [*range(5)], "ids": pa.array(lists, pa.list_(pa.int64()))}
    )
    outcome, refused = forward_here(network, rows, [], 4, header="ids")
    assert {row for row, _, _ in outcome.deliveries} == {0}
    assert refused.pop(4).startswith("65,537 ids up to 65536 are over the limit of 65,536")
    assert refused == {
        1: "ids must rise from 0 on: -1 does not",
        2: "the header is null",
        3: "there is a null in the header",
    }


def test_an_application_that_workers_do_not_know_needs_headers(tmp_path: Path) -> None:
    class Roads(Traffic):
        """Of its own mind, as far as anybody knows."""

    sim: AnySimulation = Simulation(line(3), GraphProcessor(Roads(6)), sources=[0])
    sim.attach("host", 2)
    sim.subscribe("host", (2, 4))
    sim.at_rest()
    network = write_network(sim, tmp_path)
    assert (network.application, network.names) == (None, ())
    sent = [(0, (1, 3)), (0, (5, 6))]
    assert forward_here(network, header_rows(sim.processor, sent), [], 1, header="ids") == (
        simulate(sim, sent),
        {},
    )


def test_a_format_that_is_nobodys_is_refused(tmp_path: Path) -> None:
    sim, _ = highway(tmp_path)
    sim.format = SingleId("many")
    with pytest.raises(NetworkError, match="the format 'many' cannot be written"):
        write_network(sim, tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_large_headers_are_copied_in_small_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sim, network = highway(tmp_path)
    monkeypatch.setattr("penstock.spark.network.rows.BYTES", 100)
    sent = [(source, (first, 6)) for source in (0, 2) for first in range(1, 6)] * 5
    rows = message_rows(WORLDS["traffic, list"], sent)
    assert forward_here(network, rows, [20], 1) == (simulate(sim, sent), {})


def test_what_ids_stand_for_is_part_of_the_version(tmp_path: Path) -> None:
    sim: AnySimulation = Simulation(line(2), ListProcessor(Filters()), sources=[0])
    sim.attach("host", 1)
    sim.subscribe("host", "price < 5")
    sim.at_rest()
    network = write_network(sim, tmp_path)
    assert (network.structure, network.filters, network.names) == ("list", 2, ("price",))
    other: AnySimulation = Simulation(line(2), ListProcessor(Filters()), sources=[0])
    other.attach("host", 1)
    other.subscribe("host", "price < 6")
    other.at_rest()
    assert write_network(other, tmp_path).version != network.version
    assert NetworkRef.open(tmp_path, network.version) == network


def test_few_edges_are_held_and_few_of_their_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge, "KNOWN_MESSAGES", 2)
    edge._edges.clear()
    for name in "abc":
        sim, network = highway(tmp_path / name)
        sent = [(0, (first, last)) for first in range(1, 6) for last in range(first, 7)]
        rows = message_rows(WORLDS["traffic, list"], sent)
        assert forward_here(network, rows, [], 3) == (simulate(sim, sent), {})
    assert len(edge._edges) == edge.HELD_EDGES
    assert edge.held_edge(network) is edge.held_edge(network)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "Expecting property name"),
        ("{}", "'settings'"),
        ('{"settings": {"exit": 6}, "topics": []}', "unexpected keyword"),
        ('{"settings": {"exits": "6"}, "topics": [[1, [1, 2]]]}', "not supported between"),
        ('{"settings": {"exits": 6}, "topics": [[1, [2, 1]]]}', "are not two exits in order"),
        ('{"settings": {"exits": 6}, "topics": [[1]]}', "not enough values"),
    ],
)
def test_a_damaged_edge_is_found(tmp_path: Path, text: str, problem: str) -> None:
    _, network = highway(tmp_path)
    (network.directory / "edge.json").write_text(text, encoding="utf-8")
    edge._edges.clear()
    with pytest.raises(
        TableFileError, match=rf"edge\.json: is damaged \(.*{problem}.*write the network anew"
    ):
        edge.held_edge(network)


@pytest.mark.parametrize("kept", [0, 3, -1])
def test_a_damaged_table_is_found(tmp_path: Path, kept: int) -> None:
    _, network = highway(tmp_path)
    table = network.directory / "00001.held"
    table.write_bytes(table.read_bytes()[:kept])
    hold._routers.clear()
    with pytest.raises(TableFileError, match=r"00001\.held: is damaged \(the checksum is wrong\)"):
        hold.held_router(network, 1)
    table.unlink()
    with pytest.raises(TableFileError, match=r"00001\.held: is not there on .*: put networks where all"):
        hold.held_router(network, 1)
