"""A reference to a network in files: small, immutable, all that a worker needs to find its routers.

    path/latest                             the version that is current
    path/versions/<version>/manifest.json   the counts, and the names that messages have
    path/versions/<version>/routers.npy     the ids of the routers, in order; elsewhere they go by place
    path/versions/<version>/sources.npy     the places of the routers that are sources
    path/versions/<version>/trees.npy       a row for each source: of each router the next hop towards it
    path/versions/<version>/00000.penstock  the table of the router in place 0, ...

A network that forwards by ids has other tables, and an edge if its application is one of ours:

    path/versions/<version>/00000.held      which interface of the router in place 0 holds which entries, ...
    path/versions/<version>/edge.penstock   what ids stand for, where these are filters: a table of them
    path/versions/<version>/edge.json       what ids stand for in another application, and its settings

A version is named after its content and appears whole.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from penstock.errors import TableFileError
from penstock.spark.layout import Layout

__all__ = ["FORMAT", "NetworkRef", "table_file"]

FORMAT = 2


@dataclass(frozen=True, slots=True)
class NetworkRef:
    """One version of a network under `path`, which driver and workers see under the same name."""

    path: str
    version: str
    routers: int
    sources: int
    hosts: int
    filters: int  #: in all tables together; ids, where the network forwards by them
    depth: int  #: links on the longest way from a source
    names: tuple[str, ...]  #: attributes that make a difference: those that filters ask for, or applications
    structure: str  #: content, or by which ids messages are forwarded: overlapping, disjoint, list, graph
    application: str | None  #: filters, categories, baseball, traffic; None: one that workers do not know

    @classmethod
    def open(cls, path: str | os.PathLike[str], version: str | None = None) -> "NetworkRef":
        """The current version, or the one named."""
        layout = Layout.at(path)
        try:
            version = version or layout.latest.read_text(encoding="utf-8").strip()
            text = (layout.version(version) / "manifest.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            known = f"holds no version {version}" if version else "holds no network"
            raise TableFileError(str(layout.path), f"{known}; write_network writes one") from None
        try:
            manifest = dict(json.loads(text))
            if manifest.pop("format", None) != FORMAT:
                problem = f"version {version} is of another penstock, or no network; write it anew"
                raise TableFileError(str(layout.path), problem)
            manifest["names"] = tuple(manifest["names"])
            return cls(str(layout.path), version, **manifest)
        except (KeyError, TypeError, json.JSONDecodeError):
            raise TableFileError(str(layout.path), f"the manifest of {version} is damaged") from None

    @property
    def manifest(self) -> dict[str, Any]:
        """What the manifest says."""
        described = asdict(self)
        del described["path"], described["version"]
        return {"format": FORMAT, **described}

    @property
    def by_ids(self) -> bool:
        """Whether messages are forwarded by ids in headers."""
        return self.structure != "content"

    @property
    def in_copies(self) -> bool:
        """Whether a message is sent in a copy for each of its ids."""
        return self.structure in ("overlapping", "disjoint")

    @property
    def directory(self) -> Path:
        """Where the files of this version lie."""
        return Layout.at(self.path).version(self.version)


def table_file(place: int, *, by_ids: bool = False) -> str:
    """The file of a router's table."""
    return f"{place:05}.{'held' if by_ids else 'penstock'}"
