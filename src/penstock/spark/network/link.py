"""What an interface of a router's table is: a host, or a neighbour with the sources that it is meant for.

The name of the interface says it, so that a table needs no other file: `@alice` is a host, `n5` the router in
place 5, and `n5:0,3` that router for messages of the sources in places 0 and 3.
"""

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Near", "host_name", "near_name", "read_name"]

HOST, NEAR = "@", "n"


class Near(NamedTuple):
    """A neighbour by its place, and the places of the sources whose messages may go there; None: all."""

    router: int
    sources: tuple[int, ...] | None


def host_name(host: str) -> str:
    """The interface of a host."""
    return HOST + host


def near_name(router: int, sources: Iterable[int] | None) -> str:
    """The interface of a neighbour, or of a branch of it."""
    branch = "" if sources is None else ":" + ",".join(map(str, sorted(sources)))
    return f"{NEAR}{router}{branch}"


def read_name(name: str) -> str | Near:
    """The host, or the neighbour, that the name of an interface stands for."""
    if name.startswith(HOST):
        return name.removeprefix(HOST)
    router, branch, sources = name.removeprefix(NEAR).partition(":")
    return Near(int(router), tuple(map(int, sources.split(","))) if branch else None)
