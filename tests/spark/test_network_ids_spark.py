"""Networks that forward by ids on Spark, of both kinds of sessions, against the simulator."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from network_here import simulate
from networks import AnySimulation
from penstock.errors import NetworkError, SchemaError
from penstock.network import Simulation, random_graph
from penstock.spark import NetworkRef, forward_network, write_network
from penstock.structures import (
    Baseball,
    Categories,
    ContentProcessor,
    DisjointProcessor,
    Filters,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
    Traffic,
)
from test_network import outcome

SOURCES = [0, 3, 7]
NEWS = {"news": [], "sport": ["news"], "local": ["news"], "derby": ["sport", "local"]}


def cyclic(path: Path, processor: Any, interests: list[Any]) -> tuple[AnySimulation, NetworkRef]:
    """Twelve routers with cycles, a host at each and several sources; a link is cut, a router came back."""
    sim: AnySimulation = Simulation(random_graph(12, 0.3, seed=3), processor, sources=SOURCES)
    for router in range(12):
        sim.attach(f"h{router}", router)
        for interest in (interests[router % len(interests)], interests[router // 3 % len(interests)]):
            sim.subscribe(f"h{router}", interest)
    sim.at_rest()
    link = next(wire.link for wire in sim.nodes[3].wires.values())
    sim.cut(link.one, link.other)
    sim.crash(7)
    sim.at_rest()
    sim.recover(7)
    sim.at_rest()
    return sim, write_network(sim, path)


EXITS = [(1, 4), (2, 3), (5, 9), (1, 20), (3, 8)]
ALERTS = [(1, 2), (3, 3), (6, 12), (18, 20), (2, 7)]
CASES: dict[str, tuple[Any, list[Any], list[Any], str]] = {
    "overlapping": (lambda: OverlappingProcessor(Traffic()), EXITS, ALERTS, "first short, last long"),
    "disjoint": (
        lambda: DisjointProcessor(Baseball(5)),
        [(), (1,), (2,), (1, 2), (4, 0)],
        [(0, 4), (1, 2), (2, 3), (3, 3)],
        "home int, away int",
    ),
    "list": (
        lambda: ListProcessor(Categories(NEWS)),
        list(NEWS),
        [(["derby"],), (["sport", "local"],), (["news"],), ([],)],
        "labels array<string>",
    ),
    "graph": (
        lambda: GraphProcessor(Filters()),
        ["price < 50", "price < 20 AND detail.state = 's1'", "TRUE", "detail.state = 's1'"],
        [(10, ("s1",)), (30, ("s2",)), (90, None), (None, ("s1",))],
        "price int, detail struct<state: string>",
    ),
}


def message_of(name: str, row: Any) -> Any:
    """A row as the simulator takes it."""
    if name == "list":
        return frozenset(row[0])
    if name == "graph":
        price, detail = row
        return {"price": price, "detail": None if detail is None else {"state": detail[0]}}
    return row


@pytest.mark.parametrize("hops", [1, 9])
@pytest.mark.parametrize("name", CASES)
def test_messages_go_where_the_simulator_sends_them(
    spark: SparkSession, tmp_path: Path, name: str, hops: int
) -> None:
    make, interests, values, columns = CASES[name]
    sim, network = cyclic(tmp_path, make(), interests)
    sent = [(SOURCES[n % 3], values[n % len(values)]) for n in range(20)]
    rows = [(n, source, *value, "no") for n, (source, value) in enumerate(sent)]
    frame = spark.createDataFrame(rows, f"id int, router long, {columns}, unasked string")
    forwarded = forward_network(frame, network, id_columns=["id"], hops=hops)
    expected = simulate(sim, [(source, message_of(name, value)) for source, value in sent])
    assert expected.deliveries
    assert outcome(forwarded) == expected
    assert forwarded.rejected.count() == 0
    assert forwarded.stages == -(-(network.depth + 1) // hops)
    assert forwarded.traffic.columns == ["start", "end", "messages", "header_ids"]


def test_texts_headers_and_ids_that_are_columns_of_the_message(spark: SparkSession, tmp_path: Path) -> None:
    sim, network = cyclic(tmp_path, GraphProcessor(Filters()), ["price < 5", "price < 3", "price = 9"])
    rows = [(3, 2, '{"price": 2}', [1, 2]), (7, 9, '{"price": 9}', [3]), (3, 4, "{", None), (1, 4, "{}", [])]
    frame = spark.createDataFrame(rows, "router short, price long, body string, ids array<int>")
    expected = simulate(sim, [(3, {"price": 2}), (7, {"price": 9})])
    (*_, last), numbers = expected.deliveries, {2: 0, 9: 1}
    assert last[0] == 1
    for way, errors in (
        ({"json": "body"}, {"not valid JSON", "router 1 is no source"}),
        ({"header": "ids"}, {"the header is null", "router 1 is no source"}),
    ):
        forwarded = forward_network(frame, network, id_columns=["price"], hops=2, **way)
        found = [(numbers[row.price], row.router, row.host) for row in forwarded.deliveries.collect()]
        assert sorted(found) == expected.deliveries
        refused = forwarded.rejected.collect()
        assert len(refused) == 2
        assert all(any(row.error.startswith(error) for error in errors) for row in refused)
    typed = forward_network(frame.where("price != 4").drop("ids"), network, id_columns=["price"])
    assert {(row.start, row.end): tuple(row)[2:] for row in typed.traffic.collect()} == expected.traffic
    nothing = forward_network(frame.where("price = 5").drop("ids"), network, id_columns=[])
    assert (nothing.deliveries.count(), nothing.traffic.count(), nothing.stages) == (0, 0, 1)


def test_columns_that_do_not_do_are_refused_before_a_job_starts(spark: SparkSession, tmp_path: Path) -> None:
    class Roads(Traffic):
        """An application that nobody else knows."""

    _, network = cyclic(tmp_path / "traffic", ListProcessor(Traffic()), EXITS)
    _, unknown = cyclic(tmp_path / "unknown", ListProcessor(Roads()), EXITS)
    _, content = cyclic(tmp_path / "content", ContentProcessor(), ["first < 3"])
    rows = spark.createDataFrame([(0, 1, "x", [1])], "router int, first int, last string, ids array<int>")
    with pytest.raises(SchemaError, match="'last': is of type string; messages of traffic have integer"):
        forward_network(rows, network, id_columns=[])
    with pytest.raises(SchemaError, match="'last': is not there"):
        forward_network(rows.drop("last"), network, id_columns=[])
    with pytest.raises(SchemaError, match=r"'last': is no message of traffic: make columns .*first and last"):
        forward_network(rows, network, id_columns=[], json="last")
    with pytest.raises(SchemaError, match="'first': is of type int; headers are lists of integers"):
        forward_network(rows, network, id_columns=[], header="first")
    with pytest.raises(NetworkError, match=r"workers do not know the application.*header=…"):
        forward_network(rows, unknown, id_columns=[])
    with pytest.raises(NetworkError, match="its messages have no headers"):
        forward_network(rows, content, id_columns=[], header="ids")
    with pytest.raises(ValueError, match="json or header"):
        forward_network(rows, network, id_columns=[], json="last", header="ids")
