"""Applications whose networks forward by ids: interests, messages, and these as columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import methodcaller
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from networks import EXITS, alerts, interests
from penstock.structures import (
    Baseball,
    Categories,
    DisjointProcessor,
    Filters,
    GraphProcessor,
    ListProcessor,
    OverlappingProcessor,
    Traffic,
)

__all__ = ["WORLDS", "World", "header_rows", "message_rows"]

STRUCTURES: dict[str, Callable[[Any], Any]] = {
    "overlapping": OverlappingProcessor,
    "disjoint": DisjointProcessor,
    "list": ListProcessor,
    "graph": GraphProcessor,
}
NEWS = {
    "news": [],
    "sport": ["news"],
    "Boston": ["news"],
    "Boston sport": ["sport", "Boston"],
    "Seattle": ["news"],
}


@dataclass(frozen=True, slots=True)
class World:
    """An application in one structure."""

    processor: Callable[[], Any]
    interests: st.SearchStrategy[Any]
    messages: st.SearchStrategy[Any]
    columns: dict[str, tuple[Any, Callable[[Any], Any]]]  # of a message: the type and the value


@dataclass(frozen=True, slots=True)
class _Application:
    make: Callable[[], Any]
    structures: tuple[str, ...]
    interests: st.SearchStrategy[Any]
    messages: st.SearchStrategy[Any]
    columns: dict[str, tuple[Any, Callable[[Any], Any]]]


numbers = st.integers(0, EXITS)
comparisons = st.builds(
    "{} {} {}".format, st.sampled_from(["first", "last"]), st.sampled_from(["<", "<=", "=", ">"]), numbers
)
predicates = (
    st.just("TRUE")
    | comparisons
    | st.tuples(comparisons, comparisons).map(" AND ".join)
    | st.tuples(comparisons, comparisons).map(" OR ".join)
)
teams = st.integers(0, 3)
APPLICATIONS = {
    "traffic": _Application(
        lambda: Traffic(EXITS),
        tuple(STRUCTURES),
        interests,
        alerts,
        {"first": (pa.int16(), lambda alert: alert[0]), "last": (pa.int64(), lambda alert: alert[1])},
    ),
    "baseball": _Application(
        lambda: Baseball(4),
        tuple(STRUCTURES),
        st.just(()) | st.tuples(teams) | st.tuples(teams, teams),
        st.tuples(teams, teams).map(lambda game: (min(game), max(game))),
        # The other way round: a game is the same at home and away.
        {"home": (pa.int32(), lambda game: game[1]), "away": (pa.int32(), lambda game: game[0])},
    ),
    "categories": _Application(
        lambda: Categories(NEWS, labels=2),
        tuple(STRUCTURES),
        st.sampled_from(sorted(NEWS)),
        st.frozensets(st.sampled_from(sorted(NEWS)), min_size=1, max_size=2),
        {"labels": (pa.list_(pa.string()), sorted)},
    ),
    "filters": _Application(
        Filters,
        ("overlapping", "list", "graph"),
        predicates,
        st.dictionaries(st.sampled_from(["first", "last"]), numbers),
        {name: (pa.int32(), methodcaller("get", name)) for name in ("first", "last")},
    ),
}


def _world(application: _Application, structure: str) -> World:
    return World(
        lambda: STRUCTURES[structure](application.make()),
        application.interests,
        application.messages,
        application.columns,
    )


WORLDS = {
    f"{name}, {structure}": _world(application, structure)
    for name, application in APPLICATIONS.items()
    for structure in application.structures
}


def message_rows(world: World, sent: Sequence[tuple[int | None, Any]]) -> pa.RecordBatch:
    """Sources, ids, and messages in columns."""
    columns = {
        name: pa.array([value(message) for _, message in sent], type_)
        for name, (type_, value) in world.columns.items()
    }
    return _rows(sent, columns)


def header_rows(processor: Any, sent: Sequence[tuple[int | None, Any]]) -> pa.RecordBatch:
    """Sources, ids, and the ids that want each message."""
    lists = []
    for _, message in sent:
        headers = processor.headers(message)
        lists.append([id_ for each in headers for id_ in (each if isinstance(each, tuple) else (each,))])
    return _rows(sent, {"ids": pa.array(lists, pa.list_(pa.int64()))})


def _rows(sent: Sequence[tuple[int | None, Any]], columns: dict[str, Any]) -> pa.RecordBatch:
    routers = pa.array([source for source, _ in sent], pa.int64())
    return pa.RecordBatch.from_pydict(
        {"router": routers, "id": pa.array(range(len(sent)), pa.int64()), **columns}
    )
