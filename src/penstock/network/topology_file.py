"""Networks from files: lists of links, one a line, and GraphML.

A list of links needs no library: `one other [cost [latency]]`, ids as numbers, `#` begins a comment.
GraphML, which other tools write, is read with networkx where that is installed; nodes are numbered in the
order of the file unless all of their names are numbers, and links may have the attributes `cost` and
`latency`.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from penstock.errors import TopologyError
from penstock.network.topology import LATENCY, Link, Topology

__all__ = ["parse_links", "read_topology"]


def read_topology(path: str | os.PathLike[str]) -> Topology:
    """The network in a file: GraphML if its name says so, else a list of links."""
    file = Path(path)
    try:
        if file.suffix.lower() == ".graphml":
            return _read_graphml(file)
        return parse_links(file.read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise TopologyError("the file is not UTF-8", str(file)) from error
    except TopologyError as error:
        raise TopologyError(error.message, ", ".join(filter(None, [str(file), error.place]))) from error


def parse_links(text: str) -> Topology:
    """The network of a list of links; a line with one id is a router, linked or not."""
    links: list[tuple[int, ...]] = []
    routers: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.partition("#")[0].split()
        try:
            values = [int(field) for field in fields]
        except ValueError as error:
            raise TopologyError(
                "expected ids, cost and latency as whole numbers", f"line {number}"
            ) from error
        if len(values) == 1:
            routers += values
        elif len(values) in (2, 3, 4):
            links.append(tuple(values))
        elif values:
            raise TopologyError("expected: one other [cost [latency]]", f"line {number}")
    if not links and not routers:
        raise TopologyError("there is no router")
    return Topology.of(links, routers)


def _read_graphml(path: Path) -> Topology:
    try:
        import networkx  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError as error:
        raise TopologyError(
            "GraphML is read with networkx, which is not installed: pip install 'penstock[network]'"
        ) from error
    try:
        graph = networkx.read_graphml(path)
    except OSError:
        raise
    except Exception as error:  # of an XML parser, of networkx, or of a type that it does not know
        raise TopologyError(f"not a graph in GraphML: {error}") from error
    if graph.is_multigraph():
        raise TopologyError("there is more than one link between two routers")
    ids = _ids(list(graph.nodes))
    links = {
        (
            link := Link(ids[one], ids[other], _whole(data, "cost", 1), _whole(data, "latency", LATENCY))
        ).ends: link
        for one, other, data in graph.edges(data=True)
    }
    return Topology(tuple(ids.values()), tuple(links.values()))


def _ids(names: Iterable[str]) -> dict[str, int]:
    listed = list(names)
    if all(name.isascii() and name.isdigit() for name in listed) and len(set(map(int, listed))) == len(
        listed
    ):
        return {name: int(name) for name in listed}
    return {name: number for number, name in enumerate(listed)}


def _whole(data: dict[str, Any], name: str, default: int) -> int:
    value = data.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or value % 1 != 0:  # nor inf, nor nan
        raise TopologyError(f"the {name} of a link is a whole number, not {value!r}")
    return int(value)
