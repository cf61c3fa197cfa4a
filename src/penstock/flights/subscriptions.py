"""A hundred thousand subscriptions on a thousand interfaces, and some that were mistyped.

The rows depend on the departures, the sizes and the seed, and on nothing else. Every interface has at least
one good subscription; the mistyped ones stand anywhere among the good ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pyarrow as pa

from penstock.flights.audience import Subscriber, audience
from penstock.flights.mistakes import mistype

__all__ = ["Order", "draw_subscriptions"]

COLUMNS = ("carrier", "flight", "tailnum", "origin", "dest", "month", "day", "hour", "aircraft")


@dataclass(frozen=True, slots=True)
class Order:
    """How many of what; `mistyped` come on top of `good`."""

    good: int = 100_000
    mistyped: int = 120
    interfaces: int = 1_000
    seed: int = 2013


def draw_subscriptions(departures: pa.Table, order: Order) -> pa.Table:
    """Columns id, interface, filter, in the order in which they are written down."""
    draw = Random(order.seed)
    subscribers = audience(departures, order.interfaces)
    owners = [*subscribers, *_more(draw, subscribers, order.good + order.mistyped - len(subscribers))]
    rows = [draw.choice(owner.rows) if owner.rows else draw.randrange(len(departures)) for owner in owners]
    seen = departures.select(COLUMNS).take(rows).to_pylist()
    texts = [draw.choice(owner.wishes)(draw, one) for owner, one in zip(owners, seen, strict=True)]
    for place in draw.sample(range(len(subscribers), len(owners)), order.mistyped):
        texts[place] = mistype(draw, texts[place])
    places = list(range(len(owners)))
    draw.shuffle(places)
    return pa.table(
        {
            "id": [f"s{number:06}" for number in range(1, len(places) + 1)],
            "interface": [owners[place].name for place in places],
            "filter": [texts[place] for place in places],
        }
    )


def _more(draw: Random, subscribers: list[Subscriber], count: int) -> Iterator[Subscriber]:
    shares = [subscriber.share for subscriber in subscribers]
    yield from draw.choices(subscribers, shares, k=count)
