"""What the paper says of Table 1, held against our counts."""

from collections.abc import Iterator

from penstock.papers.experiment import Claim, Readings
from penstock.papers.structures.cells import COLUMNS, LINK, NOTIFICATION, SUBSCRIPTION, TABLE, WIDER
from penstock.papers.structures.workload import APPLICATIONS

__all__ = ["claims"]


def claims(found: Readings) -> Iterator[Claim]:
    """What §4.1.2 says of the table."""
    yield _copies(found)
    yield _subscriptions(found)
    yield _tables(found)
    yield _headers(found)
    yield _graphs(found)
    yield _universe(found)
    yield _content(found)


def _copies(found: Readings) -> Claim:
    counts = {
        (format_, column): found.get(LINK, format_, column)
        for format_ in ("overlapping", "disjoint", "list", "graph")
        for column in COLUMNS
    }
    same = all(
        counts["disjoint", column] == counts["list", column] == counts["graph", column] for column in COLUMNS
    )
    more = all(counts["overlapping", column] > counts["disjoint", column] for column in COLUMNS)
    busiest = {name: counts[name, "heaviest traffic"] for name in ("overlapping", "disjoint")}
    return Claim(
        "§4.1.2: Disjoint ids, lists and graphs send each notification once over a link; ids of overlapping"
        " categories send copies.",
        same and more,
        f"the three are equal in all columns; with overlapping ids the busiest link of traffic carries"
        f" {busiest['overlapping']:,.0f} instead of {busiest['disjoint']:,.0f}",
        always=True,
    )


def _subscriptions(found: Readings) -> Claim:
    ids = [found.get(SUBSCRIPTION, "disjoint", f"typical {name}") for name in APPLICATIONS]
    others = {
        found.get(SUBSCRIPTION, name, column)
        for name in ("overlapping", "list", "graph")
        for column in COLUMNS
    }
    return Claim(
        "§4.1.2: A subscription to disjoint categories has 50 to 100 times as many ids as in other formats.",
        others == {1.0} and ids[0] >= 45 and ids[1] >= 100,
        f"{ids[0]:.1f} ids (baseball) and {ids[1]:.1f} (traffic) against 1",
        always=True,
    )


def _tables(found: Readings) -> Claim:
    against = {
        name: found.get(TABLE, "disjoint", f"typical {name}") / found.get(TABLE, "list", f"typical {name}")
        for name in APPLICATIONS
    }
    return Claim(
        "§4.1.2: Disjoint ids fill the table of the typical router with far more ids than the other formats.",
        min(against.values()) > 10,
        ", ".join(f"{times:.0f} times as many ({name})" for name, times in against.items()),
        always=True,
    )


def _headers(found: Readings) -> Claim:
    ids = found.at(NOTIFICATION, "list", "heaviest traffic")
    return Claim(
        "§4.1.2: Lists grow very long where categories overlap much: about 87 ids in a traffic header at the"
        " busiest router.",
        ids.value > 50,
        f"{ids.value:.0f} ids, from {ids.low:.0f} to {ids.high:.0f} over the runs",
        always=True,
    )


def _graphs(found: Readings) -> Claim:
    shorter = found.get(NOTIFICATION, "list", "heaviest traffic") / found.get(
        NOTIFICATION, "graph", "heaviest traffic"
    )
    small = all(found.get(TABLE, "graph", column) == found.get(TABLE, "list", column) for column in COLUMNS)
    return Claim(
        "§4.1.2: Content graphs avoid all three: no copies, one id in a subscription, short headers.",
        small and shorter > 8,
        f"tables as small as those of lists, and traffic headers at the busiest router {shorter:.0f} times"
        " shorter",
        always=True,
    )


def _universe(found: Readings) -> Claim:
    games = found.get(TABLE, "disjoint", "heaviest baseball")
    alerts, wider = (found.get(TABLE, name, "heaviest traffic") for name in ("disjoint", WIDER))
    each = found.get(SUBSCRIPTION, WIDER, "typical traffic")
    return Claim(
        "Table 1: The source's router holds all 465 games and all 210 alerts as disjoint ids.",
        games == 465 and wider == 210,
        f"{games:.0f} and {alerts:.0f}; {wider:.0f} if an interest has the stretch that leads to its first"
        f" exit, but then there are {each:.0f} ids in a subscription, not 118",
        always=True,
    )


def _content(found: Readings) -> Claim:
    columns = [found.get(LINK, "content", column) == found.get(LINK, "graph", column) for column in COLUMNS]
    filters = [found.get(SUBSCRIPTION, "content", f"typical {name}") for name in APPLICATIONS]
    attributes = {found.get(NOTIFICATION, "content", column) for column in COLUMNS}
    return Claim(
        "Full content, which the paper left out as too expensive to simulate, has none of the pitfalls.",
        all(columns) and attributes == {2.0} and max(filters) < 2,
        f"as many messages on every link as with graphs, {filters[0]:.1f} filters in a subscription to"
        f" baseball and {filters[1]:.0f} to traffic, two attributes in a header",
        ours=True,
        always=True,
    )
