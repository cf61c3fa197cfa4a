"""Stages of a network, without Spark: many more networks than there could be jobs, against the simulator."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from network_here import filter_of, forward_here, message_of, simulate
from networks import AnySimulation, alerts, graphs, meshes, populations, router_of, some
from penstock.errors import NetworkError, TableFileError
from penstock.network import Simulation, ring
from penstock.spark.network import NetworkRef, hold, write_network
from penstock.structures import ContentProcessor


def rows_of(sent: list[tuple[int | None, dict[str, int]]]) -> pa.RecordBatch:
    columns: dict[str, Any] = {
        "router": pa.array([source for source, _ in sent], pa.int64()),
        "id": pa.array(range(len(sent)), pa.int64()),
        **{name: pa.array([each.get(name) for _, each in sent], pa.int32()) for name in ("first", "last")},
    }
    return pa.RecordBatch.from_pydict(columns)


def texts_of(sent: list[tuple[int, dict[str, int]]]) -> pa.RecordBatch:
    rows = rows_of([*sent]).select([0, 1])
    return rows.append_column("text", pa.array([json.dumps(each) for _, each in sent], pa.string()))


@st.composite
def networks(draw: st.DrawFn) -> AnySimulation:
    """Any graph with hosts and several sources, at rest; some links and routers may have failed."""
    topology = draw(graphs() | meshes())
    sources = draw(some(topology.routers, least=1))
    sim: AnySimulation = Simulation(topology, ContentProcessor(), sources=sources)
    for host, wanted in draw(populations(topology)).items():
        sim.attach(host, router_of(host))
        for interest in wanted:
            sim.subscribe(host, filter_of(interest))
    sim.at_rest()
    for link in draw(st.just([]) | some(topology.links)) if topology.links else []:
        sim.cut(link.one, link.other)
    for router in draw(st.just([]) | some(topology.routers)):
        sim.crash(router)
    sim.at_rest()
    return sim


@settings(max_examples=100)
@given(networks(), st.integers(1, 4), st.lists(st.integers(0, 50), max_size=3), st.data())
def test_stages_deliver_and_carry_what_the_simulator_does(
    sim: AnySimulation, hops: int, cuts: list[int], data: st.DataObject
) -> None:
    sources = [node.id for node in sim.nodes.values() if node.is_alive and node.router.is_source]
    drawn = st.lists(st.tuples(st.sampled_from(sources), alerts.map(message_of)), max_size=12)
    sent = data.draw(drawn) if sources else []
    with TemporaryDirectory() as directory:
        network = write_network(sim, directory)
        assert NetworkRef.open(directory) == network
        assert write_network(sim, directory) == network
        expected = simulate(sim, sent)
        event(f"{network.sources} sources, {bool(expected.deliveries)}")
        assert forward_here(network, rows_of([*sent]), cuts, hops) == (expected, {})
        assert forward_here(network, texts_of(sent), cuts, hops, json="text") == (expected, {})


def small(path: Path) -> tuple[AnySimulation, NetworkRef]:
    sim: AnySimulation = Simulation(ring(5), ContentProcessor(), sources=[0, 2])
    for router in range(5):
        sim.attach(f"h{router}", router)
        sim.subscribe(f"h{router}", f"first >= {router}")
    sim.at_rest()
    return sim, write_network(sim, path)


def test_a_row_without_a_source_or_a_message_costs_itself_only(tmp_path: Path) -> None:
    sim, network = small(tmp_path)
    message = {"first": 3}
    sent: list[tuple[int | None, dict[str, int]]] = [
        (0, message),
        (1, message),
        (None, message),
        (9, message),
    ]
    outcome, refused = forward_here(network, rows_of(sent), [1], 1)
    assert outcome == simulate(sim, [(0, message)])
    assert refused == {1: "router 1 is no source", 2: "the source is null", 3: "router 9 is no source"}
    texts = texts_of([(0, message), (2, message)])
    texts = texts.set_column(2, "text", pa.array(['{"first": 3', '{"first": 3}']))
    outcome, refused = forward_here(network, texts, [], 1, json="text")
    assert {row for row, _, _ in outcome.deliveries} == {1}
    assert list(refused) == [0]
    assert "not valid JSON" in refused[0]


def test_large_messages_are_copied_in_small_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sim, network = small(tmp_path)
    monkeypatch.setattr("penstock.spark.network.rows.BYTES", 100)
    sent = [(source, {"first": first}) for source in (0, 2) for first in range(5)] * 5
    assert forward_here(network, rows_of([*sent]), [20], 2) == (simulate(sim, sent), {})


def test_a_process_holds_few_routers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sim, network = small(tmp_path)
    monkeypatch.setattr(hold, "HELD_ROUTERS", 2)
    hold._routers.clear()
    sent = [(0, {"first": 4}), (2, {"first": 4})]
    assert forward_here(network, rows_of([*sent]), [], 3) == (simulate(sim, sent), {})
    assert len(hold._routers) == 2
    assert hold.held_router(network, 1) is hold.held_router(network, 1)


def test_a_version_is_named_after_what_the_network_does(tmp_path: Path) -> None:
    sim, network = small(tmp_path)
    again, _ = small(tmp_path / "other")
    assert write_network(again, tmp_path) == network
    sim.unsubscribe("h1", "first >= 1")
    sim.at_rest()
    changed = write_network(sim, tmp_path)
    assert changed.version != network.version
    assert NetworkRef.open(tmp_path) == changed
    assert NetworkRef.open(tmp_path, network.version) == network
    assert (network.routers, network.sources, network.hosts, network.depth) == (5, 2, 5, 2)
    assert network.names == ("first",)
    assert not list(tmp_path.glob("staging-*"))


def test_what_is_not_at_rest_is_refused(tmp_path: Path) -> None:
    sim, _ = small(tmp_path)
    sim.subscribe("h0", "first = 7")
    with pytest.raises(NetworkError, match="not at rest: call at_rest"):
        write_network(sim, tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match="holds no network; write_network writes one"):
        NetworkRef.open(tmp_path)
    _, network = small(tmp_path)
    with pytest.raises(TableFileError, match="holds no version abc"):
        NetworkRef.open(tmp_path, "abc")
    manifest = network.directory / "manifest.json"
    for text, problem in (
        ("{", "damaged"),
        ('{"format": 1}', "another penstock"),
        ('{"format": 2}', "damaged"),
    ):
        manifest.write_text(text, encoding="utf-8")
        with pytest.raises(TableFileError, match=problem):
            NetworkRef.open(tmp_path)


@pytest.mark.parametrize("kept", [0, 20, 130])
def test_damaged_trees_are_found(tmp_path: Path, kept: int) -> None:
    _, network = small(tmp_path)
    trees = network.directory / "trees.npy"
    trees.write_bytes(trees.read_bytes()[:kept])
    with pytest.raises(TableFileError, match=r"trees\.npy: is damaged .*; write the network anew"):
        hold.held_map(network)


def test_a_file_that_a_worker_does_not_see_is_named(tmp_path: Path) -> None:
    _, network = small(tmp_path)
    (network.directory / "00001.penstock").unlink()
    hold._routers.clear()
    with pytest.raises(TableFileError, match=r"00001\.penstock: is not there on .*: put networks where all"):
        hold.held_router(network, 1)
