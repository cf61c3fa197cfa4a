"""A network at rest, written down: the table of each router that works, and the trees of all sources.

Nothing is computed anew: tables hold what routers have learned, and trees are the routes that they take.
Where messages are forwarded by ids, the edge is written, too: what the ids stand for.
"""

import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from penstock import ForwardingTable
from penstock.errors import NetworkError
from penstock.network import Router, Simulation
from penstock.spark.layout import Layout, write_text
from penstock.spark.network.edge import FILTERS, name_of, write_edge
from penstock.spark.network.hold import FORMATS
from penstock.spark.network.link import host_name, near_name
from penstock.spark.network.reference import NetworkRef, table_file
from penstock.structures import (
    CONTENT,
    DisjointProcessor,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
    Processor,
)
from penstock.structures.content import Content
from penstock.structures.holding import write_holding

__all__ = ["write_network"]

# Processors that are these, and nothing derived from them, make headers as the edge does.
PROCESSORS = (OverlappingProcessor, DisjointProcessor, ListProcessor, GraphProcessor)
NOBODY = -1  # the next hop of the source itself, and of routers that it does not reach


def write_network(simulation: Simulation[Any, Any, Any, Any], path: str | os.PathLike[str]) -> NetworkRef:
    """Write the state of a network at rest to a version under `path`, and make it the current one.

    Routers that are down are left out. The format is content, or one of the four match structures.
    """
    format_ = simulation.format
    if not isinstance(format_, Content) and format_ not in FORMATS.values():
        raise NetworkError(
            f"the format {format_.name!r} cannot be written; use that of a processor of penstock.structures"
        )
    if not simulation.is_at_rest:
        raise NetworkError("the network is not at rest: call at_rest() before it is written")
    routers = [node.router for node in simulation.nodes.values() if node.is_alive]
    layout = Layout.at(path)
    staging = layout.path / f"staging-{uuid.uuid4().hex}"
    staging.mkdir(parents=True)
    try:
        routers.sort(key=lambda router: router.id)
        network = _Writing(staging, routers, simulation.processor).run(layout.path)
        _publish(layout, staging, network)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return network


def _publish(layout: Layout, staging: Path, network: NetworkRef) -> None:
    write_text(staging / "manifest.json", json.dumps(network.manifest, indent=1) + "\n")
    network.directory.parent.mkdir(parents=True, exist_ok=True)
    try:
        staging.rename(network.directory)
    except OSError:
        if not network.directory.exists():  # if it does, it says the same
            raise
    write_text(layout.latest, network.version + "\n")


@dataclass(slots=True)
class _Writing:
    """A version under way, and what is known of it so far."""

    directory: Path
    routers: list[Router[Any, Any]]
    processor: Processor[Any, Any, Any, Any]
    places: dict[int, int] = field(init=False)
    sources: dict[int, int] = field(init=False)
    names: set[str] = field(default_factory=set)
    filters: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def __post_init__(self) -> None:
        self.places = {router.id: place for place, router in enumerate(self.routers)}
        sources = [router.id for router in self.routers if router.is_source]
        self.sources = {id_: place for place, id_ in enumerate(sources)}

    def run(self, path: Path) -> NetworkRef:
        """Write all files but the manifest."""
        trees = self._trees()
        places = [self.places[source] for source in self.sources]
        self._save("routers", np.array([router.id for router in self.routers], np.int64))
        self._save("sources", np.array(places, np.int32))
        self._save("trees", trees)
        by_ids = not isinstance(self.processor.format, Content)
        for place, router in enumerate(self.routers):
            file = self.directory / table_file(place, by_ids=by_ids)
            if by_ids:
                self._write_held(router, file)
            else:
                self._table(router).save(file)
        application = self._edge() if by_ids else FILTERS
        return NetworkRef(
            str(path),
            self.digest.hexdigest()[:16],
            routers=len(self.routers),
            sources=len(places),
            hosts=sum(len(router.hosts) for router in self.routers),
            filters=self.filters,
            depth=_depth(trees, places),
            names=tuple(sorted(self.names)),
            structure=self.processor.format.name if by_ids else CONTENT.name,
            application=application,
        )

    def _trees(self) -> "np.ndarray[Any, np.dtype[np.int32]]":
        trees = np.full((len(self.sources), len(self.routers)), NOBODY, np.int32)
        for place, router in enumerate(self.routers):
            for source, route in router.routes.items():
                if route.parent is not None:
                    trees[self.sources[source], place] = self.places[route.parent]
        return trees

    def _table(self, router: Router[Any, Any]) -> ForwardingTable:
        table = ForwardingTable()
        for interface, filter_ in sorted(self._held(router), key=lambda each: (each[0], str(each[1]))):
            table.subscribe(interface, filter_)
            self.filters += 1
            self.names.update(constraint.name for constraint in filter_)
            self.digest.update(f"{interface}\0{filter_}\0".encode())
        self.digest.update(b"\0")
        return table

    def _write_held(self, router: Router[Any, Any], path: Path) -> None:
        held: dict[str, list[Any]] = {}
        for interface, entry in self._held(router):
            held.setdefault(interface, []).append(entry)
            self.filters += 1
        data = write_holding(held, self.processor.format)
        path.write_bytes(data)
        self.digest.update(data)

    def _edge(self) -> str | None:
        """Write what ids stand for, and give the name of the application, if workers know it."""
        if type(self.processor) not in PROCESSORS:
            return None
        application = self.processor.application  # type: ignore[attr-defined]
        data, names = write_edge(self.directory, application, getattr(self.processor, "topics", {}))
        self.digest.update(data)
        self.names.update(names)
        return name_of(application)

    def _held(self, router: Router[Any, Any]) -> Iterator[tuple[str, Any]]:
        for host, entries in router.hosts.items():
            yield from ((host_name(host), entry) for entry in entries)
        for near in router.neighbours:
            for entry, sources in router.learned(near).items():
                # A source that was there when the entry was told may be out of reach by now.
                known = None if sources is None else [self.sources[s] for s in sources if s in self.sources]
                if known != []:
                    yield near_name(self.places[near], known), entry

    def _save(self, name: str, array: "np.ndarray[Any, Any]") -> None:
        np.save(self.directory / f"{name}.npy", array)
        self.digest.update(f"{name}{array.shape}".encode() + array.tobytes())


def _depth(trees: "np.ndarray[Any, np.dtype[np.int32]]", sources: list[int]) -> int:
    """Links on the longest way from a source."""
    deepest = 0
    for source, tree in zip(sources, trees, strict=True):
        reached, depth = np.array([source]), 0
        while True:
            reached = np.flatnonzero(np.isin(tree, reached))
            if not len(reached):
                break
            depth += 1
        deepest = max(deepest, depth)
    return deepest
