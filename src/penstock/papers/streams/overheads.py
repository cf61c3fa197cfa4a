"""Figures 2 to 4: what computing destinations takes with each scheme, by subscriptions and attributes."""

from collections.abc import Iterator, Sequence
from functools import partial

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.streams.growth import last, listed, micro, rise, times
from penstock.papers.streams.matching import TIME, measure_by_attributes, measure_grown
from penstock.papers.streams.sweep import ATTRIBUTES, grow, point, workload_of
from penstock.papers.streams.wildcards import WildcardLevels
from penstock.papers.timing import count
from penstock.topics import Scheme

__all__ = ["HASH", "REGEX", "TREE"]

KEYS = "keys to look up"
COMPLETE = "first attributes with wildcards everywhere"
UNMOVED = {
    "tree": "a topic walks the same few levels of a larger tree",
    "hash": "once there are wildcards everywhere, a topic looks up the same number of keys in a larger table",
}
FEW, MANY = ATTRIBUTES[0], ATTRIBUTES[-1]


def sweep(scheme: Scheme, scale: Scale) -> Sequence[Point]:
    """A point for each number of attributes, our default beside the paper's scheme."""
    return [point(scale, attributes, (scheme, "radix")) for attributes in ATTRIBUTES]


def measure_hash(point: Point) -> Iterator[Reading]:
    """The times, and counts of what a topic makes the scheme look up."""
    workload = workload_of(point)
    series = f"hash, {workload.depth} attributes"
    for grown in grow(point):
        yield from measure_grown(point, grown, lambda scheme: f"{scheme}, {workload.depth} attributes")
        levels, sent = WildcardLevels(grown.patterns), workload.topics(500)
        yield count(series, grown.size, KEYS, sum(map(levels.keys, sent)) / len(sent))
        yield count(series, grown.size, COMPLETE, 100 * levels.complete(workload.depth), "%")


def by_subscriptions(scheme: str, readings: Readings) -> Claim:
    """Whether ten times the subscriptions take longer."""
    rises = {n: rise(readings, TIME, f"{scheme}, {n} attributes") for n in ATTRIBUTES}
    return Claim(
        f"§4.2: matching with the {scheme} scheme takes longer the more subscriptions there are.",
        holds=all(each > 1 for each in rises.values()),
        found="ten times the subscriptions take "
        + listed(f"{times(each)} with {n} attributes" for n, each in rises.items()),
        because=f"{UNMOVED[scheme]}, and all that is touched stays in the cache",
    )


def by_attributes(scheme: str, readings: Readings) -> Claim:
    """Whether more attributes take longer."""
    spent = {n: last(readings, TIME, f"{scheme}, {n} attributes") for n in ATTRIBUTES}
    ordered = list(spent.values())
    return Claim(
        f"§4.2: matching with the {scheme} scheme takes longer the more attributes there are.",
        holds=ordered == sorted(ordered),
        found="with all subscriptions " + listed(f"{n} attributes: {micro(us)}" for n, us in spent.items()),
        because="with three attributes few subscriptions differ, so a topic has many destinations to hand "
        "out; with more it has hardly any, and only the search remains",
    )


def ours(scheme: str, readings: Readings) -> Claim:
    """How our default does on the same tables."""
    ratios = {
        n: last(readings, TIME, f"{scheme}, {n} attributes") / last(readings, TIME, f"radix, {n} attributes")
        for n in ATTRIBUTES
    }
    return Claim(
        f"The default scheme of penstock, radix, is faster than {scheme} with any number of attributes.",
        holds=min(ratios.values()) > 1,
        found=f"with all subscriptions {scheme} takes, in times of radix, "
        + listed(f"{times(each)} with {n} attributes" for n, each in ratios.items()),
        because="a topic that finds much spends its time on its destinations, which is the same for all",
        ours=True,
    )


def claims_tree(readings: Readings) -> Iterator[Claim]:
    """Figure 2."""
    yield by_subscriptions("tree", readings)
    yield by_attributes("tree", readings)
    yield ours("tree", readings)


