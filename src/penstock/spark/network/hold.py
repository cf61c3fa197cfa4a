"""Routers and trees of a network in files, mapped into this process when they are needed first.

A process holds a bounded number of routers, those used last; their tables are pages that processes share.
"""

import platform
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import numpy as np
import pyarrow as pa

from penstock.errors import TableFileError
from penstock.spark.network.link import Near, read_name
from penstock.spark.network.reference import NetworkRef, table_file
from penstock.structures import DISJOINT, GRAPH, LIST, OVERLAPPING, Format, Table
from penstock.structures.holding import read_holding
from penstock.table import ForwardingTable

__all__ = ["HELD_ROUTERS", "HeldRouter", "Map", "file_of", "held_map", "held_router"]

HELD_ROUTERS: Final = 2048
HELD_MAPS: Final = 2
A_HOST: Final = -1
FORMATS: Final[dict[str, Format[Any, Any]]] = {
    each.name: each for each in (OVERLAPPING, DISJOINT, LIST, GRAPH)
}

Ints = np.ndarray[Any, np.dtype[np.int32]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]

T = TypeVar("T", ForwardingTable, Table[Any, Any])

_maps: OrderedDict[tuple[str, str], "Map"] = OrderedDict()
_routers: OrderedDict[tuple[str, str, int], "HeldRouter[Any]"] = OrderedDict()


@dataclass(frozen=True, slots=True, eq=False)
class Map:
    """Which routers there are, and the way from each source to all of them."""

    ids: "np.ndarray[Any, np.dtype[np.int64]]"  # of the routers, by place
    sources: Ints  # the places of the sources
    trees: Ints  # a row for each source: of each router the next hop towards it

    @property
    def source_ids(self) -> dict[int, int]:
        """The number of each source, by the id of its router."""
        return {id_: number for number, id_ in enumerate(self.ids[self.sources].tolist())}


@dataclass(frozen=True, slots=True, eq=False)
class HeldRouter(Generic[T]):
    """A table, and what its interfaces are, by their ids, which are the links of a table of ids."""

    table: T
    near: Ints  # the place of the neighbour; A_HOST for a host
    hosts: "pa.StringArray"  # the name of the host; null for a neighbour
    branch: Ints  # which row of `allowed` counts
    allowed: Flags  # whether messages of each source may go there; the first row allows all

    @classmethod
    def of(cls, table: T, names: Sequence[str], sources: int) -> "HeldRouter[T]":
        """Read the names of the interfaces."""
        links = [read_name(name) for name in names]
        allowed = [np.ones(sources, np.bool_)]
        branch = np.zeros(len(links), np.int32)
        for place, link in enumerate(links):
            if isinstance(link, Near) and link.sources is not None:
                branch[place] = len(allowed)
                allowed.append(np.isin(np.arange(sources), link.sources))
        near = [link.router if isinstance(link, Near) else A_HOST for link in links]
        hosts = [None if isinstance(link, Near) else link for link in links]
        return cls(
            table, np.array(near, np.int32), pa.array(hosts, pa.string()), branch, np.array(allowed, np.bool_)
        )

    @property
    def has_branches(self) -> bool:
        """Whether a neighbour can be in one answer more than once."""
        return len(self.allowed) > 1


def held_map(network: NetworkRef) -> Map:
    """The trees of a network."""
    key = network.path, network.version
    found = _maps.get(key)
    if found is None:
        found = _maps[key] = Map(*[_array(network, name) for name in ("routers", "sources", "trees")])
    _maps.move_to_end(key)
    if len(_maps) > HELD_MAPS:
        _maps.popitem(last=False)
    return found


def held_router(network: NetworkRef, place: int) -> HeldRouter[Any]:
    """A router of a network."""
    key = network.path, network.version, place
    found = _routers.get(key)
    if found is None:
        path = file_of(network, table_file(place, by_ids=network.by_ids))
        found = _routers[key] = _read(network, path) if network.by_ids else _load(network, path)
    _routers.move_to_end(key)
    if len(_routers) > HELD_ROUTERS:
        _routers.popitem(last=False)
    return found


def _load(network: NetworkRef, path: Path) -> HeldRouter[ForwardingTable]:
    table = ForwardingTable.load(path)
    names = [table.interfaces.name_of(place) for place in range(len(table.interfaces))]
    return HeldRouter.of(table, names, network.sources)


def _read(network: NetworkRef, path: Path) -> HeldRouter[Table[Any, Any]]:
    format_ = FORMATS[network.structure]
    # Copies of a message travel together, and their ids are a list.
    table: Table[Any, Any] = GRAPH.table() if format_ is GRAPH else LIST.table()
    try:
        held = read_holding(path.read_bytes(), format_)
        router = HeldRouter.of(table, list(held), network.sources)
    except ValueError as error:  # a WireError, or a name that stands for nothing
        raise TableFileError(str(path), f"is damaged ({error}); write the network anew") from None
    for link, entries in enumerate(held.values()):
        for entry in entries:
            table.add(link, entry)
    return router


def _array(network: NetworkRef, name: str) -> Any:
    path = file_of(network, f"{name}.npy")
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (EOFError, ValueError) as error:
        raise TableFileError(str(path), f"is damaged ({error}); write the network anew") from None


def file_of(network: NetworkRef, name: str) -> Path:
    path = network.directory / name
    if not path.exists():
        problem = f"is not there on {platform.node()}: put networks where all workers see them"
        raise TableFileError(str(path), problem)
    return path
