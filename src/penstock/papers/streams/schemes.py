"""Figure 5: all schemes with seven attributes, in one plot."""

from collections.abc import Iterator, Sequence

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Readings, Scale
from penstock.papers.streams.growth import largest, listed, micro, times
from penstock.papers.streams.matching import MANY_WILDCARDS, TIME, measure_by_scheme
from penstock.papers.streams.sweep import point

__all__ = ["SCHEMES"]

ATTRIBUTES = 7


def sweep(scale: Scale) -> Sequence[Point]:
    """All schemes with one wildcard in each subscription, and the fast ones with many."""
    return [
        point(scale, ATTRIBUTES, ("tree", "hash", "regex", "radix")),
        point(scale, ATTRIBUTES, ("tree", "hash", "radix"), "some wildcards"),
    ]


def claims(readings: Readings) -> Iterator[Claim]:
    """Which scheme is how fast."""
    x = largest(readings, TIME, "regex")
    spent = {scheme: readings.get(TIME, scheme, x) for scheme in ("tree", "hash", "regex", "radix")}
    found = f"with {int(x):,} subscriptions " + listed(f"{name}: {micro(us)}" for name, us in spent.items())
    slower = spent["regex"] / max(spent["tree"], spent["hash"])
    yield Claim(
        "§4.2: regular expressions are several orders of magnitude slower than the tree and the hashing "
        "scheme (a hundred times or more).",
        holds=slower >= 100,
        found=f"{times(slower)} the slower of the two; {found}",
        always=True,
    )
    apart = max(spent["tree"], spent["hash"]) / min(spent["tree"], spent["hash"])
    yield Claim(
        "§4.2: the tree and the hashing scheme are the best two, near each other (within a factor of ten).",
        holds=apart <= 10,
        found=f"{times(apart)} apart; {found}",
        because="a tree leaves a path at the first level that nobody asked for; the hashing scheme tries "
        "all combinations of wildcards",
    )
    yield ours(readings, TIME, "one wildcard in each subscription")
    yield ours(readings, MANY_WILDCARDS, "many wildcards in each subscription")


def ours(readings: Readings, quantity: str, which: str) -> Claim:
    """How our default does on the same tables."""
    ratios = {
        (scheme, size): readings.get(quantity, scheme, size) / readings.get(quantity, "radix", size)
        for scheme in ("tree", "hash")
        for size in readings.xs(quantity, "radix")
    }
    (scheme, size), least = min(ratios.items(), key=lambda item: item[1])
    return Claim(
        f"The default scheme of penstock, radix, is faster than tree and hash at every size, with {which}.",
        holds=least > 1,
        found=f"{times(least)} as fast as {scheme} with {int(size):,} subscriptions, where it leads least; "
        f"{times(max(ratios.values()))} where it leads most",
        because="a short search is easily disturbed",
        ours=True,
    )


def _plot(quantity: str, title: str) -> Plot:
    return Plot(quantity, title, "subscriptions", "µs per topic", log_x=True, log_y=True)


SCHEMES = Experiment(
    key="streams-fig5",
    paper="streams",
    figure="Figure 5",
    shows="matching time of all schemes with seven attributes, and of our default",
    timed=True,
    sweep=sweep,
    measure=measure_by_scheme,
    claims=claims,
    plots=(
        _plot(TIME, "Figure 5: computing destinations, seven attributes"),
        _plot(MANY_WILDCARDS, "The same with many wildcards in each subscription"),
    ),
)
