"""What one router of the paper's first experiment takes in: the frames of subscriptions and of messages.

They are drawn from the paper's scenarios on a transit-stub network, so that the links of the router share the
subscribers as they do there: behind one of them are nearly all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from penstock.papers.structures.content import ScenarioContent
from penstock.papers.structures.process import message_frame, subscription_frame
from penstock.papers.structures.topology import transit_stub
from penstock.structures import (
    Baseball,
    DisjointProcessor,
    Format,
    GraphProcessor,
    Link,
    ListProcessor,
    OverlappingProcessor,
    Processor,
    Traffic,
)
from penstock.structures.census import SourceTree, shortest_path_tree

__all__ = [
    "APPLICATIONS", "FORMATS", "INCLUSIVE", "MESSAGES", "SCENARIOS", "Workload", "draw_tree", "heaviest",
    "typical",
]  # fmt: skip

# Interests in traffic also have the stretch that leads to their first exit.
INCLUSIVE = "traffic, first stretch included"
APPLICATIONS: dict[str, Baseball | Traffic] = {"baseball": Baseball(), "traffic": Traffic()}
SCENARIOS = APPLICATIONS | {INCLUSIVE: Traffic(inclusive=True)}
FORMATS: dict[str, Callable[[Any], Processor[Any, Any, Any, Any]]] = {
    "overlapping": OverlappingProcessor,
    "disjoint": DisjointProcessor,
    "list": ListProcessor,
    "graph": GraphProcessor,
    "content": ScenarioContent,  # not of the paper
}
PAYLOAD = bytes(64)
SUBSCRIBERS, MESSAGES = 1_200, 1_000


@dataclass(frozen=True, slots=True)
class Workload:
    """Subscriptions with the link that they come in by, and messages, all as bytes."""

    format: Format[Any, Any]
    subscriptions: list[tuple[Link, bytes]]
    messages: list[bytes]


def draw_tree(
    application: str, format_: str, seed: int, run: int = 0
) -> tuple[SourceTree[int], Processor[Any, Any, Any, Any]]:
    """A subscriber at each router and a random source, alike for every format.

    Runs are on the network of the seed, as the paper's are; sources and interests are their own.
    """
    draw = Random(f"router workload {seed + run}")
    graph = transit_stub(seed)
    source = draw.randrange(len(graph))
    interests: list[Any] = list(SCENARIOS[application].interests(SUBSCRIBERS, seed + run))
    made = FORMATS[format_](SCENARIOS[application])
    placed = zip(draw.sample(range(len(graph)), SUBSCRIBERS), interests, strict=True)
    return SourceTree(made, source, shortest_path_tree(graph, source), placed), made


def heaviest(application: str, format_: str, seed: int, run: int = 0) -> Workload:
    """The router of the source: it gets all subscriptions, and every message with its first header."""
    tree, made = draw_tree(application, format_, seed, run)
    return _workload(tree, made, tree.source, first_headers(application, made, seed + run))


def typical(application: str, format_: str, seed: int, run: int = 0) -> Workload:
    """The router with the mean number of subscribers behind it, or as near as there is."""
    tree, made = draw_tree(application, format_, seed, run)
    behind = dict.fromkeys(tree.tables, 1)
    for router, hop in reversed(tree.hops.items()):
        behind[hop] += behind[router]
    mean = sum(behind.values()) / len(behind)
    chosen = min(tree.hops, key=lambda router: (abs(behind[router] - mean), router))
    headers = first_headers(application, made, seed + run)
    return _workload(tree, made, chosen, _arrived(tree, chosen, headers))


def _arrived(tree: SourceTree[int], router: int, headers: list[Any]) -> list[Any]:
    """Headers as they reach a router, if they do."""
    way = [router]
    while way[-1] != tree.source:
        way.append(tree.hops[way[-1]])
    for here, there in pairwise(reversed(way)):
        forward = tree.tables[here].forward
        sent = (forward(header).get(there) for header in headers)
        headers = [header for header in sent if header is not None]
    return headers


def first_headers(application: str, made: Processor[Any, Any, Any, Any], seed: int) -> list[Any]:
    """As the paper's source writes them; its router knows every id, so a graph's are the lowest."""
    messages = SCENARIOS[application].messages(MESSAGES, seed)
    if isinstance(made, GraphProcessor):
        return [lowest for message in messages if (lowest := made.lowest(message))]
    return [header for message in messages for header in made.headers(message)]


def _workload(
    tree: SourceTree[int], made: Processor[Any, Any, Any, Any], router: int, headers: list[Any]
) -> Workload:
    format_ = made.format
    subscriptions = []
    for subscriber, entries in tree.subscriptions:
        link = tree.link_towards(router, subscriber)
        if link is not None:
            written = [format_.encode_entry(entry) for entry in entries]
            subscriptions.append((link, subscription_frame(written)))
    frames = [message_frame(format_.encode_header(header), PAYLOAD) for header in headers]
    return Workload(format_, subscriptions, frames)
