"""A network on Spark, of both kinds of sessions, against the simulator."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from network_here import Outcome, simulate
from networks import AnySimulation
from penstock.errors import SchemaError
from penstock.network import Simulation, TransitStub, random_graph
from penstock.spark import Forwarded, NetworkRef, forward_network, write_network
from penstock.structures import ContentProcessor

SOURCES = [0, 3, 7]


def cyclic(path: Path) -> tuple[AnySimulation, NetworkRef]:
    """Twelve routers with cycles, a host at each and several sources."""
    sim: AnySimulation = Simulation(random_graph(12, 0.2, seed=3), ContentProcessor(), sources=SOURCES)
    for router in range(12):
        sim.attach(f"h{router}", router)
        sim.subscribe(f"h{router}", f"price < {10 * router} OR detail.state = 's{router % 4}'")
    sim.at_rest()
    return sim, write_network(sim, path)


def sent(count: int) -> list[tuple[int, dict[str, Any]]]:
    """Messages of all sources in turn."""
    return [
        (
            SOURCES[n % 3],
            {"price": 7 * n % 130, **({"detail": {"state": f"s{n % 5}"}} if n % 2 else {})},
        )
        for n in range(count)
    ]


def outcome(forwarded: Forwarded) -> Outcome:
    """The result, to be compared with the simulator's."""
    return Outcome(
        sorted((row.id, row.router, row.host) for row in forwarded.deliveries.collect()),
        {(row.start, row.end): tuple(row)[2:] for row in forwarded.traffic.collect()},
    )


@pytest.mark.parametrize("hops", [1, 3])
def test_typed_columns_go_where_the_simulator_sends_them(
    spark: SparkSession, tmp_path: Path, hops: int
) -> None:
    sim, network = cyclic(tmp_path)
    messages = sent(40)
    rows = [
        (
            n,
            source,
            message["price"],
            tuple(message["detail"].values()) if "detail" in message else None,
            "no",
        )
        for n, (source, message) in enumerate(messages)
    ]
    frame = spark.createDataFrame(
        rows, "id int, at long, price int, detail struct<state: string>, unasked string"
    )
    forwarded = forward_network(frame, network, id_columns=["id"], source="at", hops=hops)
    assert outcome(forwarded) == simulate(sim, messages)
    assert forwarded.rejected.count() == 0
    assert forwarded.stages == -(-(network.depth + 1) // hops)
    assert forwarded.deliveries.columns == ["id", "router", "host"]
    assert dict(forwarded.deliveries.dtypes)["id"] == "int"


def test_texts_and_ids_of_any_type_are_carried(spark: SparkSession, tmp_path: Path) -> None:
    sim, network = cyclic(tmp_path)
    rows = [
        (3, 0, b"\xff", '{"price": 25, "unasked": "x"}'),
        (7, 1, None, '{"price": '),
        (4, 2, b"", '{"price": 1}'),
        (None, 3, b"", '{"price": 1}'),
    ]
    frame = spark.createDataFrame(rows, "router short, id long, `a.key` binary, body string")
    forwarded = forward_network(frame, network, id_columns=["id", "a.key"], json="body", hops=2)
    assert outcome(forwarded) == simulate(sim, [(3, {"price": 25})])
    assert {bytes(row["a.key"]) for row in forwarded.deliveries.collect()} == {b"\xff"}
    refused = {row.id: row.error for row in forwarded.rejected.collect()}
    assert refused.pop(1).startswith("not valid JSON")
    assert refused == {2: "router 4 is no source", 3: "the source is null"}


def test_what_no_filter_asks_for_and_nothing_at_all_can_be_sent(spark: SparkSession, tmp_path: Path) -> None:
    sim: AnySimulation = Simulation(TransitStub(1, 2, 1, 3).topology(1), ContentProcessor(), sources=[0])
    sim.attach("all", 5)
    sim.subscribe("all", "TRUE")
    sim.at_rest()
    network = write_network(sim, tmp_path)
    assert network.names == ()
    rows = spark.createDataFrame([(0, 1.5), (0, None)], "router int, price double")
    forwarded = forward_network(rows, network, id_columns=[], hops=4)
    assert [tuple(row) for row in forwarded.deliveries.collect()] == [(5, "all")] * 2
    assert {row.messages for row in forwarded.traffic.collect()} == {2}
    nothing = forward_network(rows.where("router > 0"), network, id_columns=["price"])
    assert (nothing.deliveries.count(), nothing.traffic.count(), nothing.stages) == (0, 0, 1)


def test_what_is_always_null_is_absent(spark: SparkSession, tmp_path: Path) -> None:
    sim, network = cyclic(tmp_path)
    void = spark.range(1).selectExpr("id", "7 AS router", "NULL AS price", "struct('s1' AS state) AS detail")
    forwarded = forward_network(void, network, id_columns=["id"], hops=9)
    assert outcome(forwarded) == simulate(sim, [(7, {"detail": {"state": "s1"}})])


def test_columns_that_do_not_do_are_refused_before_a_job_starts(spark: SparkSession, tmp_path: Path) -> None:
    _, network = cyclic(tmp_path)
    rows = spark.createDataFrame([(0, "x", 1)], "router int, name string, price int")
    with pytest.raises(SchemaError, match="'at': is not there"):
        forward_network(rows, network, id_columns=["name"], source="at")
    with pytest.raises(SchemaError, match="'name': is of type string; ids of routers are integers"):
        forward_network(rows, network, id_columns=["price"], source="name")
    with pytest.raises(SchemaError, match="'router': is the name of a column of the result"):
        forward_network(rows, network, id_columns=["router"])
    with pytest.raises(SchemaError, match="'name': is among the id columns more than once"):
        forward_network(rows, network, id_columns=["name", "name"])
    with pytest.raises(SchemaError, match="'when': is of type date"):
        forward_network(rows.selectExpr("router", "current_date() AS `when`"), network, id_columns=[])
    with pytest.raises(TypeError, match="id_columns must be a sequence"):
        forward_network(rows, network, id_columns="name")
    with pytest.raises(ValueError, match="hops must be at least 1"):
        forward_network(rows, network, id_columns=["name"], hops=0)
