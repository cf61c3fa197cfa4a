"""A scenario: a network, an application, and everything that will happen, as a value.

Nothing is left to chance but losses and delays, which follow from the seed: what was drawn at random is
already in it. So a scenario can be looked at, compared, changed and played again.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, TypeAlias

from penstock.errors import ScenarioError, StructureError
from penstock.network.frame import RouterId
from penstock.network.router import TIMEOUT
from penstock.network.topology import Topology
from penstock.structures import (
    Application,
    ContentProcessor,
    DisjointProcessor,
    Filters,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
)

__all__ = [
    "FORMATS", "Attend", "Crash", "Cut", "Event", "Heal", "Publish", "Recover", "Scenario", "Subscribe",
    "Unsubscribe", "known",
]  # fmt: skip

FORMATS: Final = ("content", "overlapping", "disjoint", "list", "graph")
MOST_SAMPLES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Attend:
    """A host comes to a router."""

    at: int  #: microseconds, as all times here
    host: str
    router: RouterId


@dataclass(frozen=True, slots=True)
class Subscribe:
    """A host asks for something."""

    at: int
    host: str
    interest: Hashable


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """A host no longer asks for it."""

    at: int
    host: str
    interest: Hashable


@dataclass(frozen=True, slots=True)
class Publish:
    """A message is published at a source; if that is down, it is not."""

    at: int
    source: RouterId
    message: Any


@dataclass(frozen=True, slots=True)
class Crash:
    """A router stops."""

    at: int
    router: RouterId


@dataclass(frozen=True, slots=True)
class Recover:
    """A router starts again."""

    at: int
    router: RouterId


@dataclass(frozen=True, slots=True)
class Cut:
    """A link fails."""

    at: int
    one: RouterId
    other: RouterId


@dataclass(frozen=True, slots=True)
class Heal:
    """A link works again."""

    at: int
    one: RouterId
    other: RouterId


Event: TypeAlias = Attend | Subscribe | Unsubscribe | Publish | Crash | Recover | Cut | Heal


@dataclass(frozen=True, slots=True)
class Scenario:
    """What to simulate; events happen in the order of their times, and of the list."""

    name: str
    topology: Topology
    application: Application[Any, Any, Any]
    format: str
    sources: tuple[RouterId, ...]
    events: tuple[Event, ...]
    duration: int  #: microseconds
    sample: int = 1_000_000  #: microseconds between two looks at the network
    description: str = ""
    seed: int = 0
    loss: float = 0.0
    jitter: int = 0  #: microseconds
    timeout: int = TIMEOUT  #: microseconds after which a control frame is sent again
    wire: bool = False

    def __post_init__(self) -> None:
        known("format", self.format, FORMATS)
        if self.format == "content" and not isinstance(self.application, Filters):
            raise ScenarioError("format", "full content needs an application with filters; choose another")
        try:
            self.processor()
        except StructureError as error:
            raise ScenarioError("format", str(error)) from error
        if not 0 <= self.loss < 1:
            raise ScenarioError("loss", f"from 0 to less than 1, not {self.loss}")
        for name in ("duration", "sample", "timeout"):
            if getattr(self, name) < 1:
                raise ScenarioError(name, "must be at least a microsecond")
        if self.duration // self.sample > MOST_SAMPLES:
            raise ScenarioError("sample", f"makes more than {MOST_SAMPLES:,} samples")
        if self.jitter < 0:
            raise ScenarioError("jitter", "must not be below 0")
        _check_events(self)

    def processor(self) -> Any:
        """A new processor of the application, in this format."""
        if self.format == "content":
            return ContentProcessor()
        makers = {
            "overlapping": OverlappingProcessor,
            "disjoint": DisjointProcessor,
            "list": ListProcessor,
            "graph": GraphProcessor,
        }
        return makers[self.format](self.application)


def known(place: str, name: str, names: tuple[str, ...]) -> str:
    """The name, if it is one of these."""
    if name in names:
        return name
    near = get_close_matches(str(name), names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ScenarioError(place, f"{name!r} is none of {', '.join(names)}{hint}")


def _check_events(scenario: Scenario) -> None:
    """Everything that is named exists by then, and happens while there is time."""
    routers = set(scenario.topology.routers)
    links = {link.ends for link in scenario.topology.links}
    for source in scenario.sources:
        if source not in routers:
            raise ScenarioError("sources", f"there is no router {source}")
    hosts: set[str] = set()
    for number, event in sorted(enumerate(scenario.events), key=lambda pair: pair[1].at):
        place = f"events[{number}]"
        if not 0 <= event.at <= scenario.duration:
            raise ScenarioError(place, f"{event.at:,} µs is not within the scenario")
        match event:
            case Attend(host=host, router=router):
                if host in hosts or router not in routers:
                    raise ScenarioError(place, f"host {host!r} is there already, or router {router} is not")
                hosts.add(host)
            case Subscribe(host=host) | Unsubscribe(host=host):
                if host not in hosts:
                    raise ScenarioError(place, f"there is no host {host!r}")
            case Publish(source=source):
                if source not in scenario.sources:
                    raise ScenarioError(place, f"router {source} is no source: list it in sources")
            case Crash(router=router) | Recover(router=router):
                if router not in routers:
                    raise ScenarioError(place, f"there is no router {router}")
            case Cut(one=one, other=other) | Heal(one=one, other=other):
                if (min(one, other), max(one, other)) not in links:
                    raise ScenarioError(place, f"there is no link between {one} and {other}")
