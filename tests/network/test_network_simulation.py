"""The simulator: the same from the same seed, honest in what it counts, and clear about what it refuses."""

from collections.abc import Callable
from typing import Any

import pytest

from networks import PROCESSORS, AnySimulation, publish
from penstock import Constraint, Filter, Operator
from penstock.errors import NetworkError, StructureError
from penstock.network.frame import MAX_PAYLOAD, Hello, Message
from penstock.network.router import Router
from penstock.network.simulation import Simulation
from penstock.network.topology import line, random_graph
from penstock.structures import CONTENT, ContentProcessor


def story(seed: int, **options: Any) -> AnySimulation:
    """A small network in trouble."""
    sim: AnySimulation = Simulation(
        random_graph(8, 0.3, seed=1), PROCESSORS["graph"](), sources=[0, 3], seed=seed, trace=True, **options
    )
    for router in range(8):
        sim.attach(f"h{router}", router)
        sim.subscribe(f"h{router}", (1 + router % 4, 2 + router % 4))
    sim.at(4_000, lambda: sim.crash(5))
    sim.at(90_000, lambda: sim.recover(5))
    for time in range(0, 200_000, 10_000):
        sim.at(time, lambda: sim.publish(0, (2, 3)))
    sim.run(300_000)
    sim.at_rest()
    return sim


def test_the_same_seed_tells_the_same_story() -> None:
    one, other = story(5, loss=0.1, jitter=500), story(5, loss=0.1, jitter=500)
    shown = [[(e.at, e.what, e.router, e.other) for e in sim.trace or ()] for sim in (one, other)]
    assert shown[0] == shown[1]
    different = [(e.at, e.what, e.router, e.other) for e in story(6, loss=0.1, jitter=500).trace or ()]
    assert shown[0] != different


def test_encoding_frames_changes_nothing() -> None:
    plain, wire = story(5), story(5, wire=True)
    assert [p.hosts for p in plain.publications] == [p.hosts for p in wire.publications]
    assert plain.now == wire.now


def test_wires_count_what_they_carry() -> None:
    sim: AnySimulation = Simulation(line(3), ContentProcessor(), sources=[0], wire=True, trace=True)
    sim.attach("alice", 2)
    sim.subscribe("alice", "price < 500")
    for price in (400, 600):
        publish(sim, 0, {"price": price})
    down, on = sim.nodes[0].wires[1], sim.nodes[1].wires[2]
    assert [(wire.messages, wire.header_ids) for wire in (down, on)] == [(1, 1), (1, 1)]
    assert [sim.nodes[2].wires[1].told, sim.nodes[1].wires[0].told, down.told] == [1, 1, 0]
    assert down.bytes > down.control_bytes > 0
    sent = [event for event in sim.trace or () if event.what == "send"]
    assert len(sent) == sum(
        w.messages + w.control for node in sim.nodes.values() for w in node.wires.values()
    )
    assert [event.other for event in sim.trace or () if event.what == "deliver"] == ["alice"]
    assert sum(isinstance(event.about, Message) for event in sent) == 2


def test_losses_are_counted_and_only_messages_stay_lost() -> None:
    sim = story(1, loss=0.2)
    lost = [event.about for event in sim.trace or () if event.what == "lose"]
    assert len(lost) == sum(wire.lost for node in sim.nodes.values() for wire in node.wires.values())
    assert {isinstance(frame, Message) for frame in lost} == {True, False}
    sim.loss = 0.0
    assert sorted(publish(sim, 0, (2, 3)).hosts) == sorted(story(1).publications[-1].hosts)


def simulation() -> AnySimulation:
    """Two routers and a host."""
    sim: AnySimulation = Simulation(line(2), ContentProcessor(), sources=[0])
    sim.attach("alice", 1)
    return sim


def down() -> AnySimulation:
    """The same, with its source down."""
    sim = simulation()
    sim.crash(0)
    return sim


WRONG: dict[str, Callable[[], object]] = {
    "no such router": lambda: simulation().attach("bob", 9),
    "no such source": lambda: Simulation(line(2), ContentProcessor(), sources=[9]),
    "all frames lost": lambda: Simulation(line(2), ContentProcessor(), loss=1.0),
    "frames that are early": lambda: Simulation(line(2), ContentProcessor(), jitter=-1),
    "no such host": lambda: simulation().subscribe("bob", "a = 1"),
    "no such link": lambda: simulation().cut(1, 1),
    "a host twice": lambda: simulation().attach("alice", 0),
    "not subscribed": lambda: simulation().unsubscribe("alice", "a = 1"),
    "a router that is down": lambda: down().publish(0, {"a": 1}),
    "a host elsewhere": lambda: simulation().publish(0, {"a": 1}, host="alice"),
    "a payload too large": lambda: simulation().publish(0, {"a": 1}, payload=bytes(MAX_PAYLOAD + 1)),
    "a header too large": lambda: simulation().publish(0, {str(n): "x" * 60_000 for n in range(10)}),
    "the past": lambda: simulation().at(-1, list),
    "an id too large": lambda: Router(2**32, CONTENT),
    "an incarnation below 0": lambda: Router(1, CONTENT, -1),
    "a link to itself": lambda: Router(1, CONTENT).link_up(1),
    "a link for nothing": lambda: Router(1, CONTENT).link_up(2, 0),
    "a link that is not there": lambda: Router(1, CONTENT).link_down(2),
    "a frame from nowhere": lambda: Router(1, CONTENT).receive(2, Hello(2, 1, 0, "content")),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_what_cannot_be_done_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(NetworkError):
        call()


def test_an_entry_that_fits_into_no_frame_is_refused_and_nothing_is_kept() -> None:
    sim = simulation()
    values = [f"{number:030}" for number in range(9_999)]
    filter_ = Filter([Constraint(name, Operator.IN, values) for name in "abc"])
    with pytest.raises(NetworkError, match="size of an entry"):
        sim.subscribe("alice", filter_)
    assert sim.hosts["alice"].interests == {}
    with pytest.raises(StructureError):
        sim.processor.unsubscribe(filter_)
