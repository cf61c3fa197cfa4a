"""Invariant 10: losses, delays and repetitions do not change the outcome; nothing of an old epoch does."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from networks import (
    assert_core_rule,
    assert_fresh,
    graphs,
    populate,
    populations,
    processors,
    some,
    state,
)
from penstock.network.frame import Ack, Change, Hello, Message, Update
from penstock.network.router import Deliver, Router, Send
from penstock.network.simulation import Simulation
from penstock.network.topology import Topology
from penstock.structures import CONTENT, ContentProcessor


@given(st.data(), graphs(), processors, st.integers(0, 99))
def test_losses_and_delays_do_not_change_the_outcome(
    data: st.DataObject, topology: Topology, processor: Any, seed: int
) -> None:
    sim = Simulation(
        topology,
        processor,
        sources=data.draw(some(topology.routers, 1)),
        seed=seed,
        loss=data.draw(st.sampled_from([0.0, 0.2, 0.5])),
        jitter=data.draw(st.sampled_from([0, 10, 100])),
        timeout=data.draw(st.sampled_from([5, 50])),
    )
    held = data.draw(populations(topology))
    populate(sim, held)
    sim.run(data.draw(st.integers(0, 50)))
    for host in data.draw(some(sorted(held))) if held else ():
        sim.detach(host)
    sim.at_rest()
    assert_core_rule(sim)
    assert_fresh(sim)


@given(st.data(), graphs(), processors)
def test_frames_of_before_change_nothing(data: st.DataObject, topology: Topology, processor: Any) -> None:
    sim = Simulation(topology, processor, sources=data.draw(some(topology.routers, 1)), trace=True)
    held = data.draw(populations(topology))
    populate(sim, held)
    sim.at_rest()
    for link in data.draw(some(topology.links)) if topology.links else ():
        sim.cut(link.one, link.other)
        sim.heal(link.one, link.other)
    router = data.draw(st.sampled_from(topology.routers))
    sim.crash(router)
    for host in data.draw(some(sorted(held))) if held else ():
        sim.detach(host)
    sim.recover(router)
    sim.at_rest()
    before = state(sim)
    trace = [each for each in sim.trace or () if each.what == "send"]
    order = data.draw(st.permutations(range(len(trace)))) if len(trace) < 50 else range(len(trace))
    for place in order:
        sim.inject(trace[place].router, trace[place].other, trace[place].about)  # type: ignore[arg-type]
    sim.at_rest()
    assert state(sim) == before


# Two routers, frame by frame


def entry(text: str) -> Any:
    """The filter of a text."""
    return ContentProcessor().subscribe(text)[0]


def exchange(one: Router[Any, Any], other: Router[Any, Any], now: int = 0) -> list[Any]:
    """Carry frames between two routers until neither has any; the frames that were carried."""
    carried: list[Any] = []
    while True:
        actions = [(one, other, action) for action in one.tick(now)]
        actions += [(other, one, action) for action in other.tick(now)]
        if not actions:
            return carried
        for sender, receiver, action in actions:
            assert isinstance(action, Send)
            carried.append(action.frame)
            receiver.receive(sender.id, action.frame)


def sent(router: Router[Any, Any], now: int = 0) -> list[Any]:
    """The frames that a router sends now."""
    return [action.frame for action in router.tick(now) if isinstance(action, Send)]


def pair() -> tuple[Router[Any, Any], Router[Any, Any]]:
    """Two routers with a session; the first is a source."""
    one, other = Router(1, CONTENT, source=True), Router(2, CONTENT)
    one.link_up(2)
    other.link_up(1)
    exchange(one, other)
    return one, other


def test_two_routers_greet_each_other_and_exchange_all_they_know() -> None:
    one, other = Router(1, CONTENT, source=True), Router(2, CONTENT)
    other.attach("alice")
    other.subscribe("alice", [entry("price < 500")])
    one.link_up(2)
    other.link_up(1)
    assert not one.is_quiet
    frames = exchange(one, other)
    assert {type(frame) for frame in frames} == {Hello, Update, Ack}
    assert one.is_quiet
    assert other.is_quiet
    assert one.learned(2) == {entry("price < 500"): None} == other.told(1)
    (action,) = one.publish(None, [{"price": 1}])
    assert isinstance(action, Send)
    assert other.receive(1, action.frame) == [Deliver("alice", action.frame)]


def test_an_update_of_an_old_epoch_is_not_taken() -> None:
    one, other = pair()
    other.attach("alice")
    other.subscribe("alice", [entry("price < 500")])
    (stale,) = [frame for frame in exchange(one, other) if isinstance(frame, Update) and frame.changes]
    other.unsubscribe("alice", [entry("price < 500")])
    for router, peer in ((one, 2), (other, 1)):
        router.link_down(peer)
        router.link_up(peer)
    exchange(one, other)
    one.receive(2, stale)
    assert one.learned(2) == {}
    assert one.dropped["old"] >= 1


@pytest.mark.parametrize(("epoch", "echo"), [(1, 2), (2, 1), (2, 2)])
def test_both_epochs_must_be_those_of_the_session(epoch: int, echo: int) -> None:
    one, other = pair()
    change = Change(entry("price < 500"), None)
    one.receive(2, Update(epoch, echo, sequence_after(other), (), (change,)))
    assert one.learned(2) == {}
    one.receive(2, Update(1, 1, sequence_after(other), (), (change,)))
    assert one.learned(2) == {entry("price < 500"): None}


def test_an_old_hello_is_not_answered() -> None:
    one, _ = pair()
    one.receive(2, Hello(2, 2**32, 1, "content"))  # the neighbour has begun anew, in incarnation 1
    assert isinstance(sent(one)[0], Hello)
    one.receive(2, Hello(2, 1, 0, "content"))
    assert sent(one) == []


def test_a_repeated_update_is_confirmed_again_and_applied_once() -> None:
    one, other = pair()
    other.attach("alice")
    other.subscribe("alice", [entry("price < 500")])
    (update,) = sent(other)
    for _ in range(2):
        one.receive(2, update)
        assert sent(one) == [Ack(update.echo, update.epoch, update.sequence)]
    assert list(one.learned(2)) == [entry("price < 500")]


def test_an_update_out_of_sequence_waits_for_the_one_before() -> None:
    one, other = pair()
    other.attach("alice")
    other.subscribe("alice", [entry("price < 500")])
    (update,) = sent(other)
    one.receive(2, replace(update, sequence=update.sequence + 1))
    assert one.learned(2) == {}
    assert one.tick(0) == []


def test_what_is_not_confirmed_is_sent_again_ever_more_rarely() -> None:
    one, _ = pair()
    other = Router(2, CONTENT, incarnation=1)
    one.link_down(2)
    one.link_up(2)
    clock = range(0, 40_000_000, 500_000)
    times = [now for now in clock if one.due is not None and one.due <= now and sent(one, now)]
    assert times == [0, 1_000_000, 3_000_000, 7_000_000, 15_000_000, 31_000_000]
    other.link_up(1)
    exchange(one, other, 40_000_000)
    assert one.is_quiet


def test_a_neighbour_that_starts_again_without_our_notice_begins_anew() -> None:
    one, other = pair()
    other.attach("alice")
    other.subscribe("alice", [entry("price < 500")])
    exchange(one, other)
    again = Router(2, CONTENT, incarnation=1)
    again.link_up(1)
    exchange(one, again)
    assert one.learned(2) == {}
    assert one.neighbours == [2]
    assert again.routes[1].parent == 1


def test_a_neighbour_that_begins_anew_is_told_all_again() -> None:
    one, other = Router(1, CONTENT, source=True), Router(2, CONTENT, source=True)
    for router, peer in ((one, 2), (other, 1)):
        router.attach(f"host {router.id}")
        router.subscribe(f"host {router.id}", [entry(f"price < {router.id}")])
        router.link_up(peer)
    exchange(one, other)
    other.link_down(1)  # and up again, without the first one's notice
    other.link_up(1)
    other.receive(1, Hello(1, 1, 0, "content"))  # which was on its way for long: so the answer opens at once
    exchange(one, other)
    assert other.learned(1) == {entry("price < 1"): None}
    assert one.learned(2) == {entry("price < 2"): None}


def test_who_speaks_another_format_or_under_another_name_is_not_heard() -> None:
    one, _ = pair()
    one.link_up(3)
    one.receive(3, Hello(3, 1, 0, "graph"))
    one.receive(3, Hello(4, 1, 0, "content"))
    assert one.neighbours == [2]
    assert one.dropped["refused"] == 2


def test_a_router_outdoes_what_others_claim_it_said() -> None:
    one, other = pair()
    lie = replace(state_of(one), sequence=99, neighbours=())
    one.receive(2, Update(1, 1, sequence_after(other), (lie,), ()))  # epochs of incarnation 0 count from 1
    assert one.routes[1].children == {2}
    assert state_of(one).sequence == 100
    assert one.dropped["refused"] == 1
    ahead = replace(lie, incarnation=5)
    one.receive(2, Update(1, 1, sequence_after(other) + 1, (ahead,), ()))
    assert state_of(one).sequence == 100


def state_of(router: Router[Any, Any]) -> Any:
    """What a router says of itself."""
    return router._control._states[router.id]


def sequence_after(router: Router[Any, Any]) -> int:
    """The sequence of the update that a router would send next."""
    return router._control.sessions[1]._sent + 1


def test_a_change_for_nobody_of_what_was_never_told_is_nothing() -> None:
    one, other = pair()
    update = Update(1, 1, sequence_after(other), (), (Change(entry("a = 1"), frozenset()),))
    one.receive(2, update)
    assert one.learned(2) == {}


def test_messages_from_elsewhere_than_the_next_hop_are_dropped() -> None:
    one, other = pair()
    other.attach("alice")
    other.subscribe("alice", [entry("price < 500")])
    exchange(one, other)
    message = Message(1, 0, 0, 0, 1, {"price": 1}, b"")
    assert one.receive(2, message) == []
    assert one.dropped["stray"] == 1
    assert len(other.receive(1, message)) == 1
    assert other.receive(1, message) == []
    assert other.dropped["duplicate"] == 1
    assert other.receive(1, replace(message, source=7)) == []
    assert other.dropped["stray"] == 1
