"""The topologies that scenario files speak of, by their shape and its parameters."""

from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from penstock.network.scenario import known
from penstock.network.section import Section
from penstock.network.topology import Topology, complete, line, random_graph, ring, star, tree
from penstock.network.topology_file import read_topology
from penstock.network.transit_stub import TransitStub

__all__ = ["read_shape"]

SHAPES: Final = (
    "line", "star", "ring", "complete", "tree", "random", "transit-stub", "links", "file",
)  # fmt: skip
PLAIN: Final = {"line": line, "star": star, "ring": ring, "complete": complete}
MOST_ROUTERS: Final = 100_000


def read_shape(section: Section, seed: int, beside: Path) -> Topology:
    """The topology that a section describes; what is drawn by chance follows from the seed."""
    shape = known(section.place("shape"), section.get("shape", str), SHAPES)
    seed = section.number("seed", 0, seed)
    match shape:
        case "tree":
            degree = section.number("degree", 1, None)
            topology = tree(_count(section), seed=seed, degree=degree)
        case "random":
            topology = random_graph(_count(section), section.get("probability", float), seed=seed)
        case "transit-stub":
            topology = _read_transit_stub(section).topology(seed)
        case "links":
            topology = _read_links(section)
        case "file":
            topology = read_topology(beside / section.get("path", str))
        case plain:
            topology = PLAIN[plain](_count(section))
    section.close()
    return topology


def _count(section: Section) -> int:
    found = section.number("routers", 1)
    if found > MOST_ROUTERS:
        raise section.fail("routers", f"at most {MOST_ROUTERS:,}, not {found:,}")
    return found


def _read_transit_stub(section: Section) -> TransitStub:
    given: dict[str, Any] = {}
    for each in fields(TransitStub):
        default: Any = each.default
        if type(default) is not tuple:
            given[each.name] = section.get(each.name, type(default), default)
            continue
        values = section.get(each.name, list, list(default))
        if len(values) != 4 or not all(type(value) is int for value in values):
            raise section.fail(
                each.name, "must be four whole numbers: between domains, in one, to and in a stub"
            )
        given[each.name] = tuple(values)
    made = TransitStub(**given)
    if made.routers > MOST_ROUTERS:
        raise section.fail("", f"has {made.routers:,} routers, of at most {MOST_ROUTERS:,}")
    return made


def _read_links(section: Section) -> Topology:
    links = section.get("links", list)
    for number, link in enumerate(links):
        if (
            type(link) is not list
            or len(link) not in (2, 3, 4)
            or not all(type(each) is int for each in link)
        ):
            raise section.fail(f"links[{number}]", "must be [one, other], [.., cost] or [.., cost, latency]")
    return Topology.of(tuple(link) for link in links)
