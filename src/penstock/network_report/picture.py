"""The network as a picture: links and routers coloured and drawn as wide as their load.

Plain SVG, so that each link and router tells its figures when it is pointed at, and takes its colour from
the page. Steps of load widen towards the greatest: few links are busy, and the rest still differ.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Final

from penstock.network import Result
from penstock.network.frame import RouterId
from penstock.network.scenario import Crash, Cut
from penstock.network_report.layout import MOST, lay_out

__all__ = ["draw_network", "link_messages"]

WIDTH, HEIGHT, MARGIN, LEGEND = 1000, 620, 24, 44
STEPS: Final = (0.05, 0.15, 0.35, 0.65, 1.0)  # of the greatest load
LINK_WIDTHS: Final = (0.8, 1.2, 1.8, 2.6, 3.6, 5.0)


def draw_network(result: Result) -> str:
    """The picture; empty if there are more routers than can be told apart."""
    topology = result.scenario.topology
    if len(topology.routers) > MOST:
        return ""
    places = {
        router: (MARGIN + x * (WIDTH - 2 * MARGIN), MARGIN + y * (HEIGHT - 2 * MARGIN))
        for router, (x, y) in lay_out(topology).items()
    }
    loads = link_messages(result)
    most = max(loads.values(), default=0)
    parts = [
        f'<svg role="img" aria-label="the network, coloured by load" class="network"'
        f' viewBox="0 0 {WIDTH} {HEIGHT + LEGEND}" xmlns="http://www.w3.org/2000/svg">',
        *_draw_links(result, places, loads),
        *_draw_routers(result, places),
        *_draw_legend(most),
        "</svg>",
    ]
    return "\n".join(parts)


def link_messages(result: Result) -> Counter[tuple[RouterId, RouterId]]:
    """Messages on each link, in both directions."""
    loads: Counter[tuple[RouterId, RouterId]] = Counter()
    for load in result.links:
        loads[min(load.start, load.end), max(load.start, load.end)] += load.messages
    return loads


def step_of(load: int, most: int) -> int:
    """0 for nothing, and 5 for the greatest."""
    return 1 + bisect_left(STEPS, load / most) if load else 0


def _draw_links(
    result: Result,
    places: dict[RouterId, tuple[float, float]],
    loads: Counter[tuple[RouterId, RouterId]],
) -> Iterator[str]:
    """The busiest last, on top."""
    control: Counter[tuple[RouterId, RouterId]] = Counter()
    for each in result.links:
        control[min(each.start, each.end), max(each.start, each.end)] += each.control
    events = result.scenario.events
    cut = {tuple(sorted((event.one, event.other))) for event in events if isinstance(event, Cut)}
    most = max(loads.values(), default=0)
    scale = min(1.0, (200 / len(places)) ** 0.5)  # where there are many, they are thin
    for (one, other), load in sorted(loads.items(), key=lambda pair: (pair[1], pair[0])):
        (x1, y1), (x2, y2) = places[one], places[other]
        step = step_of(load, most)
        failed = " failed" if (one, other) in cut else ""
        said = f"link {one}–{other}: {load:,} messages, {control[one, other]:,} control frames"
        said += ", failed at some time" if failed else ""
        yield (
            f'<line class="load{step}{failed}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            f' stroke-width="{LINK_WIDTHS[step] * scale:.2f}"><title>{said}</title></line>'
        )


def _draw_routers(result: Result, places: dict[RouterId, tuple[float, float]]) -> Iterator[str]:
    """Coloured by what came to them; sources are square; the larger the table, the larger the router."""
    scenario = result.scenario
    came = Counter(publication.source for publication in result.publications)
    for load in result.links:
        came[load.end] += load.messages
    busiest = max(came.values(), default=0)
    largest = max(result.tables.values(), default=0) or 1
    crashed = {event.router for event in scenario.events if isinstance(event, Crash)}
    small = 2.5 if len(places) > 400 else 4.0
    for router, (x, y) in places.items():
        size = small + 1.2 * small * (result.tables.get(router, 0) / largest) ** 0.5
        kind = f"load{step_of(came[router], busiest)}" + (" failed" if router in crashed else "")
        if router not in result.tables:
            kind += " down"
        said = f"<title>{_describe(result, router, came[router])}</title>"
        if router in scenario.sources:
            yield (
                f'<rect class="router {kind}" x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size:.1f}"'
                f' height="{2 * size:.1f}">{said}</rect>'
            )
        else:
            yield f'<circle class="router {kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}">{said}</circle>'


def _describe(result: Result, router: RouterId, came: int) -> str:
    parts = [f"router {router}" + (", a source" if router in result.scenario.sources else "")]
    parts.append(f"{came:,} messages came")
    entries = result.tables.get(router)
    parts.append("down at the end" if entries is None else f"{entries:,} entries in its table")
    return ": ".join([parts[0], ", ".join(parts[1:])])


def _draw_legend(most: int) -> Iterator[str]:
    """What colours and shapes mean."""
    y = HEIGHT + LEGEND / 2
    labels = ["none", *(f"to {int(most * share):,}" for share in STEPS)]
    yield f'<text x="{MARGIN}" y="{y + 4}">messages:</text>'
    for step, label in enumerate(labels):
        x = MARGIN + 76 + step * 88
        yield (
            f'<line class="load{step}" x1="{x}" y1="{y}" x2="{x + 16}" y2="{y}"'
            f' stroke-width="{LINK_WIDTHS[step]}"/><text x="{x + 21}" y="{y + 4}">{label}</text>'
        )
    x = MARGIN + 76 + len(labels) * 88 + 8
    yield f'<rect class="router load0" x="{x}" y="{y - 5}" width="10" height="10"/>'
    yield f'<text x="{x + 16}" y="{y + 4}">source</text>'
    yield f'<line class="load3 failed" x1="{x + 74}" y1="{y}" x2="{x + 96}" y2="{y}" stroke-width="2"/>'
    yield f'<text x="{x + 101}" y="{y + 4}">failed at some time</text>'
    yield f'<circle class="router load0 down" cx="{x + 244}" cy="{y}" r="5"/>'
    yield f'<text x="{x + 254}" y="{y + 4}">down at the end</text>'
