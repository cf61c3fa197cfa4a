"""Play a scenario: what it brought, how that changed over time, and how long failures kept routers busy."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from penstock.errors import FilterError, MessageError, NetworkError, ScenarioError, StructureError
from penstock.network.expectation import Expectation
from penstock.network.frame import RouterId
from penstock.network.metric import (
    Latencies,
    LinkLoad,
    TableSizes,
    Totals,
    latencies,
    link_loads,
    table_sizes,
    totals,
)
from penstock.network.node import Publication, TraceEvent
from penstock.network.scenario import (
    Attend,
    Crash,
    Cut,
    Event,
    Heal,
    Publish,
    Recover,
    Scenario,
    Subscribe,
    Unsubscribe,
)
from penstock.network.simulation import Simulation

__all__ = ["Disturbance", "Miss", "Result", "Sample", "run_scenario"]


@dataclass(frozen=True, slots=True)
class Sample:
    """What happened since the sample before, and how large tables are now."""

    at: int  #: microseconds
    gained: Totals
    tables: TableSizes
    missed: int  #: deliveries that were due for what was published since, and did not come
    latencies: Latencies | None  #: of what was published since


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Failures or recoveries at one moment, and how long routers went on talking about them."""

    at: int
    events: tuple[Event, ...]
    settled: int  #: microseconds until routers had nothing left to tell each other
    control: int  #: control frames until then


class Miss(NamedTuple):
    """A delivery that was due and did not come."""

    publication: int  #: its number among the publications
    host: str


@dataclass(frozen=True, slots=True)
class Result:
    """A scenario after it was played."""

    scenario: Scenario
    totals: Totals
    samples: tuple[Sample, ...]
    disturbances: tuple[Disturbance, ...]
    links: tuple[LinkLoad, ...]
    tables: dict[RouterId, int]  #: distinct entries in the table of each router that works at the end
    latencies: Latencies | None
    due: int  #: deliveries to hosts that had asked and could be reached when the message was published
    misses: tuple[Miss, ...]  #: those of them that did not come
    not_published: int  #: messages whose source was down
    publications: tuple[Publication[Any], ...]
    trace: tuple[TraceEvent, ...]

    @property
    def missed(self) -> int:
        """How many deliveries were due and did not come."""
        return len(self.misses)


def run_scenario(
    scenario: Scenario, *, trace: bool = False, watch: Callable[[int], object] | None = None
) -> Result:
    """Play a scenario to its end; with `trace`, keep everything that happened.

    `watch` is told the time of each sample as it is taken, in microseconds of the scenario.
    """
    return _Play(scenario, trace, watch).run()


class _Play:
    """A scenario that is being played."""

    def __init__(self, scenario: Scenario, trace: bool, watch: Callable[[int], object] | None = None) -> None:
        self.scenario = scenario
        self.watch = watch
        self.sim: Simulation[Any, Any, Any, Any] = Simulation(
            scenario.topology,
            scenario.processor(),
            sources=scenario.sources,
            seed=scenario.seed,
            loss=scenario.loss,
            jitter=scenario.jitter,
            timeout=scenario.timeout,
            wire=scenario.wire,
            trace=trace,
        )
        self.expectation = Expectation(self.sim, scenario.application)
        self.due: list[set[str]] = []  # of each publication, who should get it
        self.not_published = 0
        self.looks: list[tuple[int, Totals, TableSizes]] = []
        self.disturbances: list[Disturbance] = []

    def run(self) -> Result:
        """Plan everything, let time pass, and sum up."""
        scenario, sim = self.scenario, self.sim
        for at in range(scenario.sample, scenario.duration + 1, scenario.sample):
            sim.at(at, self.look)
        ordered = sorted(enumerate(scenario.events), key=lambda pair: pair[1].at)
        for number, event in ordered:
            sim.at(event.at, self.happening(number, event))
        disturbing = [event for _, event in ordered if isinstance(event, Crash | Recover | Cut | Heal)]
        for at, together in groupby(disturbing, key=lambda event: event.at):
            sim.at(at, self.marking(at, tuple(together)))
        sim.run(scenario.duration)
        sim.at_rest()
        self.look()
        return self.result()

    def happening(self, number: int, event: Event) -> Callable[[], None]:
        """The event as something that happens; what the application refuses is the scenario's fault."""

        def happen() -> None:
            try:
                self.happen(event)
            except (FilterError, MessageError, NetworkError, StructureError) as error:
                raise ScenarioError(f"events[{number}]", str(error)) from error

        return happen

    def happen(self, event: Event) -> None:
        """Let an event happen."""
        sim = self.sim
        match event:
            case Attend():
                sim.attach(event.host, event.router)
            case Subscribe():
                sim.subscribe(event.host, event.interest)
                self.expectation.subscribe(event.host, event.interest)
            case Unsubscribe():
                sim.unsubscribe(event.host, event.interest)
                self.expectation.unsubscribe(event.host, event.interest)
            case Publish():
                self.publish(event)
            case Crash():
                sim.crash(event.router)
            case Recover():
                sim.recover(event.router)
            case Cut():
                sim.cut(event.one, event.other)
            case Heal():
                sim.heal(event.one, event.other)
        if isinstance(event, Crash | Recover | Cut | Heal):
            self.expectation.links_changed()

    def publish(self, event: Publish) -> None:
        """Publish, if the source is up, and note who should get the message."""
        if not self.sim.nodes[event.source].is_alive:
            self.not_published += 1
            return
        self.sim.publish(event.source, event.message)
        self.due.append(self.expectation.hosts(event.source, event.message))

    def marking(self, at: int, events: tuple[Event, ...]) -> Callable[[], None]:
        """The beginning of a disturbance, which waits for its end."""

        def mark() -> None:
            earlier = totals(self.sim).control
            self.sim.when_settled(lambda: end(earlier))

        def end(earlier: int) -> None:
            control = totals(self.sim).control - earlier
            self.disturbances.append(Disturbance(at, events, self.sim.now - at, control))

        return mark

    def look(self) -> None:
        """Take a sample."""
        self.looks.append((self.sim.now, totals(self.sim), table_sizes(self.sim)))
        if self.watch is not None:
            self.watch(self.sim.now)

    def result(self) -> Result:
        """Sum up."""
        sim = self.sim
        pairs = zip(self.due, sim.publications, strict=True)
        missed = [sorted(due.difference(publication.hosts)) for due, publication in pairs]
        samples = []
        before = Totals(*[0] * len(Totals.__slots__))
        for at, sums, tables in self.looks:
            since = slice(before.published, sums.published)
            late = latencies(sim.publications[since])
            samples.append(Sample(at, sums - before, tables, sum(map(len, missed[since])), late))
            before = sums
        return Result(
            scenario=self.scenario,
            totals=totals(sim),
            samples=tuple(samples),
            disturbances=tuple(self.disturbances),
            links=tuple(link_loads(sim)),
            tables={node.id: node.router.ids for node in sim.nodes.values() if node.is_alive},
            latencies=latencies(sim.publications),
            due=sum(map(len, self.due)),
            misses=tuple(Miss(number, host) for number, hosts in enumerate(missed) for host in hosts),
            not_published=self.not_published,
            publications=tuple(sim.publications),
            trace=tuple(sim.trace or ()),
        )
