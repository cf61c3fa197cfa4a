"""Reading filters: how many texts a second become predicates, and how many become subscriptions.

Stresses the lexer, the parser, the normal form and the interning of constraints; nothing is built or matched.
"""

from collections.abc import Callable

from common import Cell, Report, arguments, progress, repeat
from penstock import ForwardingTable, parse
from penstock.workload import Scenario2001, Scenario2002, filters

SIZES = {"small": 10_000, "full": 200_000}

# As people write them: no types, mixed operators, disjunctions. {n} keeps the texts from being all alike.
HAND_WRITTEN = (
    "carrier = 'UA' AND price < {n}",
    "dest = 'MXP' AND price BETWEEN {n} AND 9000 AND NOT EXISTS upgrade",
    "carrier = 'UA' AND price < {n} OR flight STARTS WITH 'UA{n}' AND NOT EXISTS upgrade",
    "symbol IN ('ACME', 'GLOBEX', 'INITECH', 'T{n}') AND volume >= {n}",
    "detail.state = 'open' AND (severity > 3 OR detail.owner LIKE 'ops-{n}%')",
    "temperature > {n}.5 AND sensor STARTS WITH 'hall-{n}' AND active = true",
    "NOT (region = 'eu' OR region = 'us') AND user_id = {n}",
    "title CONTAINS 'pressure {n}' AND lang = 'en'",
    "path ENDS WITH '.csv' AND size <= {n} AND owner IS NOT NULL",
    "level != 'debug' AND code NOT IN (200, 201, 204, {n})",
)


def hand_written(count: int) -> list[str]:
    """So many filters in the text language, each form in turn."""
    return [HAND_WRITTEN[n % len(HAND_WRITTEN)].format(n=n) for n in range(count)]


def text_sets(count: int, seed: int) -> dict[str, list[str]]:
    """The texts to be read, by what they are."""
    return {
        "2002 workload": filters(Scenario2002(I=count), seed)[1],
        "2001 workload": filters(Scenario2001(F=count), seed)[1],
        "hand-written": hand_written(count),
    }


def parse_all(texts: list[str]) -> Callable[[], None]:
    """One call of `parse` for each text."""

    def action() -> None:
        for text in texts:
            parse(text)

    return action


def subscribe_all(texts: list[str]) -> Callable[[], None]:
    """One `subscribe_many` into an empty table, twenty interfaces in turn."""
    interfaces = [f"i{n % 20}" for n in range(len(texts))]

    def action() -> None:
        ForwardingTable("counting").subscribe_many(interfaces, texts)

    return action


def measure(name: str, texts: list[str], repeats: int) -> dict[str, Cell]:
    """One row: the times, and the rates of the median."""
    progress(f"{name}: {len(texts):,} filters")
    parsing = repeat(parse_all(texts), repeats)
    subscribing = repeat(subscribe_all(texts), repeats)
    return {
        "texts": name,
        "filters": len(texts),
        "characters each": sum(map(len, texts)) / len(texts),
        "parse µs": parsing.times(1e6 / len(texts)),
        "parse filters/s": len(texts) / parsing.median,
        "subscribe_many µs": subscribing.times(1e6 / len(texts)),
        "subscribe_many filters/s": len(texts) / subscribing.median,
    }


def main() -> None:
    """Run at the scale asked for."""
    options = arguments(__doc__)
    report = Report(__doc__ or "", options)
    sets = text_sets(SIZES[options.scale], options.seed)
    report.add(
        "Reading filters; µs per filter",
        [measure(name, texts, options.repeats) for name, texts in sets.items()],
    )
    report.finish()


if __name__ == "__main__":
    main()
