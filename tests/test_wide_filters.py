"""Filters with nothing but conditions that often hold, which the engine judges 64 at a time."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from penstock import ForwardingTable, parse
from penstock.oracle import matches

FILTERS = 2_600  # more than go on two sheets
NAMES = tuple("abcdefgh")
KINDS = ("x", "y", "z")
Message = dict[str, Any]


def bound(random: Random) -> str:
    """On a grid, so that many are the same, or on numbers that need more than a few bits."""
    return random.choice(
        [
            str(random.randrange(100)),
            str(random.randrange(300) / 3),
            str(2**60 + random.randrange(200)),
            str(-random.randrange(100)),
        ]
    )


def constraint(random: Random, name: str) -> str:
    kind = random.choice(["", "", "", "int ", "float "])
    value = bound(random)
    if kind == "float " and "." not in value:
        value += ".0"
    if kind == "int ":
        value = value.split(".")[0]
    return f"{kind}{name} {random.choice(['<', '<=', '>', '>=', '!=', '!='])} {value}"


def wide(random: Random) -> str:
    """On two to seven names, some of them with several bounds, now and then with none that can hold."""
    names = random.sample(NAMES, random.randint(2, 7))
    asked = [constraint(random, name) for name in names for _ in range(random.choice([1, 1, 2, 3]))]
    if random.random() < 0.05:
        asked.append(f"{random.choice(names)} = {bound(random)}")
    if random.random() < 0.3:
        asked.append(f"kind {random.choice(['=', '!='])} '{random.choice(KINDS)}'")
    if random.random() < 0.3:
        asked.append(f"flag {random.choice(['=', '!='])} {random.choice(['true', 'false'])}")
    return " AND ".join(asked)


def other(random: Random) -> str:
    name = random.choice(NAMES)
    return random.choice(
        [
            f"{wide(random)} AND s CONTAINS '{random.choice(['a', 'ab', 'abc', 'é', 'A'])}'",
            f"{constraint(random, name)} AND NOT EXISTS {random.choice(NAMES)}",
            f"{name} = {random.randrange(100)}",
            constraint(random, name),
        ]
    )


def value(random: Random) -> Any:
    return random.choice(
        [
            random.randrange(100),
            random.randrange(300) / 3,
            2**60 + random.randrange(200),
            -random.randrange(100),
            float("nan"),
            True,
            "text",
        ]
    )


def message(random: Random) -> Message:
    sent = {name: value(random) for name in NAMES if random.random() < 0.9}
    if random.random() < 0.9:
        sent |= {"kind": random.choice([*KINDS, "unheard of", 7]), "flag": random.choice([True, False, "x"])}
    return sent | {"s": "".join(random.choices("abcABé", k=random.randrange(6)))}


def row(random: Random) -> Message:
    """A message for columns, each of which has one type."""
    drawn: Message = {name: random.choice([None, random.randrange(100)]) for name in NAMES}
    kind, flag = random.choice([None, "unheard of", *KINDS]), random.choice([None, True, False])
    return drawn | {"s": random.choice(["", "abc"]), "kind": kind, "flag": flag}


def texts(random: Random) -> Iterator[str]:
    """Now and then one that came before: a filter may belong to several interfaces, or twice to one."""
    drawn: list[str] = []
    while True:
        if drawn and random.random() < 0.2:
            yield random.choice(drawn[-50:])
        else:
            drawn.append(wide(random) if random.random() < 0.9 else other(random))
            yield drawn[-1]


def is_on_sheets(table: ForwardingTable) -> bool:
    return table.stats().bytes["sheets"] > 50_000


@pytest.mark.parametrize("interfaces", [7, 900, FILTERS])
@pytest.mark.parametrize("in_bulk", [True, False])
def test_nothing_is_lost_while_filters_come_and_go(interfaces: int, in_bulk: bool) -> None:
    random = Random(interfaces)
    source = texts(random)
    table = ForwardingTable()
    standing: dict[int, tuple[str, str]] = {}
    drawn = [(str(n % interfaces), next(source)) for n in range(FILTERS)]
    if in_bulk:
        ids = table.subscribe_many([name for name, _ in drawn], [text for _, text in drawn])
        standing = dict(zip(ids, drawn, strict=True))
    else:
        standing = {table.subscribe(name, text): (name, text) for name, text in drawn}
    assert is_on_sheets(table)
    for left in (FILTERS, FILTERS // 3, 50, FILTERS // 2):
        while len(standing) > left:
            gone = random.choice(list(standing))
            table.unsubscribe(gone)
            del standing[gone]
        while len(standing) < left:
            added = (str(random.randrange(interfaces)), next(source))
            standing[table.subscribe(*added)] = added
        predicates = [(name, parse(text)) for name, text in standing.values()]
        for _ in range(15):
            sent = message(random)
            expected = {name for name, predicate in predicates if matches(predicate, sent)}
            assert sorted(table.match(sent)) == sorted(expected)


def test_batches_files_and_observed_tables_agree(tmp_path: Path) -> None:
    random = Random(5)
    source = texts(random)
    drawn = [next(source) for _ in range(FILTERS)]
    table, counting = ForwardingTable(), ForwardingTable("counting")
    for each in (table, counting):
        each.subscribe_many([str(n) for n in range(FILTERS)], drawn)
    table.save(tmp_path / "wide.table")
    loaded = ForwardingTable.load(tmp_path / "wide.table")
    rows = [row(random) for _ in range(300)]
    batch = pa.RecordBatch.from_pylist(rows)
    expected = [sorted(row or ()) for row in counting.match_batch(batch).to_pylist()]
    observed = ForwardingTable()
    observed.subscribe_many([str(n) for n in range(FILTERS)], drawn)
    observed.observe(batch)
    for each in (table, loaded, observed):
        assert is_on_sheets(each)
        for _ in range(2):  # the second time, values are remembered
            assert [sorted(row or ()) for row in each.match_batch(batch).to_pylist()] == expected
    for subscription, _, _ in list(loaded.subscriptions())[::2]:
        loaded.unsubscribe(subscription)
    predicates = {interface: predicate for _, interface, predicate in loaded.subscriptions()}
    for drawn_row in rows[:20]:
        sent = {name: found for name, found in drawn_row.items() if found is not None}
        assert sorted(loaded.match(sent)) == sorted(n for n, p in predicates.items() if matches(p, sent))


def test_few_wide_filters_stay_in_the_index() -> None:
    random = Random(3)
    table = ForwardingTable()
    table.subscribe_many([str(n) for n in range(60)], [wide(random) for _ in range(60)])
    assert table.stats().bytes["sheets"] < 10_000
