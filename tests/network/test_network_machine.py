"""Invariants 1, 4, 5, 7 and 10 together: churn, failures, losses, reordered and repeated frames.

Steps follow each other without waiting, unless a step waits. Whenever the network comes to rest, it is as
if it had been built from what is left.
"""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from networks import (
    AnySimulation,
    alerts,
    alive,
    assert_core_rule,
    assert_fresh,
    graphs,
    interests,
    processors,
    some,
    wanted,
)
from penstock.network.frame import Message
from penstock.network.simulation import Simulation
from penstock.network.topology import Topology


class NetworkMachine(RuleBasedStateMachine):
    """One network, and everything that may befall it."""

    sim: AnySimulation

    @initialize(topology=graphs(5), processor=processors, data=st.data())
    def build(self, topology: Topology, processor: Any, data: st.DataObject) -> None:
        self.topology = topology
        self.sim = Simulation(
            topology,
            processor,
            sources=data.draw(some(topology.routers)),
            seed=data.draw(st.integers(0, 9)),
            loss=data.draw(st.sampled_from([0.0, 0.0, 0.3])),
            jitter=data.draw(st.sampled_from([0, 0, 20])),
            wire=data.draw(st.booleans()),
            trace=True,
            timeout=50,
        )
        self.hosts = 0
        for router in topology.routers:
            self.sim.attach(f"h{self.hosts}", router)
            for interest in data.draw(st.lists(interests, max_size=2)):
                self.sim.subscribe(f"h{self.hosts}", interest)
            self.hosts += 1

    @rule(data=st.data())
    def attach(self, data: st.DataObject) -> None:
        self.sim.attach(f"h{self.hosts}", data.draw(st.sampled_from(self.topology.routers)))
        self.hosts += 1

    @precondition(lambda self: self.sim.hosts)
    @rule(data=st.data(), interest=interests)
    def subscribe(self, data: st.DataObject, interest: Any) -> None:
        self.sim.subscribe(data.draw(st.sampled_from(sorted(self.sim.hosts))), interest)

    @precondition(lambda self: any(host.interests for host in self.sim.hosts.values()))
    @rule(data=st.data())
    def unsubscribe(self, data: st.DataObject) -> None:
        held = [(name, each) for name, host in self.sim.hosts.items() for each in host.interests]
        self.sim.unsubscribe(*data.draw(st.sampled_from(held)))

    @precondition(lambda self: self.sim.hosts)
    @rule(data=st.data())
    def detach(self, data: st.DataObject) -> None:
        self.sim.detach(data.draw(st.sampled_from(sorted(self.sim.hosts))))

    @precondition(lambda self: self.topology.links)
    @rule(data=st.data(), fails=st.booleans())
    def fail_or_heal_a_link(self, data: st.DataObject, fails: bool) -> None:
        link = data.draw(st.sampled_from(self.topology.links))
        (self.sim.cut if fails else self.sim.heal)(link.one, link.other)

    @rule(data=st.data(), fails=st.booleans())
    def fail_or_recover_a_router(self, data: st.DataObject, fails: bool) -> None:
        (self.sim.crash if fails else self.sim.recover)(data.draw(st.sampled_from(self.topology.routers)))

    @rule(data=st.data(), source=st.booleans())
    def declare(self, data: st.DataObject, source: bool) -> None:
        self.sim.declare(data.draw(st.sampled_from(self.topology.routers)), source)

    @rule(data=st.data())
    def repeat_an_old_frame(self, data: st.DataObject) -> None:
        trace = self.sim.trace or []
        sent = [each for each in trace if each.what == "send" and not isinstance(each.about, Message)]
        if sent:
            old = sent[data.draw(st.integers(0, len(sent) - 1))]
            self.sim.inject(old.router, old.other, old.about)  # type: ignore[arg-type]

    @rule(time=st.integers(0, 30))
    def pass_time(self, time: int) -> None:
        self.sim.run(self.sim.now + time)

    @rule()
    def come_to_rest(self) -> None:
        self.sim.at_rest()
        assert_core_rule(self.sim)
        assert_fresh(self.sim)

    @precondition(lambda self: any(node.router.is_source for node in alive(self.sim)))
    @rule(data=st.data(), alert=alerts)
    def publish(self, data: st.DataObject, alert: Any) -> None:
        self.sim.at_rest()
        loss, self.sim.loss = self.sim.loss, 0.0
        sources = [node.id for node in alive(self.sim) if node.router.is_source]
        publication = self.sim.publish(data.draw(st.sampled_from(sources)), alert)
        self.sim.at_rest()
        assert sorted(publication.hosts) == wanted(self.sim, publication)
        self.sim.loss = loss

    @precondition(lambda self: any(node.router.is_source for node in alive(self.sim)))
    @rule(data=st.data(), alert=alerts)
    def publish_without_waiting(self, data: st.DataObject, alert: Any) -> None:
        sources = [node.id for node in alive(self.sim) if node.router.is_source]
        self.sim.publish(data.draw(st.sampled_from(sources)), alert)

    def teardown(self) -> None:
        if hasattr(self, "sim"):
            self.come_to_rest()
            for publication in self.sim.publications:
                assert len(publication.hosts) == len(set(publication.hosts))


TestNetworkMachine = NetworkMachine.TestCase
