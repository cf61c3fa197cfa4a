"""Whether two engines found the same: the oracle against penstock on a sample, penstock against every peer.

A disagreement is data with an example in it; none is ever averaged away.
"""

import json
from collections.abc import Iterable, Sequence

from peers.penstock.translate import to_filter
from peers.workload import EVENTS, Drawn
from penstock import oracle

# The oracle looks at every subscription for every event, so a sample it is.
ORACLE_EVALUATIONS = 300_000


def ask_oracle(drawn: Drawn) -> dict[int, list[int]]:
    """By the position of the event: which subscriptions match. A sample, spread over the events."""
    filters = [to_filter(subscription) for subscription in drawn.subscriptions]
    count = max(1, min(len(drawn.events), ORACLE_EVALUATIONS // len(filters)))
    sample = [
        (position, drawn.events[position]) for position in range(0, len(drawn.events), -(-EVENTS // count))
    ]
    return {
        position: [number for number, each in enumerate(filters) if oracle.matches(each, event)]
        for position, event in sample
    }


def disagreement(
    drawn: Drawn, expected: Iterable[tuple[int, Sequence[int]]], found: Sequence[Sequence[int]]
) -> str | None:
    """The number of events with another answer and an example of one; events not reached are not compared."""
    wrong = [
        (position, sorted(set(right) - set(found[position])), sorted(set(found[position]) - set(right)))
        for position, right in expected
        if position < len(found) and sorted(right) != sorted(found[position])
    ]
    if not wrong:
        return None
    position, missing, extra = wrong[0]
    example = (missing or extra)[0]
    subscription, event = drawn.subscriptions[example], drawn.events[position]
    asked = {name: event.get(name) for name, _, _ in subscription}
    return (
        f"{len(wrong)} events differ; event {position} has {len(missing)} missing and {len(extra)} extra, "
        f"e.g. {'not ' if missing else ''}subscription {example} {json.dumps(subscription)} "
        f"for {json.dumps(asked)}"
    )
