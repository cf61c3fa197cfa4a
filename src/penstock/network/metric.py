"""What a simulation has cost and brought so far, in numbers.

Two sets of totals can be subtracted: the difference is what happened in between.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from penstock.network.frame import RouterId
from penstock.network.node import Publication
from penstock.network.simulation import Simulation

__all__ = [
    "Latencies",
    "LinkLoad",
    "TableSizes",
    "Totals",
    "latencies",
    "link_loads",
    "table_sizes",
    "totals",
]


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the whole network since it began."""

    published: int
    delivered: int
    messages: int  #: on all links: a message that takes five links counts five times
    header_ids: int  #: in the headers of these
    control: int  #: frames other than messages
    told: int  #: entries told or withdrawn in these frames
    bytes: int  #: 0 unless frames are encoded
    control_bytes: int
    lost: int  #: frames that were sent and did not arrive, by chance
    stray: int  #: messages that did not come from the next hop towards their source
    duplicate: int  #: messages that a router had already
    repeated: int  #: messages that a host had already
    old: int  #: control frames of an earlier epoch, or repeated
    refused: int  #: control frames of another format, or beyond a limit

    def __sub__(self, earlier: "Totals") -> "Totals":
        values = {each.name: getattr(self, each.name) - getattr(earlier, each.name) for each in fields(self)}
        return Totals(**values)


@dataclass(frozen=True, slots=True)
class LinkLoad:
    """What one direction of a link has carried."""

    start: RouterId
    end: RouterId
    messages: int
    header_ids: int
    control: int
    bytes: int


@dataclass(frozen=True, slots=True)
class TableSizes:
    """Distinct entries in the tables of the routers that work."""

    total: int
    mean: float
    largest: int


@dataclass(frozen=True, slots=True)
class Latencies:
    """Microseconds from publication to delivery."""

    median: int
    p90: int
    p99: int
    largest: int


def totals(sim: Simulation[Any, Any, Any, Any]) -> Totals:
    """All sums as they stand."""
    wires = [wire for node in sim.nodes.values() for wire in node.wires.values()]
    dropped = [node.router.dropped for node in sim.nodes.values()]
    return Totals(
        published=len(sim.publications),
        delivered=sum(len(publication.hosts) for publication in sim.publications),
        messages=sum(wire.messages for wire in wires),
        header_ids=sum(wire.header_ids for wire in wires),
        control=sum(wire.control for wire in wires),
        told=sum(wire.told for wire in wires),
        bytes=sum(wire.bytes for wire in wires),
        control_bytes=sum(wire.control_bytes for wire in wires),
        lost=sum(wire.lost for wire in wires),
        repeated=sim.duplicates,
        **{
            reason: sum(each[reason] for each in dropped)
            for reason in ("stray", "duplicate", "old", "refused")
        },
    )


def link_loads(sim: Simulation[Any, Any, Any, Any]) -> list[LinkLoad]:
    """Each direction of each link, in the order of the routers."""
    return [
        LinkLoad(node.id, wire.end.id, wire.messages, wire.header_ids, wire.control, wire.bytes)
        for node in sim.nodes.values()
        for wire in node.wires.values()
    ]


def table_sizes(sim: Simulation[Any, Any, Any, Any]) -> TableSizes:
    """How large the tables are now."""
    sizes = [node.router.ids for node in sim.nodes.values() if node.is_alive]
    return TableSizes(sum(sizes), sum(sizes) / max(len(sizes), 1), max(sizes, default=0))


def latencies(publications: Iterable[Publication[Any]]) -> Latencies | None:
    """How long deliveries took; None if there was none."""
    found = sorted(latency for each in publications for latency in each.latencies)
    return Latencies(*(percentile(found, share) for share in (50, 90, 99, 100))) if found else None


def percentile(ordered: Sequence[int], share: int) -> int:
    """The least value that so many of a hundred do not exceed."""
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]
