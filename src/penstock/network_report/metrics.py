"""What a simulation came to, as plain values that become JSON; times are in seconds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from penstock.network import Result
from penstock.network.metric import Latencies
from penstock.network.play import Disturbance, Sample
from penstock.network.scenario import Crash, Cut, Event, Heal, Recover
from penstock.network_report.circumstance import count_circumstances

__all__ = ["describe_event", "describe_events", "metrics"]


def metrics(result: Result) -> dict[str, Any]:
    """The whole result but publications and trace."""
    scenario = result.scenario
    return {
        "scenario": scenario.name,
        "format": scenario.format,
        "seed": scenario.seed,
        "seconds": scenario.duration / 1e6,
        "routers": len(scenario.topology.routers),
        "links": len(scenario.topology.links),
        "due": result.due,
        "missed": result.missed,
        "not_published": result.not_published,
        "missed_while": count_circumstances(result),
        "totals": asdict(result.totals),
        "latencies": _latencies(result.latencies),
        "disturbances": [_disturbance(each) for each in result.disturbances],
        "samples": [_sample(each) for each in result.samples],
        "tables": {str(router): entries for router, entries in result.tables.items()},
        "link_loads": [asdict(load) for load in result.links],
    }


def describe_events(events: Sequence[Event]) -> str:
    """One by its name, several by how many there are of each kind."""
    if len(events) == 1:
        return describe_event(events[0])
    counts = Counter(type(event) for event in events)
    kinds: dict[type[Event], tuple[str, str]] = {
        Crash: ("router crashes", "routers crash"),
        Recover: ("router recovers", "routers recover"),
        Cut: ("link fails", "links fail"),
        Heal: ("link heals", "links heal"),
    }
    return ", ".join(
        f"{counts[kind]} {words[counts[kind] > 1]}" for kind, words in kinds.items() if counts[kind]
    )


def describe_event(event: Event) -> str:
    """`router 3 crashes`."""
    match event:
        case Crash():
            return f"router {event.router} crashes"
        case Recover():
            return f"router {event.router} recovers"
        case Cut():
            return f"link {event.one}–{event.other} fails"
        case Heal():
            return f"link {event.one}–{event.other} heals"
    raise TypeError(event)


def _latencies(found: Latencies | None) -> dict[str, float] | None:
    if found is None:
        return None
    return {each.name: getattr(found, each.name) / 1e6 for each in fields(found)}


def _disturbance(found: Disturbance) -> dict[str, Any]:
    events = [describe_event(event) for event in found.events]
    return {"at": found.at / 1e6, "events": events, "settled": found.settled / 1e6, "control": found.control}


def _sample(found: Sample) -> dict[str, Any]:
    return {
        "at": found.at / 1e6,
        "gained": asdict(found.gained),
        "tables": asdict(found.tables),
        "missed": found.missed,
        "latencies": _latencies(found.latencies),
    }
