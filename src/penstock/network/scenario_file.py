"""Scenarios as TOML files: what is written is taken as it is, what is left to chance is drawn here.

Times are in seconds. The same file gives the same scenario.
"""

import os
import tomllib
from pathlib import Path
from random import Random
from typing import Any, Final

from penstock.errors import FilterError, MessageError, ScenarioError, StructureError, TopologyError
from penstock.network.frame import RouterId
from penstock.network.router import TIMEOUT
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
    known,
)
from penstock.network.scenario_cast import Cast, read_cast
from penstock.network.scenario_topology import read_shape
from penstock.network.section import Section
from penstock.network.topology import Topology

__all__ = ["parse_scenario", "read_scenario"]

MOST_EVENTS: Final = 1_000_000
FAILURES: Final = ("crash", "recover", "cut", "heal")


def read_scenario(path: str | os.PathLike[str], *, seed: int | None = None) -> Scenario:
    """The scenario in a file; files that it names are looked for beside it, a seed here replaces its own."""
    file = Path(path)
    try:
        return parse_scenario(file.read_text("utf-8"), beside=file.parent, seed=seed)
    except UnicodeDecodeError as error:
        raise ScenarioError(str(file), "the file is not UTF-8") from error
    except ScenarioError as error:
        raise ScenarioError(": ".join(filter(None, [str(file), error.place])), error.message) from error


