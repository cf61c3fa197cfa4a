"""The tour that `make demo` gives: a departures board, a mistake, and 50,000 filters at once.

Everything printed is computed here; the figures are those of the machine that runs it.
"""

import json
import os
import random
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from penstock import FilterError, ForwardingTable
from penstock.table import Engine, Stats

HERE = Path(__file__).parent
SEED = 2002
FILTERS = 50_000
MESSAGES = 2_000
ENGINES: tuple[Engine, ...] = ("counting", "selectivity")

Message = dict[str, object]

CARRIERS = ["AF", "AZ", "BA", "DL", "IB", "KL", "LH", "LX", "OS", "SK", "TP", "UA"]
STATES = ["on time", "boarding", "delayed", "cancelled", "departed"]
PLACES = [a + b + c for a in "BCDFGLMPRS" for b in "AEIOU" for c in "DLNRSTVX"]


def main() -> None:
    """Three small scenes."""
    title("Who wants to hear of which departure?")
    departures()
    title("A mistake is shown where it is")
    mistake()
    title(f"{FILTERS:,} filters, {MESSAGES:,} messages")
    many()


def departures() -> None:
    """The nine filters of airport.filters against the five messages of departures.jsonl."""
    table = ForwardingTable()
    lines = (HERE / "airport.filters").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if not line.startswith("#"):
            interface, text = line.split("\t")
            table.subscribe(interface, text)
            print(f"  {interface:13} {dim(text)}")
    for line in (HERE / "departures.jsonl").read_text(encoding="utf-8").splitlines():
        message: Message = json.loads(line)
        print(f"\n  {clip(describe(message))}")
        print(f"    -> {bold(', '.join(sorted(table.match(message))) or 'nobody')}")


def mistake() -> None:
    """A filter that a person in a hurry would write."""
    try:
        ForwardingTable().subscribe("alice", "dest = MXP AND price < 500")
    except FilterError as error:
        print(indent(str(error)))


def many() -> None:
    """The same question with many subscribers, once for each engine."""
    draw = random.Random(SEED)
    filters = [" AND ".join(wish(draw)) for _ in range(FILTERS)]
    interfaces = [f"traveller-{draw.randrange(FILTERS // 5)}" for _ in filters]
    messages = [departure(draw) for _ in range(MESSAGES)]
    print(f"  for example  {dim(filters[0])}")
    for engine in ENGINES:
        table = ForwardingTable(engine)
        start = time.perf_counter()
        table.subscribe_many(interfaces, filters)
        table.build()
        loading = time.perf_counter() - start
        start = time.perf_counter()
        wanted = sum(len(table.match_ids(message)) for message in messages)
        matching = time.perf_counter() - start
        report(table.stats(), loading, matching, wanted)


def report(stats: Stats, loading: float, matching: float, wanted: int) -> None:
    """The figures of one engine."""
    print(f"\n  {bold(stats.engine)}")
    print(f"    loading   {stats.subscriptions / loading:,.0f} filters per second", end="")
    print(f", {stats.interfaces:,} interfaces")
    print(f"    matching  {MESSAGES / matching:,.0f} messages per second", end="")
    print(f", each wanted by {wanted / MESSAGES:,.0f} interfaces on average")
    print(f"    memory    {stats.index_bytes_per_constraint:.0f} bytes per constraint to match", end="")
    print(f", {stats.bytes_per_constraint:.0f} with what is kept to list and unsubscribe")


def wish(draw: random.Random) -> Iterator[str]:
    """The constraints of one traveller's filter."""
    yield f"dest = '{draw.choice(PLACES)}'"
    yield f"price < {draw.randrange(40, 900)}"
    if draw.random() < 0.5:
        yield f"carrier IN ('{draw.choice(CARRIERS)}', '{draw.choice(CARRIERS)}')"
    if draw.random() < 0.3:
        yield f"status != '{draw.choice(STATES)}'"
    if draw.random() < 0.2:
        yield f"flight STARTS WITH '{draw.choice(CARRIERS)}{draw.randrange(1, 10)}'"


def departure(draw: random.Random) -> Message:
    """One message of the board; not every attribute is always known."""
    carrier = draw.choice(CARRIERS)
    message: Message = {
        "flight": f"{carrier}{draw.randrange(10, 2000)}",
        "carrier": carrier,
        "dest": draw.choice(PLACES),
        "price": draw.randrange(30, 1200),
        "gate": f"{draw.choice('ABDE')}{draw.randrange(1, 80):02}",
    }
    if draw.random() < 0.8:
        message["status"] = draw.choice(STATES)
    return message


def describe(message: Message) -> str:
    """A message on one line, nested objects as they are addressed."""
    parts = []
    for name, value in message.items():
        if isinstance(value, dict):
            parts += [f"{name}.{inner}={json.dumps(deep)}" for inner, deep in value.items()]
        elif value is not None:
            parts.append(f"{name}={json.dumps(value)}")
    return " ".join(parts)


def title(text: str) -> None:
    """A headline between blank lines."""
    print(f"\n{bold(text)}\n")


def indent(text: str) -> str:
    """Two spaces before every line."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def clip(text: str) -> str:
    """No wider than the terminal."""
    width = shutil.get_terminal_size().columns - 4
    return text if not sys.stdout.isatty() or len(text) <= width else text[: width - 1] + "…"


def bold(text: str) -> str:
    """Emphasis, on a terminal."""
    return f"\x1b[1m{text}\x1b[0m" if sys.stdout.isatty() else text


def dim(text: str) -> str:
    """The opposite."""
    return f"\x1b[2m{text}\x1b[0m" if sys.stdout.isatty() else text


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
