"""Figure 9: what more rounds through the selectivity table gain over the counting algorithm, and cost.

One filter for each interface. Tables of all rounds are timed in turn with one counting table, so that a busy
moment of the machine hits both; access has no rounds and is drawn as a level.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.fast2002.contest import SEED, drawn, scenario
from penstock.papers.forwarding import ACCESS, COUNTING, Contender, Effort, agreed, together, work
from penstock.papers.forwarding.effort import Message
from penstock.papers.timing import count, fill, natively, spread
from penstock.table import ForwardingTable
from penstock.workload import messages

__all__ = ["FIGURE_9"]

SIZES: dict[Scale, tuple[int, ...]] = {"small": (10_000,), "full": (500_000, 5_000_000)}
ROUNDS: dict[Scale, tuple[int, ...]] = {
    "small": (1, 10, 50, 200),
    "full": (1, 10, 20, 50, 70, 1_000),
}
AT_ONCE = 2  # tables that are filled beside the counting one


def sweep(scale: Scale) -> list[Point]:
    """A point for each size, with all rounds."""
    return [
        Point(
            f"{size:,} constraints, up to {ROUNDS[scale][-1]:,} rounds",
            {
                "constraints": size,
                "rounds": " ".join(map(str, ROUNDS[scale])),
                **Effort.at(scale).settings(),
            },
        )
        for size in SIZES[scale]
    ]


def measure(point: Point) -> Iterator[Reading]:
    """Time in per cent of that of counting, and how many interfaces are excluded."""
    size, effort = int(point.settings["constraints"]), Effort.of(point.settings)
    rounds = [int(each) for each in str(point.settings["rounds"]).split()]
    workload = scenario(size, 0)
    part, sent = drawn(workload), messages(workload, SEED)
    plain, access = COUNTING.table(), ACCESS.table()
    together([plain, access], [part])
    agreed({COUNTING: plain, ACCESS: access}, sent)
    level = shares(plain, access, sent, effort)
    del access
    for first in range(0, len(rounds), AT_ONCE):
        some = {each: _selective(each) for each in rounds[first : first + AT_ONCE]}
        tables = {each: engine.table() for each, engine in some.items()}
        together(list(tables.values()), [part])
        for each, table in tables.items():
            agreed({COUNTING: plain, some[each]: table}, sent)
            line = f"selectivity, C={size:,}"
            yield spread(line, each, "time", "%", shares(plain, table, sent, effort))
            yield spread(f"access, C={size:,}", each, "time", "%", level)
            excluded = 100 * work(table, sent, "excluded") / len(table.interfaces)
            yield count(line, each, "excluded", excluded, "%")


def shares(
    plain: ForwardingTable, other: ForwardingTable, sent: Sequence[Message], effort: Effort
) -> list[float]:
    """The time of a table in per cent of that of the plain one, turn by turn."""
    return [100 * _once(other, sent, effort) / _once(plain, sent, effort) for _ in range(effort.repeats)]


def _once(table: ForwardingTable, sent: Sequence[Message], effort: Effort) -> float:
    return fill(natively(table, sent), 1, effort.slice)[0]


def _selective(rounds: int) -> Contender:
    return Contender(f"selectivity, {rounds} rounds", "selectivity", rounds)


def claims(readings: Readings) -> Iterator[Claim]:
    """What section 5.3 says."""
    curves = [each for each in readings.series("time") if each.startswith("selectivity")]
    best = {each: min(readings.curve("time", each), key=lambda point: point[1]) for each in curves}
    yield Claim(
        "§5.3: up to 50 to 70 rounds preprocessing gains over the counting algorithm",
        all(share < 100 for _, share in best.values()),
        "; ".join(
            f"at best {share:.0f}% of its time, with {at:.0f} rounds ({each.partition(', ')[2]})"
            for each, (at, share) in best.items()
        ),
        "the rounds exclude as many interfaces as the paper says, but what that saves, the counting of "
        "filters, is now cheaper than asking for each filter whether its interface is excluded",
    )
    last = {each: readings.curve("time", each)[-1] for each in curves}
    yield Claim(
        "§5.3: more rounds than that only cost",
        all(last[each][1] > max(100, best[each][1]) for each in curves),
        "; ".join(
            f"{share:.0f}% of its time with {at:.0f} rounds ({each.partition(', ')[2]})"
            for each, (at, share) in last.items()
        ),
        "the set of excluded interfaces is small enough to be gathered in no time",
    )
    for each in curves:
        curve = readings.curve("excluded", each)
        steps = [(later - earlier) / (b - a) for (a, earlier), (b, later) in pairwise(curve)]
        yield Claim(
            f"§4.3: every further round excludes fewer interfaces ({each.partition(', ')[2]})",
            all(later < earlier for earlier, later in pairwise(steps)) and steps[-1] >= 0,
            ", ".join(f"{share:.1f}% after {at:.0f}" for at, share in curve),
            always=True,
        )
    levels = [each for each in readings.series("time") if each.startswith("access")]
    ours = [readings.curve("time", each)[0][1] for each in levels]
    yield Claim(
        "The access engine gains far more than any number of rounds",
        max(ours) < min(share for _, share in best.values()),
        f"{min(ours):.1f}% to {max(ours):.1f}% of the time of counting",
        "a table so small is walked in no time",
        ours=True,
    )


FIGURE_9 = Experiment(
    key="2002-fig9",
    paper="fast-2002",
    figure="Figure 9",
    shows="what preprocessing gains over the counting algorithm or costs, by rounds",
    timed=True,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=(
        Plot(
            "time",
            "Figure 9: time against the counting algorithm, which is at 100%",
            "rounds",
            "% of its time",
            log_x=True,
            log_y=True,
        ),
        Plot("excluded", "Interfaces that are excluded", "rounds", "% of interfaces", log_x=True),
    ),
)
