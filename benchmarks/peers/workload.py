"""Subscriptions and events in a neutral form, drawn from a seed and written to files that every runner reads.

A subscription is a list of constraints `[name, operator, value]`, all of which must hold; its id is its line.
A name always carries values of one type, and bounds on one name form one interval: what any peer can say.
Every other event is made to satisfy some subscription, so that agreement is never agreement on nothing.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

Scalar = str | int | float
Constraint = tuple[str, str, Scalar]
Subscription = list[Constraint]
Event = dict[str, Scalar]

EVENTS = 1_000

# How many values each name has; the rare ones and the common ones are both asked for.
LABELS = {
    "level": 5,
    "region": 20,
    "version": 40,
    "source": 50,
    "zone": 60,
    "team": 100,
    "type": 200,
    "service": 300,
    "host": 1_000,
    "account": 2_000,
}
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jetty")
# Labels sort before numbers: event-ruler reads fields in order and does best with the selective ones first.
CLASSES = {f"class{n}": 20 * 2**n for n in range(5)}
COUNTS = tuple(f"count{n}" for n in range(10))
PRICES = tuple(f"price{n}" for n in range(5))
LARGEST_COUNT = 100_000
LARGEST_PRICE = 1_000


@dataclass(frozen=True, slots=True)
class Workload:
    """What to draw; `size` is the number of subscriptions that an event will meet."""

    name: str
    operators: frozenset[str]
    subscription: Callable[[Random, int], Subscription]
    event: Callable[[Random, int], Event]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A workload of some size, and the files that hold it."""

    workload: Workload
    size: int
    subscriptions: list[Subscription]
    events: list[Event]
    subscription_file: Path
    event_file: Path


def _label(random: Random, name: str, values: int) -> Scalar:
    return f"{name}-{random.randrange(values)}"


def _labels(random: Random, names: dict[str, int], count: int) -> Subscription:
    chosen = random.sample(list(names), count)
    return [(name, "=", _label(random, name, names[name])) for name in chosen]


def _path(random: Random) -> str:
    return "".join(f"/{word}{random.randrange(10)}" for word in random.choices(WORDS, k=4))


def _numbers(random: Random, name: str, count: int) -> list[Scalar]:
    """Different ones."""
    if name in PRICES:
        return [cents / 100 for cents in random.sample(range(100 * LARGEST_PRICE), count)]
    return list(random.sample(range(LARGEST_COUNT), count))


def _number(random: Random, name: str) -> Scalar:
    return _numbers(random, name, 1)[0]


def _bounds(random: Random, name: str) -> Subscription:
    """An interval, or a bound on one side."""
    low, high = sorted(_numbers(random, name, 2), key=float)
    lower, upper = (name, random.choice((">", ">=")), low), (name, random.choice(("<", "<=")), high)
    return random.choice(([lower, upper], [lower, upper], [lower], [upper]))


def _equality(random: Random, _: int) -> Subscription:
    return _labels(random, LABELS, 3)


def _labelled(random: Random, _: int) -> Event:
    return {name: _label(random, name, values) for name, values in LABELS.items()}


def _prefix(random: Random, _: int) -> Subscription:
    beginning = _path(random)[: random.randint(4, 14)]
    return [*_labels(random, LABELS, random.choice((1, 2))), ("path", "prefix", beginning)]


def _located(random: Random, size: int) -> Event:
    return _labelled(random, size) | {"path": _path(random)}


def _ranges(random: Random, _: int) -> Subscription:
    numbers = random.sample(COUNTS + PRICES, random.randint(2, 4))
    return _labels(random, CLASSES, 1) + [each for name in numbers for each in _bounds(random, name)]


def _measured(random: Random, _: int) -> Event:
    drawn = {name: _label(random, name, values) for name, values in CLASSES.items()}
    drawn |= {name: _number(random, name) for name in COUNTS + PRICES}
    return {name: value for name, value in drawn.items() if random.random() < 0.8}


def _keys(size: int) -> int:
    """So many keys that an event's key is in twenty subscriptions, half of which also like its number."""
    return max(1, size // 20)


def _ten(random: Random, size: int) -> Subscription:
    bound = ("volume", random.choice(("<", ">=")), _number(random, "volume"))
    return [("key", "=", _label(random, "key", _keys(size))), bound]


def _keyed(random: Random, size: int) -> Event:
    numbers = {name: _number(random, name) for name in ("volume", "weight", "width", "years")}
    return {"key": _label(random, "key", _keys(size)), **_labelled(random, size), **numbers}


COMPARISONS = frozenset(("<", "<=", ">", ">="))
WORKLOADS = (
    Workload("equality", frozenset(("=",)), _equality, _labelled),
    Workload("prefix", frozenset(("=", "prefix")), _prefix, _located),
    Workload("ranges", frozenset(("=", *COMPARISONS)), _ranges, _measured),
    Workload("ten", frozenset(("=", "<", ">=")), _ten, _keyed),
)


def _satisfying(random: Random, subscription: Subscription, event: Event) -> Event:
    """The event, changed until the subscription matches it."""
    event = event | {name: value for name, operator, value in subscription if operator == "="}
    for name, operator, value in subscription:
        if operator == "prefix":
            event[name] = f"{value}{_path(random)}"
        elif operator in COMPARISONS:
            asked = [each for each in subscription if each[0] == name]
            low = next((float(bound) for _, sign, bound in asked if sign[0] == ">"), 0.0)
            high = next((float(bound) for _, sign, bound in asked if sign[0] == "<"), float(LARGEST_COUNT))
            middle = (low + high) / 2
            event[name] = round(middle, 2) if isinstance(value, float) else int(middle)
    return event


def draw(workload: Workload, size: int, seed: int, folder: Path) -> Drawn:
    """Draw the subscriptions and events, and write them."""
    random = Random(f"{seed} {workload.name} {size}")
    subscriptions = [workload.subscription(random, size) for _ in range(size)]
    events = [workload.event(random, size) for _ in range(EVENTS)]
    for position in range(0, EVENTS, 2):
        events[position] = _satisfying(random, random.choice(subscriptions), events[position])
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{workload.name}-{size}-{kind}.jsonl" for kind in ("subscriptions", "events")]
    _write(files[0], subscriptions)
    _write(files[1], events)
    return Drawn(workload, size, subscriptions, events, files[0], files[1])


def _write(file: Path, rows: Sequence[object]) -> None:
    with file.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
