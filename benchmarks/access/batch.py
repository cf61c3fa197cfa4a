"""`match_batch` on the 2002 workload, I = 20: typed columns made from its messages.

A column has one type, while the workload draws an attribute's type anew in each message. So names are split:
`x` keeps the strings and `x.n` gets the ints, in filters and messages alike, which changes no result. There
are batches that share ten attributes, as a stream of like events does, and one with a column for every name
that occurs, nearly all of it nulls. All are matched once before they are timed: in a stream, values have come
before.
"""

import re
from dataclasses import replace
from random import Random

from access.figure import Run
from columns import to_columns
from common import Cell, Message, Spread, progress, samples
from penstock import ForwardingTable
from penstock.workload import Scenario2002, filters, messages, sized
from versus import load

__all__ = ["measure_batches"]

INTERFACES = 20
RATE = 1.5
SCHEMAS = 10
CHECKED = 50


def one_type(message: Message) -> Message:
    """The message after the split of names."""
    return {name if isinstance(value, str) else f"{name}.n": value for name, value in message.items()}


def like_batches(scenario: Scenario2002, rows: int, seed: int) -> list[list[Message]]:
    """Batches of messages that share ten names; values are drawn anew, uniform as the workload's are."""
    random = Random(seed)
    words = string_values(scenario)
    heads = messages(replace(scenario, M=SCHEMAS, a_l=10, a_h=11), seed)
    return [
        [
            {
                name: random.choice(words) if isinstance(value, str) else random.randrange(scenario.D_i.count)
                for name, value in one_type(head).items()
            }
            for _ in range(rows)
        ]
        for head in heads
    ]


def string_values(scenario: Scenario2002) -> tuple[str, ...]:
    """The strings that filters and messages speak of."""
    return tuple(value for kind in scenario.shape().kinds for value in kind.values if isinstance(value, str))


def measure_batches(run: Run, count: int, rows: int) -> list[dict[str, Cell]]:
    """Both forms; a tenth of the rows has all the columns."""
    progress(f"match_batch: {count:,} filters")
    scenario = replace(sized(5 * count, INTERFACES, run.seed), M=rows // 10)
    interfaces, texts = filters(scenario, run.seed)
    table = load(run.engine, interfaces, [re.sub(r"\bint (\S+) ", r"int \1.n ", text) for text in texts])
    forms = {
        "ten columns": like_batches(scenario, rows // SCHEMAS, run.seed),
        "a column for every name": [[one_type(message) for message in messages(scenario, run.seed)]],
    }
    return [_measure(run, table, name, batches) for name, batches in forms.items()]


def _measure(run: Run, table: ForwardingTable, form: str, sent: list[list[Message]]) -> dict[str, Cell]:
    batches = [to_columns(each) for each in sent]
    rows = sum(batch.num_rows for batch in batches)
    for messages_, batch in zip(sent, batches, strict=True):
        found = table.match_batch(batch.slice(0, CHECKED)).to_pylist()
        expected = [table.match_ids(message).tolist() for message in messages_[:CHECKED]]
        if [sorted(each or ()) for each in found] != [sorted(each) for each in expected]:
            raise AssertionError("match_batch disagrees with match_ids")
    results = sum(len(table.match_batch(batch).flatten()) for batch in batches)
    spent = samples(lambda: [table.match_batch(batch) for batch in batches], run.repeats)
    rate = Spread.of(rows / each / 1e6 for each in spent)
    what = f"match_batch, {form}, {len(table):,} filters, I = {INTERFACES}"
    run.figures.at_least(RATE, "M messages/s", what, rate)
    return {
        "form": form,
        "rows": rows,
        "columns": sum(batch.num_columns for batch in batches) / len(batches),
        "results": results / rows,
        "µs": Spread.of(spent).times(1e6 / rows),
        "M messages/s": rate,
    }