def claims_hash(readings: Readings) -> Iterator[Claim]:
    """Figure 3: the times, and how near the scheme comes to its worst case."""
    yield by_subscriptions("hash", readings)
    yield by_attributes("hash", readings)
    names = [f"hash, {n} attributes" for n in ATTRIBUTES]
    shares = [last(readings, COMPLETE, name) for name in names]
    yield Claim(
        "§4.2: with so many random subscriptions, every first attribute comes to have a wildcard at every "
        "other attribute, which is the worst case of the hashing scheme.",
        holds=min(shares) == 100,
        found=f"{min(shares):.0f}% of the first attributes, however many other attributes there are",
        always=True,
    )
    keys = {n: last(readings, KEYS, name) for n, name in zip(ATTRIBUTES, names, strict=True)}
    yield Claim(
        "§4.2: in that worst case the number of look-ups becomes proportional to the number of attributes.",
        holds=keys[MANY] / keys[FEW] <= MANY / FEW,
        found=listed(f"{n} attributes: {each:,.0f} keys" for n, each in keys.items()),
        because="each attribute doubles the number of keys, as §3.3.3 of the paper says itself: 2^(m-1)",
    )
    yield ours("hash", readings)


def claims_regex(readings: Readings) -> Iterator[Claim]:
    """Figure 4: a high base that little adds to."""
    spent = [last(readings, TIME, f"regex, {n} attributes") for n in ATTRIBUTES]
    yield Claim(
        "§4.2: times of the scheme of regular expressions stay near their high base, whatever the number of "
        "attributes (within a factor of two).",
        holds=max(spent) < 2 * min(spent),
        found="with all subscriptions "
        + listed(f"{n} attributes: {micro(us)}" for n, us in zip(ATTRIBUTES, spent, strict=True)),
        because="longer expressions take longer to try",
    )
    rises = {n: rise(readings, TIME, f"regex, {n} attributes") for n in ATTRIBUTES}
    yield Claim(
        "§4.2: times of the scheme of regular expressions stay near their high base, whatever the number of "
        "subscriptions (within a factor of two).",
        holds=max(rises.values()) < 2,
        found="ten times the subscriptions take "
        + listed(f"{times(each)} with {n} attributes" for n, each in rises.items()),
        because="each expression is tried on each topic: §3.2.3 has the time in proportion to their number",
    )
    slowest = min(
        last(readings, TIME, f"regex, {n} attributes") / last(readings, TIME, f"radix, {n} attributes")
        for n in ATTRIBUTES
    )
    yield Claim(
        "The default scheme of penstock, radix, is at least ten times as fast as regular expressions.",
        holds=slowest >= 10,
        found=f"{times(slowest)} at least, with all subscriptions",
        ours=True,
        always=True,
    )


def _plot(figure: str, scheme: str) -> Plot:
    return Plot(
        TIME,
        f"{figure}: computing destinations, {scheme}, and radix beside it",
        "subscriptions",
        "µs per topic",
        log_x=True,
        log_y=True,
        series=(*(f"{scheme}, {n} attributes" for n in reversed(ATTRIBUTES)), f"radix, {MANY} attributes"),
    )


TREE = Experiment(
    key="streams-fig2",
    paper="streams",
    figure="Figure 2",
    shows="matching time of the tree by subscriptions and attributes",
    timed=True,
    sweep=partial(sweep, "tree"),
    measure=measure_by_attributes,
    claims=claims_tree,
    plots=(_plot("Figure 2", "tree"),),
)
HASH = Experiment(
    key="streams-fig3",
    paper="streams",
    figure="Figure 3",
    shows="matching time of the hashing scheme by subscriptions and attributes, and what it looks up",
    timed=True,
    sweep=partial(sweep, "hash"),
    measure=measure_hash,
    claims=claims_hash,
    plots=(
        _plot("Figure 3", "hash"),
        Plot(
            KEYS,
            "What the hashing scheme looks up",
            "subscriptions",
            "keys per topic",
            log_x=True,
            log_y=True,
        ),
    ),
)
REGEX = Experiment(
    key="streams-fig4",
    paper="streams",
    figure="Figure 4",
    shows="matching time of regular expressions by subscriptions and attributes",
    timed=True,
    sweep=partial(sweep, "regex"),
    measure=measure_by_attributes,
    claims=claims_regex,
    plots=(_plot("Figure 4", "regex"),),
)