def parse_scenario(text: str, *, beside: Path | None = None, seed: int | None = None) -> Scenario:
    """The scenario in a text."""
    try:
        root = Section(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError("", f"not TOML: {error}") from error
    return _Reader(root, beside or Path(), seed).read()


class _Reader:
    """A file that is being read; its parts draw from one chance, one after the other."""

    def __init__(self, root: Section, beside: Path, seed: int | None) -> None:
        self.root = root
        own = root.number("seed", 0, 0)
        self.seed = own if seed is None else seed
        self.draw = Random(f"scenario {self.seed}")
        self.duration = root.seconds("duration")
        self.topology: Topology = self.shape(root.section("topology"), beside)
        self.cast: Cast = read_cast(root.section("application"))
        self.sources = self.read_sources()
        self.events: list[Event] = []
        self.places: list[str] = []  # of each event, the section that it comes from
        self.held: dict[str, list[Any]] = {}

    def read(self) -> Scenario:
        """Read everything."""
        root = self.root
        for section in root.sections("subscribers"):
            self.read_subscribers(section)
        for section in root.sections("messages"):
            self.read_messages(section)
        for section in root.sections("churn"):
            self.read_churn(section)
        for section in root.sections("failures"):
            self.read_failure(section)
        scenario = self.scenario()
        root.close()
        return scenario

    def scenario(self) -> Scenario:
        """What was read so far; what is wrong with an event is wrong with its section."""
        root = self.root
        try:
            return Scenario(
                name=root.get("name", str),
                description=root.get("description", str, "").strip(),
                topology=self.topology,
                application=self.cast.application,
                format=root.get("format", str, "content"),
                sources=self.sources,
                events=tuple(self.events),
                duration=self.duration,
                sample=root.seconds("sample", 1_000_000),
                seed=self.seed,
                loss=root.get("loss", float, 0.0),
                jitter=root.seconds("jitter", 0),
                timeout=root.seconds("timeout", TIMEOUT),
                wire=root.get("wire", bool, False),
            )
        except ScenarioError as error:
            number = error.place.removeprefix("events[").removesuffix("]")
            if not number.isdigit():
                raise
            raise ScenarioError(self.places[int(number)], error.message) from error

    def shape(self, section: Section, beside: Path) -> Topology:
        """The topology; what is wrong with it is wrong with the section."""
        try:
            return read_shape(section, self.seed, beside)
        except (TopologyError, OSError) as error:
            raise section.fail("", str(error)) from error

    def read_sources(self) -> tuple[RouterId, ...]:
        """Routers by their ids, or so many by chance."""
        listed = self.root.any("sources")
        if type(listed) is list:
            if not all(type(each) is int for each in listed):
                raise self.root.fail("sources", "must be a number of sources, or a list of routers")
            return tuple(listed)
        count = self.root.number("sources", 0)
        if count > len(self.topology.routers):
            raise self.root.fail("sources", f"there are only {len(self.topology.routers):,} routers")
        return tuple(sorted(self.draw.sample(self.topology.routers, count)))

    def add(self, section: Section, event: Event) -> None:
        """Take an event in, unless there are too many."""
        if len(self.events) >= MOST_EVENTS:
            raise section.fail("", f"makes more than {MOST_EVENTS:,} events")
        self.events.append(event)
        self.places.append(section.place(""))

    # Hosts

    def read_subscribers(self, section: Section) -> None:
        """One host, so many at random, or so many at each router."""
        at = section.seconds("at", 0)
        prefix = section.get("name", str, f"host {len(self.held)}")
        how = section.one_of("router", "count", "per_router")
        homes: list[RouterId]
        if how == "router":
            homes = [section.number("router", 0)]
        elif how == "count":
            homes = self.draw.choices(self.topology.routers, k=self.limit(section, "count"))
        else:
            each = self.limit(section, "per_router")
            homes = [router for router in self.topology.routers for _ in range(each)]
        drawn = section.number("draw", 0, 0)
        written = [self.read_interest(section, value) for value in section.get("interests", list, [])]
        section.close()
        for number, router in enumerate(homes):
            host = prefix if how == "router" else f"{prefix} {number}"
            if host in self.held:
                raise section.fail("name", f"there is a host {host!r} already")
            self.add(section, Attend(at, host, router))
            self.held[host] = [*written, *(self.cast.draw_interest(self.draw) for _ in range(drawn))]
            for interest in self.held[host]:
                self.add(section, Subscribe(at, host, interest))

    def limit(self, section: Section, key: str) -> int:
        """A count that leaves the scenario within bounds."""
        found = section.number(key, 0)
        if found > MOST_EVENTS:
            raise section.fail(key, f"is at most {MOST_EVENTS:,}")
        return found

    def read_interest(self, section: Section, value: Any) -> Any:
        """An interest that the application understands."""
        interest = self.cast.read_interest(value)
        try:
            self.cast.application.topic(interest)
        except (FilterError, StructureError, TypeError, ValueError) as error:
            raise section.fail("interests", str(error)) from error
        return interest

    def read_churn(self, section: Section) -> None:
        """Hosts that exchange one interest for another, so many a second."""
        times = self.times(section)
        section.close()
        if times and not self.held:
            raise section.fail("", "there is no host that could change its mind")
        hosts = sorted(self.held)
        for at in times:
            host = self.draw.choice(hosts)
            if held := self.held[host]:
                gone = held.pop(self.draw.randrange(len(held)))
                self.add(section, Unsubscribe(at, host, gone))
            held.append(self.cast.draw_interest(self.draw))
            self.add(section, Subscribe(at, host, held[-1]))

    # Messages

    def read_messages(self, section: Section) -> None:
        """One message, or so many a second from random sources."""
        if section.one_of("at", "rate") == "at":
            source = section.number("source", 0)
            message = self.read_message(section)
            at = section.seconds("at")
            section.close()
            self.add(section, Publish(at, source, message))
            return
        times = self.times(section)
        section.close()
        if times and not self.sources:
            raise section.fail("", "there is no source to publish at")
        for at in times:
            self.add(section, Publish(at, self.draw.choice(self.sources), self.cast.draw_message(self.draw)))

    def read_message(self, section: Section) -> Any:
        """A message that the application understands."""
        try:
            return self.cast.read_message(section.any("message"))
        except (FilterError, MessageError, StructureError, TypeError) as error:
            raise section.fail("message", str(error)) from error

    def times(self, section: Section) -> list[int]:
        """Moments at random, so many a second on average, between two times."""
        rate = section.get("rate", float)
        start, end = section.seconds("from", 0), section.seconds("to", self.duration)
        if not 0 < rate <= MOST_EVENTS:
            raise section.fail("rate", f"is above 0 and at most {MOST_EVENTS:,} a second, not {rate}")
        if (end - start) / 1_000_000 * rate > MOST_EVENTS:
            raise section.fail("rate", f"makes more than {MOST_EVENTS:,} events")
        found: list[int] = []
        now = float(start)
        while (now := now + self.draw.expovariate(rate) * 1_000_000) < end:
            found.append(int(now))
        return found

    # Failures

    def read_failure(self, section: Section) -> None:
        """A router or a link that fails or comes back, or several at random; for some time, or for good."""
        at, lasts = section.seconds("at"), section.seconds("lasts", None)
        what = known(section.place("what"), section.get("what", str), FAILURES)
        if what in ("crash", "recover"):
            chosen: list[tuple[int, ...]] = [(router,) for router in self.which_routers(section)]
        else:
            chosen = self.which_links(section)
        section.close()
        kinds = {
            "crash": (Crash, Recover),
            "recover": (Recover, Crash),
            "cut": (Cut, Heal),
            "heal": (Heal, Cut),
        }
        now, later = kinds[what]
        for ends in chosen:
            self.add(section, now(at, *ends))
            if lasts is not None and at + lasts <= self.duration:
                self.add(section, later(at + lasts, *ends))

    def which_routers(self, section: Section) -> list[RouterId]:
        """The router that is named, or some that are no sources."""
        if section.one_of("router", "count") == "router":
            return [section.number("router", 0)]
        others = [router for router in self.topology.routers if router not in self.sources]
        return self.draw.sample(others, self.at_most(section, len(others)))

    def which_links(self, section: Section) -> list[tuple[int, ...]]:
        """The link that is named by its ends, or some."""
        if section.one_of("link", "count") == "link":
            ends = section.get("link", list)
            if len(ends) != 2 or not all(type(each) is int for each in ends):
                raise section.fail("link", "must be two routers")
            return [tuple(ends)]
        links = self.draw.sample(self.topology.links, self.at_most(section, len(self.topology.links)))
        return [link.ends for link in links]

    def at_most(self, section: Section, most: int) -> int:
        """A count of things that are there."""
        found = section.number("count", 0)
        if found > most:
            raise section.fail("count", f"there are only {most:,}")
        return found
