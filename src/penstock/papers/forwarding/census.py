"""What a drawn workload is made of, counted: the papers' parameters as they come out of the generator.

Texts are counted as they were drawn. Read as filters they would be a little shorter: what is asked twice of
the same name becomes one constraint.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from penstock.papers.experiment import Reading
from penstock.papers.forwarding.effort import Message
from penstock.papers.timing import count
from penstock.workload import Scenario, filters, messages

__all__ = ["Census"]

Constraint = tuple[str, str, str]  # type, name, operator


@dataclass(frozen=True, slots=True)
class Census:
    """The constraints of all filters, filter by filter, and all messages."""

    filters: Sequence[Sequence[Constraint]]
    messages: Sequence[Message]

    @classmethod
    def of(cls, scenario: Scenario, seed: int) -> "Census":
        """Draw a scenario, and read it back."""
        texts = filters(scenario, seed)[1]
        drawn = [[_constraint(each) for each in text.split(" AND ")] for text in texts]
        return cls(drawn, messages(scenario, seed))

    def readings(self) -> Iterator[Reading]:
        """Counts, ranges and shares: a row for each parameter."""
        yield count("messages", "number", "parameter", len(self.messages))
        yield from _range("attributes per message", map(len, self.messages))
        yield from _range("constraints per filter", map(len, self.filters))
        constraints = [each for filter_ in self.filters for each in filter_]
        yield from _shares("types in filters", (kind for kind, _, _ in constraints))
        values = [value for message in self.messages for value in message.values()]
        yield from _shares("types in messages", (_type(value) for value in values))
        for kind in sorted({kind for kind, _, _ in constraints}):
            yield from _shares(
                f"operators on {kind}", (sign for type_, _, sign in constraints if type_ == kind)
            )
        names = {name for _, name, _ in constraints} | {name for each in self.messages for name in each}
        yield count("attribute names", "number", "parameter", len(names))


def _constraint(text: str) -> Constraint:
    kind, name, *operator, _ = text.split(" ")
    return kind, name, " ".join(operator)


def _range(series: str, lengths: Iterable[int]) -> Iterator[Reading]:
    found = list(lengths)
    for x, value in (("least", min(found)), ("mean", sum(found) / len(found)), ("most", max(found))):
        yield count(series, x, "parameter", value)


def _shares(series: str, items: Iterable[str]) -> Iterator[Reading]:
    found = Counter(items)
    for x in sorted(found):
        yield count(series, x, "share", 100 * found[x] / found.total(), "%")


def _type(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "bool"
    return "int" if isinstance(value, int) else "string"
