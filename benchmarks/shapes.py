"""Adverse shapes: tables and messages that an index by one constraint of each filter should find hard.

Each is drawn from a seed at any size. `hard` says where the trouble is meant to be.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from common import Message
from penstock.workload import Distribution, Scenario2002, filters, messages
from penstock.workload.words import dictionary

__all__ = ["SHAPES", "Shape", "Workload"]

Constraints = list[str]
LARGEST = 100_000


@dataclass(frozen=True, slots=True)
class Workload:
    """Filters, the messages that they meet, and others from which a table may learn before."""

    texts: list[str]
    sent: list[Message]
    learned: list[Message] | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of workload: so many filters and messages from a seed."""

    name: str
    hard: str
    draw: Callable[[int, int, int], Workload]


def _drawn(
    constraints: Callable[[Random], Constraints], message: Callable[[Random], Message]
) -> Callable[[int, int, int], Workload]:
    """A workload whose filters and messages are all drawn alike."""

    def draw(count: int, sent: int, seed: int) -> Workload:
        random = Random(seed)
        texts = [" AND ".join(constraints(random)) for _ in range(count)]
        return Workload(texts, [message(random) for _ in range(sent)])

    return draw


NUMBERS = tuple(f"n{n}" for n in range(10))


def _interval(random: Random, name: str) -> str:
    low, high = sorted(random.sample(range(LARGEST), 2))
    return f"{name} >= {low} AND {name} < {high}"


def _ranges(random: Random) -> Constraints:
    return [_interval(random, name) for name in random.sample(NUMBERS, random.randint(3, 5))]


def _numbers(random: Random) -> Message:
    return {name: random.randrange(LARGEST) for name in NUMBERS}


def _uniform_names(count: int, sent: int, seed: int) -> Workload:
    scenario = Scenario2002(I=count, M=sent, D_a=Distribution(20))
    return Workload(filters(scenario, seed)[1], messages(scenario, seed))


TEXTS = ("title", "body", "note")


def _pattern(random: Random) -> str:
    """One to three letters of a word, so that patterns are as common as the letters are."""
    word, length = random.choice(dictionary()), random.randint(1, 3)
    start = random.randrange(max(1, len(word) - length))
    return word[start : start + length]


def _substrings(random: Random) -> Constraints:
    count = random.randint(2, 4)
    return [f"{random.choice(TEXTS)} CONTAINS '{_pattern(random)}'" for _ in range(count)]


def _sentences(random: Random) -> Message:
    return {name: " ".join(random.choices(dictionary(), k=6)) for name in TEXTS}


HOT = 100_000


def _hot_equality(count: int, sent: int, seed: int) -> Workload:
    """Half the filters, at most 100,000, ask for the type of all messages; the others for one type each."""
    random = Random(seed)
    hot = min(HOT, count // 2)
    kinds = ["order"] * hot + [f"kind-{n}" for n in range(count - hot)]
    lows = [random.randrange(LARGEST) for _ in kinds]
    texts = [
        f"type = '{kind}' AND price >= {low} AND price < {low + 100}"
        for kind, low in zip(kinds, lows, strict=True)
    ]
    return Workload(texts, [{"type": "order", "price": random.randrange(LARGEST)} for _ in range(sent)])


def _exclusions(random: Random) -> Constraints:
    return [f"{name} != {random.randrange(100)}" for name in random.sample(NUMBERS, 3)]


def _half_the_numbers(random: Random) -> Message:
    return {name: random.randrange(100) for name in random.sample(NUMBERS, 5)}


def _wrong_statistics(count: int, sent: int, seed: int) -> Workload:
    """The paper's workload; what was learned has only names that are rare in it, always as the int 0."""
    scenario = Scenario2002(I=count, M=sent)
    words, weights = scenario.shape().attribute_names
    rare = [word for word, weight in zip(words, weights, strict=True) if weight < weights[len(words) // 2]]
    random = Random(seed)
    learned: list[Message] = [dict.fromkeys(random.sample(rare, 20), 0) for _ in range(1_000)]
    return Workload(filters(scenario, seed)[1], messages(scenario, seed), learned)


def _one_constraint(count: int, sent: int, seed: int) -> Workload:
    scenario = replace(Scenario2002(I=count, M=sent), c_l=1, c_h=2)
    return Workload(filters(scenario, seed)[1], messages(scenario, seed))


ONE_CONSTRAINT = Shape("one constraint", "as much to report as to find", _one_constraint)
SHAPES = (
    Shape("ranges only", "nothing is rare: every interval holds for a third", _drawn(_ranges, _numbers)),
    Shape("20 uniform names", "nearly every name is in every message", _uniform_names),
    Shape("short substrings", "patterns of 1 to 3 letters are everywhere", _drawn(_substrings, _sentences)),
    Shape("hot equality", "what looks rarest in the table is in every message", _hot_equality),
    Shape("only !=", "no constraint tells filters apart", _drawn(_exclusions, _half_the_numbers)),
    Shape("wrong statistics", "learned: rare names are common, common ones absent", _wrong_statistics),
)
