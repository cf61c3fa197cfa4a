"""rule-engine: every rule is asked about every event, since the library has no index over rules.

A comparison with an absent name is an error there, so a name is first asked for. Equalities come first in a
subscription, where they are cheapest to fail.
"""

import json
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import rule_engine  # type: ignore[import-not-found]

from peers.measure import Event, Job, calls, first_pass, lines, resident, timed, write

COMPARISONS = frozenset(("<", "<=", ">", ">="))


def condition(constraint: Sequence[Any]) -> str:
    """One constraint as an expression; literals are written as in JSON, which the language shares."""
    name, operator, value = constraint
    if operator == "=":
        return f"{name} == {json.dumps(value)}"
    if operator == "prefix":
        return f"({name} != null and {name}.starts_with({json.dumps(value)}))"
    if operator in COMPARISONS:
        return f"({name} != null and {name} {operator} {json.dumps(value)})"
    raise ValueError(f"no translation for {operator!r}")


def main(job: Job) -> None:
    """Load, check, measure."""
    texts = [" and ".join(map(condition, subscription)) for subscription in lines(job.subscriptions)]
    events: list[Event] = lines(job.events)
    context = rule_engine.Context(default_value=None)
    rule_engine.Rule(texts[0], context=context)  # the parser comes with the first rule
    before = resident()
    start = time.perf_counter()
    rules = [rule_engine.Rule(text, context=context) for text in texts]
    build = time.perf_counter() - start
    size = resident() - before

    def match(event: Event) -> list[int]:
        return [number for number, rule in enumerate(rules) if rule.matches(event)]

    found = first_pass(match, events, job.check)
    ways = {"dict": timed(calls(match), events, job)}
    write(job.result, version=version("rule-engine"), build=build, bytes=size, ways=ways, matches=found)


if __name__ == "__main__":
    main(Job.of(sys.argv[1:]))
