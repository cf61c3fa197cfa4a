"""A network at rest, written down: a compiled table for each router that works, and the trees of all sources.

Nothing is computed anew: tables hold what routers have learned, and trees are the routes that they take.
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
from penstock.model import Filter
from penstock.network import Router, Simulation
from penstock.spark.layout import Layout, write_text
from penstock.spark.network.link import host_name, near_name
from penstock.spark.network.reference import NetworkRef, table_file
from penstock.structures.content import Content

__all__ = ["write_network"]

NOBODY = -1  # the next hop of the source itself, and of routers that it does not reach


def write_network(simulation: Simulation[Any, Any, Any, Any], path: str | os.PathLike[str]) -> NetworkRef:
    """Write the state of a network at rest to a version under `path`, and make it the current one.

    Routers that are down are left out. The network forwards by full filters, so its format is content.
    """
    if not isinstance(simulation.format, Content):
        raise NetworkError(
            f"this network forwards by ids ({simulation.format.name}); only one that forwards by full "
            "filters (ContentProcessor) can be written"
        )
    if not simulation.is_at_rest:
        raise NetworkError("the network is not at rest: call at_rest() before it is written")
    routers = [node.router for node in simulation.nodes.values() if node.is_alive]
    layout = Layout.at(path)
    staging = layout.path / f"staging-{uuid.uuid4().hex}"
    staging.mkdir(parents=True)
    try:
        network = _Writing(staging, sorted(routers, key=lambda router: router.id)).run(layout.path)
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
    routers: list[Router[Filter, Any]]
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
        for place, router in enumerate(self.routers):
            self._table(router).save(self.directory / table_file(place))
        return NetworkRef(
            str(path),
            self.digest.hexdigest()[:16],
            routers=len(self.routers),
            sources=len(places),
            hosts=sum(len(router.hosts) for router in self.routers),
            filters=self.filters,
            depth=_depth(trees, places),
            names=tuple(sorted(self.names)),
        )

    def _trees(self) -> "np.ndarray[Any, np.dtype[np.int32]]":
        trees = np.full((len(self.sources), len(self.routers)), NOBODY, np.int32)
        for place, router in enumerate(self.routers):
            for source, route in router.routes.items():
                if route.parent is not None:
                    trees[self.sources[source], place] = self.places[route.parent]
        return trees

    def _table(self, router: Router[Filter, Any]) -> ForwardingTable:
        table = ForwardingTable()
        for interface, filter_ in sorted(self._held(router), key=lambda each: (each[0], str(each[1]))):
            table.subscribe(interface, filter_)
            self.filters += 1
            self.names.update(constraint.name for constraint in filter_)
            self.digest.update(f"{interface}\0{filter_}\0".encode())
        self.digest.update(b"\0")
        return table

    def _held(self, router: Router[Filter, Any]) -> Iterator[tuple[str, Filter]]:
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
