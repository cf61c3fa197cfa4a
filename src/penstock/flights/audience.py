"""Who subscribes: a thousand interfaces, from travel agencies to the neighbours of the airports.

An interface knows only the departures that concern it (a hotel those to its city, a desk those of its
airline), and writes the kinds of wishes that go with it. A few are large and most are small, as everywhere.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa

from penstock.flights import wishes
from penstock.flights.wishes import Wish

__all__ = ["Subscriber", "audience"]

HOTELS_A_CITY, CITIES = 4, 50
OFFICES_AN_AIRPORT = 5
SKEW = 0.8  # the n-th interface of a kind has a share of n to the power of -0.8


@dataclass(frozen=True, slots=True)
class Subscriber:
    """One interface, the departures it knows (row numbers, all if None), and what it writes of them."""

    name: str
    wishes: tuple[Wish, ...]
    share: float  #: of the subscriptions of its kind, against the others'
    rows: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """Interfaces of one sort, and their part of all subscriptions in percent."""

    percent: float
    wishes: tuple[Wish, ...]


AGENCY = Kind(58, (wishes.booked, wishes.booked, wishes.booked, wishes.commuter, wishes.route))
HOTEL = Kind(12, (wishes.late_arrival, wishes.shuttle))
DESK = Kind(6, (wishes.desk, wishes.family_of_flights, wishes.cancelled))
FLEET = Kind(10, (wishes.airframe, wishes.fleet, wishes.operator_livery))
SPOTTERS = Kind(6, (wishes.model, wishes.model, wishes.old_timer))
NOISE = Kind(1, (wishes.curfew,))
QUALITY = Kind(2, (wishes.diverted, wishes.unregistered, wishes.incomplete))
ANALYST = Kind(5, (wishes.market, wishes.season, wishes.season, wishes.holiday))


def audience(departures: pa.Table, interfaces: int) -> list[Subscriber]:
    """The interfaces for these departures: as many as asked for, the same ones each time."""
    bound = [*_desks(departures), *_hotels(departures), *_offices(departures)][:interfaces]
    left = interfaces - len(bound)
    fleets, spotters, quality, analysts = left // 8, left // 12, left // 30, left // 10
    free = [
        *_numbered("agency", AGENCY, left - fleets - spotters - quality - analysts),
        *_numbered("fleet", FLEET, fleets),
        *_numbered("spotters", SPOTTERS, spotters),
        *_numbered("quality", QUALITY, quality),
        *_numbered("analyst", ANALYST, analysts),
    ]
    return [*bound, *free]


def _numbered(word: str, kind: Kind, count: int) -> Iterator[Subscriber]:
    """A few are large and most are small."""
    whole = sum(rank**-SKEW for rank in range(1, count + 1))
    for rank in range(1, count + 1):
        yield Subscriber(f"{word}-{rank:03}", kind.wishes, kind.percent * rank**-SKEW / whole)


def _desks(departures: pa.Table) -> Iterator[Subscriber]:
    """One for each airline at each airport that it flies from."""
    for key, share, rows in _places(departures, ("carrier", "origin"), None):
        yield Subscriber(f"desk-{key[0]}-{key[1]}", DESK.wishes, DESK.percent * share, rows)


def _hotels(departures: pa.Table) -> Iterator[Subscriber]:
    for key, share, rows in _places(departures, ("dest",), CITIES):
        for number in range(1, HOTELS_A_CITY + 1):
            name = f"hotel-{key[0]}-{number}"
            yield Subscriber(name, HOTEL.wishes, HOTEL.percent * share / HOTELS_A_CITY, rows)


def _offices(departures: pa.Table) -> Iterator[Subscriber]:
    for key, share, rows in _places(departures, ("origin",), None):
        for number in range(1, OFFICES_AN_AIRPORT + 1):
            name = f"noise-{key[0]}-{number}"
            yield Subscriber(name, NOISE.wishes, NOISE.percent * share / OFFICES_AN_AIRPORT, rows)


Place: TypeAlias = tuple[tuple[str, ...], float, list[int]]


def _places(departures: pa.Table, columns: tuple[str, ...], most: int | None) -> Iterator[Place]:
    """The commonest values of the columns, their share of the departures, and the rows with them."""
    keys = list(zip(*(departures[column].to_pylist() for column in columns), strict=True))
    common = Counter(keys).most_common(most)
    rows: dict[tuple[str, ...], list[int]] = {key: [] for key, _ in common}
    for row, key in enumerate(keys):
        if key in rows:
            rows[key].append(row)
    whole = sum(count for _, count in common)
    for key, count in common:
        yield key, count / whole, rows[key]
