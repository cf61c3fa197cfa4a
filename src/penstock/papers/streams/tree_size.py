"""Figure 6: nodes and edges of the tree, and what each scheme weighs.

The paper's tree has an edge for a wildcard at the end as for any other. Ours loses it on entry, so for
counting such a wildcard is entered as a value that no other level has.
"""

from collections.abc import Iterator, Sequence

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.streams.growth import last, listed, times
from penstock.papers.streams.sweep import ATTRIBUTES, grow, point, workload_of
from penstock.papers.streams.workload import VALUES, extend
from penstock.papers.timing import count
from penstock.topics import TopicTable

__all__ = ["TREE_SIZE"]

NODES, EDGES, BOTH, BYTES = "nodes", "edges", "nodes and edges", "bytes per subscription"
PRINTED = 100_000  # subscriptions for which the paper prints numbers
MANY_VALUES = 5_000
ALL = f"{ATTRIBUTES[-1]} attributes"
ALL_VALUES = f"{ALL}, {MANY_VALUES:,} values"


def sweep(scale: Scale) -> Sequence[Point]:
    """A point for each number of attributes, and the most of them with more values than the paper says."""
    points = [point(scale, attributes, ("tree", "hash", "radix")) for attributes in ATTRIBUTES]
    most = points[-1]
    more = Point(f"{most.label}, {MANY_VALUES:,} values", {**most.settings, "values": MANY_VALUES})
    return [*points, more]


def measure(point: Point) -> Iterator[Reading]:
    """Counts at every size; bytes for the most attributes."""
    workload, tree = workload_of(point), TopicTable("tree")
    series = f"{workload.depth} attributes"
    if workload.values != VALUES:
        series += f", {workload.values:,} values"
    for grown in grow(point):
        extend(tree, [_with_end(pattern) for pattern in grown.patterns[len(tree) :]])
        index = tree.stats().index
        yield count(series, grown.size, NODES, index["nodes"])
        yield count(series, grown.size, EDGES, index["edges"])
        yield count(series, grown.size, BOTH, index["nodes"] + index["edges"])
        if series == ALL:
            for scheme, table in grown.tables.items():
                yield count(scheme, grown.size, BYTES, table.stats().total_bytes / grown.size, "bytes")


def _with_end(pattern: str) -> str:
    return f"{pattern[:-1]}any" if pattern.endswith("/*") else pattern


def claims(readings: Readings) -> Iterator[Claim]:
    """How the tree grows, the printed numbers, and what it weighs."""
    curves = [[y for _, y in readings.curve(BOTH, f"{n} attributes")] for n in ATTRIBUTES]
    yield Claim(
        "§4.2: the more attributes and the more subscriptions, the more nodes and edges the tree has (with "
        "three attributes until all that can differ are there).",
        holds=curves[0] == sorted(curves[0])
        and all(
            curve == sorted(set(curve)) for curve in (*curves[1:], *map(list, zip(*curves, strict=True)))
        ),
        found="with all subscriptions "
        + listed(f"{n} attributes: {curve[-1]:,.0f}" for n, curve in zip(ATTRIBUTES, curves, strict=True)),
        always=True,
    )
    if readings.find(NODES, ALL, PRINTED):
        yield from printed(readings)
    spent = {scheme: last(readings, BYTES, scheme) for scheme in ("tree", "hash", "radix")}
    weights = f"bytes per subscription: {listed(f'{name} {each:,.0f}' for name, each in spent.items())}"
    yield Claim(
        "§3.3, §4.2: memory is the tree's greatest drawback; the hashing scheme needs less than half of it.",
        holds=spent["hash"] < spent["tree"] / 2,
        found=weights,
        always=True,
    )
    yield Claim(
        "The default scheme of penstock, radix, needs less than half of the tree's memory, as hashing does.",
        holds=spent["radix"] < spent["tree"] / 2,
        found=weights,
        ours=True,
        always=True,
    )


def printed(readings: Readings) -> Iterator[Claim]:
    """The numbers of 100,000 subscriptions with ten attributes."""
    nodes, edges = (readings.get(quantity, ALL, PRINTED) for quantity in (NODES, EDGES))
    others = [f"{readings.get(quantity, ALL_VALUES, PRINTED):,.0f} {quantity}" for quantity in (NODES, EDGES)]
    most = 1 + VALUES + VALUES * (VALUES + 1) + PRINTED * (ATTRIBUTES[-1] - 3)
    yield Claim(
        f"§4.2: 100,000 subscriptions to 10 attributes of {VALUES} values make 798,188 nodes, 898,187 edges.",
        holds=(nodes, edges) == (798_188, 898_187),
        found=f"{nodes:,.0f} nodes and {edges:,.0f} edges",
        because=f"{VALUES} values and a wildcard have {VALUES * (VALUES + 1):,} different beginnings of two "
        f"levels, so there are {most:,} nodes at most; {MANY_VALUES:,} values and one wildcard in each "
        f"subscription give {' and '.join(others)}, which differ from the printed numbers as draws do",
    )
    heap = last(readings, BYTES, "tree") * PRINTED
    yield Claim(
        "§4.2: the tree needs a heap of more than 1 GB.",
        holds=heap > 1e9,
        found=f"{heap / 1e6:,.0f} MB, {times(1e9 / heap)} less",
        because="in Java each node and each edge is an object; here they are plain records",
    )


TREE_SIZE = Experiment(
    key="streams-fig6",
    paper="streams",
    figure="Figure 6",
    shows="nodes and edges of the tree, and bytes per subscription of all schemes",
    timed=False,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=(
        Plot(NODES, "Figure 6: nodes of the tree", "subscriptions", "nodes", log_x=True, log_y=True),
        Plot(EDGES, "Figure 6: edges of the tree", "subscriptions", "edges", log_x=True, log_y=True),
        Plot(BYTES, "Memory, ten attributes", "subscriptions", "bytes per subscription", log_x=True),
    ),
    agrees=1.01,
)
