"""Figure 9 and figure 12: time per message while filters grow from a thousand to eight million.

One table for each engine, number of names and number of interfaces grows through all sizes. The report's
figure 12 is its figure 9 without I = F, and so it is here.
"""

from collections.abc import Iterator

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale, Setting
from penstock.papers.fast2001.workload import parts, sent, sizes, stages
from penstock.papers.forwarding import (
    ACCESS,
    COUNTING,
    Effort,
    abreast,
    agreed,
    growth,
    largest,
    timed,
    together,
)

__all__ = ["FIGURE_9"]

ENGINES = (COUNTING, ACCESS)
FIXED = (2, 50, 100, 200, 500)
INTERFACES = (*FIXED, 0)  # 0: I = F
NAMES = (1000, 100)
DRAWN = (2, 500, 0)  # of access, whose curves lie close together
SIZES: dict[Scale, tuple[int, ...]] = {
    "small": (1_000, 10_000),
    "full": (1_000, 10_000, 100_000, 1_000_000, 8_000_000),
}
MESSAGES: dict[Scale, int] = {"small": 200, "full": 1000}


def sweep(scale: Scale) -> list[Point]:
    """A point for each number of names and of interfaces."""
    points, counts = [], SIZES[scale]
    for names in NAMES:
        for interfaces in INTERFACES:
            label = f"A={names}, I={interfaces or 'F'}, up to {counts[-1]:,} filters"
            settings: dict[str, Setting] = {
                "A": names,
                "I": interfaces,
                "sizes": sizes(counts),
                "messages": MESSAGES[scale],
            }
            points.append(Point(label, settings | Effort.at(scale).settings()))
    return points


def measure(point: Point) -> Iterator[Reading]:
    """Let the tables grow, and time them at each size."""
    names, interfaces = int(point.settings["A"]), int(point.settings["I"])
    messages, effort = sent(names, int(point.settings["messages"])), Effort.of(point.settings)
    tables = {each: each.table() for each in ENGINES}
    for before, size in stages(point):
        together(list(tables.values()), parts(names, interfaces, before, size))
        agreed(tables, messages)
        for engine, table in tables.items():
            yield timed(table, messages, effort, (engine.on(interfaces), size, f"time, A={names}"))


def claims(readings: Readings) -> Iterator[Claim]:
    """What section 4.2 says about both figures."""
    filters, worst = largest(readings, "time, A=100", COUNTING.on(0))
    yield Claim(
        "§4.2: even in the worst case, as many interfaces as filters, a match takes a reasonable time: "
        "about 400 ms with eight million filters",
        worst <= 400_000,
        f"{worst:,.0f} µs with {filters:,.0f} filters, A=100",
    )
    for names in NAMES:
        yield from (_worst(readings, names), _flat(readings, names))
    few, many = (largest(readings, f"time, A={names}", COUNTING.on(0))[1] for names in (100, 1000))
    yield Claim(
        "§4.2: between A=1000 and A=100 lie over two orders of magnitude",
        few / many > 100,
        f"{few / many:.1f} times as long with A=100 as with A=1000, I=F, {filters:,.0f} filters",
        "a tenth of the names means ten times the constraints on each: with names drawn evenly, the work "
        "that the algorithm itself counts differs tenfold, and no more",
    )
    filters, routed = largest(readings, "time, A=100", COUNTING.on(500))
    yield Claim(
        "§4.2: with eight million filters on 500 interfaces a match stays within 25 ms",
        routed <= 25_000,
        f"{routed:,.0f} µs with {filters:,.0f} filters",
    )
    yield _proportional(readings)
    yield _ours(readings)


def _worst(readings: Readings, names: int) -> Claim:
    quantity = f"time, A={names}"
    size, (central, *fixed) = abreast(readings, quantity, [COUNTING.on(each) for each in (0, *FIXED)])
    beside = dict(zip(FIXED, fixed, strict=True))
    slowest = max(beside, key=beside.__getitem__)
    return Claim(
        f"§4.2: I=F is by far the worst case (A={names})",
        central > 2 * beside[slowest],
        f"{central:,.1f} µs for I=F, {beside[slowest]:,.1f} µs for I={slowest}, {size:,.0f} filters",
        "an interface that is settled saves only the counting of its filters, which costs little today; "
        "asking whether it is settled costs as much",
    )


def _flat(readings: Readings, names: int) -> Claim:
    quantity = f"time, A={names}"
    curves = {each: readings.curve(quantity, COUNTING.on(each)) for each in FIXED}
    powers = {each: growth(curve, curve[-2][0]) for each, curve in curves.items()}
    return Claim(
        f"§4.2: with a fixed number of interfaces all curves become essentially flat (A={names})",
        all(power < 0.25 for power in powers.values()),
        "grows with the power "
        + ", ".join(f"{power:.2f} (I={each})" for each, power in powers.items())
        + " of the filters at the end of the curve",
        "a curve is flat where nearly every message goes to every interface, which takes more filters the "
        "more interfaces and names there are",
    )


def _proportional(readings: Readings) -> Claim:
    routers = FIXED[1:]
    size, times = abreast(readings, "time, A=100", [COUNTING.on(each) for each in routers])
    each = [time / interfaces for time, interfaces in zip(times, routers, strict=True)]
    spread = max(each) / min(each)
    return Claim(
        "§4.2: the curves level off at a time that is roughly proportional to the number of interfaces",
        spread < 2,
        f"{min(each):.2f} to {max(each):.2f} µs per interface from I=50 to I=500, {size:,.0f} filters, A=100",
        "the curves of many interfaces have not levelled off at this number of filters",
    )


def _ours(readings: Readings) -> Claim:
    ratios = {}
    for names in NAMES:
        for interfaces in INTERFACES:
            quantity = f"time, A={names}"
            slow = largest(readings, quantity, COUNTING.on(interfaces))[1]
            ratios[names, interfaces] = slow / largest(readings, quantity, ACCESS.on(interfaces))[1]
    best, least = max(ratios, key=ratios.__getitem__), min(ratios, key=ratios.__getitem__)
    told = [f"{ratios[a, i]:.1f} times at A={a}, I={i or 'F'}" for a, i in (least, best)]
    return Claim(
        "The access engine is faster than counting on every one of these tables at its full size",
        min(ratios.values()) > 1,
        f"from {told[0]} to {told[1]}",
        "where so little is asked of a table, either engine is done after a microsecond or two",
        ours=True,
    )


def _plots() -> Iterator[Plot]:
    for names in NAMES:
        for figure, interfaces in ((9, INTERFACES), (12, FIXED)):
            yield Plot(
                f"time, A={names}",
                f"Figure {figure}: time per message, A={names}",
                "filters",
                "µs per message",
                log_x=True,
                log_y=True,
                series=[
                    *[COUNTING.on(each) for each in interfaces],
                    *[ACCESS.on(each) for each in interfaces if each in DRAWN],
                ],
            )


FIGURE_9 = Experiment(
    key="2001-fig9",
    paper="fast-2001",
    figure="Figures 9 and 12",
    shows="time per message by filters, interfaces and names, up to eight million filters",
    timed=True,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=tuple(_plots()),
)
