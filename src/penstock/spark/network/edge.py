"""The edge of a network that forwards by ids, in a file: what ids stand for, so that workers make headers.

Filters are a compiled table whose interfaces are ids. Of the other applications that this package has, a file
of JSON says the settings and the live topics. One that it does not have can be written without an edge.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from penstock.errors import PenstockError, TableFileError
from penstock.spark.network.header import Header
from penstock.spark.network.hold import file_of
from penstock.spark.network.reference import NetworkRef
from penstock.structures import Baseball, Categories, DisjointProcessor, Filters, Traffic
from penstock.table import ForwardingTable

__all__ = [
    "APPLICATIONS",
    "FILTERS",
    "INTEGER",
    "TEXTS",
    "Edge",
    "FilterEdge",
    "held_edge",
    "name_of",
    "write_edge",
]

HELD_EDGES: Final = 2
KNOWN_MESSAGES: Final = 1 << 16  # whose headers are kept
FILTERS: Final = "filters"
INTEGER, TEXTS = "integer", "array<string>"


class Kind(NamedTuple):
    """How an application is written, and what its messages are in columns."""

    type: type
    columns: dict[str, str]
    settings: Callable[[Any], dict[str, Any]]
    topic: Callable[[Any], Any]  # of what JSON makes of one
    message: Callable[[Sequence[Any]], Any]  # of the values of the columns


def _parents(categories: Categories) -> dict[str, Any]:
    above = {name: sorted(others - {name}) for name, others in sorted(categories.above.items())}
    return {"parents": above, "labels": categories.labels}


APPLICATIONS: Final[Mapping[str, Kind]] = {
    "traffic": Kind(Traffic, {"first": INTEGER, "last": INTEGER}, asdict, tuple, tuple),
    "baseball": Kind(
        Baseball, {"home": INTEGER, "away": INTEGER}, asdict, tuple, lambda teams: tuple(sorted(teams))
    ),
    "categories": Kind(Categories, {"labels": TEXTS}, _parents, str, lambda row: frozenset(row[0])),
}


def name_of(application: object) -> str | None:
    """What an application is called in files; None if it is not one of ours, or only derived from it."""
    if type(application) is Filters:
        return FILTERS
    return next((name for name, kind in APPLICATIONS.items() if type(application) is kind.type), None)


def write_edge(directory: Path, application: Any, topics: Mapping[int, Any]) -> tuple[bytes, tuple[str, ...]]:
    """Write the edge; what tells it from others, and the attributes that make a difference."""
    name, live = name_of(application), sorted(topics.items())
    if name is None:
        return b"", ()
    if name == FILTERS:
        table = ForwardingTable()
        for id_, topic in live:
            table.subscribe(str(id_), topic)
        table.save(directory / "edge.penstock")
        asked = {constraint.name for _, topic in live for filter_ in topic.filters for constraint in filter_}
        return "\0".join(f"{id_} {topic}" for id_, topic in live).encode(), tuple(sorted(asked))
    kind = APPLICATIONS[name]
    text = json.dumps({"settings": kind.settings(application), "topics": live}, ensure_ascii=False)
    data = text.encode()
    (directory / "edge.json").write_bytes(data)
    return data, tuple(kind.columns)


class FilterEdge:
    """Messages with attributes to ids, natively."""

    __slots__ = ("ids", "table")

    def __init__(self, table: ForwardingTable) -> None:
        self.table = table
        names = [table.interfaces.name_of(place) for place in range(len(table.interfaces))]
        self.ids = np.array(list(map(int, names)), np.int64)  # by interface


class Edge:
    """Messages of an application to ids, as its processor would give them."""

    __slots__ = ("_columns", "_headers", "_known", "_message")

    def __init__(self, kind: Kind, headers: Callable[[Any], Sequence[int]]) -> None:
        self._columns = tuple(kind.columns)
        self._message = kind.message
        self._headers = headers
        self._known: dict[Any, Header | str] = {}

    def header(self, row: Sequence[Any]) -> Header | str:
        """The ids of a message, or why it is none."""
        for name, value in zip(self._columns, row, strict=True):
            if value is None or (isinstance(value, list) and None in value):
                return f"{name} is null" if value is None else f"there is a null in {name}"
        message = self._message(row)
        known = self._known.get(message)
        if known is None:
            if len(self._known) == KNOWN_MESSAGES:
                self._known.clear()
            known = self._known[message] = self._find(message)
        return known

    def _find(self, message: Any) -> Header | str:
        try:
            return tuple(sorted(self._headers(message)))
        except PenstockError as error:
            return str(error)


_edges: OrderedDict[tuple[str, str], Edge | FilterEdge] = OrderedDict()


def held_edge(network: NetworkRef) -> Any:
    """The edge of a network, read at the first call in this process."""
    key = network.path, network.version
    found = _edges.get(key)
    if found is None:
        if network.application == FILTERS:
            found = FilterEdge(ForwardingTable.load(file_of(network, "edge.penstock")))
        else:
            found = _read(network, file_of(network, "edge.json"))
        _edges[key] = found
    _edges.move_to_end(key)
    if len(_edges) > HELD_EDGES:
        _edges.popitem(last=False)
    return found


def _read(network: NetworkRef, path: Path) -> Edge:
    try:
        kind = APPLICATIONS[str(network.application)]
        read = json.loads(path.read_bytes())
        application = kind.type(**read["settings"])
        if network.structure == "disjoint":
            return Edge(kind, DisjointProcessor(application).headers)
        index = application.index()
        for id_, topic in read["topics"]:
            index.add(int(id_), application.topic(kind.topic(topic)))
        return Edge(kind, index.match)
    except (KeyError, TypeError, ValueError) as error:
        raise TableFileError(str(path), f"is damaged ({error}); write the network anew") from None
