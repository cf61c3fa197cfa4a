"""Generated subscriptions: as many as ordered, all good but the mistyped, the same for the same seed."""

import hashlib
import re
import subprocess
import sys
from random import Random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock import FilterError, parse
from penstock.flights import wishes
from penstock.flights.departures import read_departures
from penstock.flights.mistakes import MISTAKES, mistype
from penstock.flights.subscriptions import Order, draw_subscriptions

ORDER = Order(good=6_000, mistyped=40, interfaces=1_000)
OPERATORS = [
    "=", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN (", "NOT carrier IN", "LIKE", "STARTS WITH", "ENDS WITH",
    "CONTAINS", "EXISTS", "NOT EXISTS", "IS NULL", "OR", "AND", "int dep_delay", "aircraft.model",
]  # fmt: skip
SCRIPT = """
import hashlib
from penstock.flights.departures import read_departures
from penstock.flights.subscriptions import Order, draw_subscriptions
rows = draw_subscriptions(read_departures().slice(0, 5000), Order(300, 10, 100))
print(hashlib.sha256(repr(rows.to_pylist()).encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def departures() -> pa.Table:
    return read_departures()


@pytest.fixture(scope="module")
def rows(departures: pa.Table) -> list[dict[str, str]]:
    found: list[dict[str, str]] = draw_subscriptions(departures, ORDER).to_pylist()
    return found


def is_good(text: str) -> bool:
    try:
        parse(text)
    except FilterError:
        return False
    return True


def test_there_are_as_many_as_ordered(rows: list[dict[str, str]]) -> None:
    good = [row for row in rows if is_good(row["filter"])]
    assert (len(good), len(rows)) == (ORDER.good, ORDER.good + ORDER.mistyped)
    assert len({row["interface"] for row in good}) == ORDER.interfaces
    assert len({row["id"] for row in rows}) == len(rows)


def test_the_main_job_orders_a_hundred_thousand_on_a_thousand_interfaces() -> None:
    assert (Order().good, Order().interfaces) == (100_000, 1_000)


@pytest.mark.parametrize("operator", OPERATORS)
def test_they_use_every_operator(rows: list[dict[str, str]], operator: str) -> None:
    wanted = re.compile(rf"(?<![\w<>!=]){re.escape(operator)}(?![\w<>=])")
    assert any(wanted.search(row["filter"]) for row in rows)


def test_mistakes_are_of_many_kinds_and_anywhere(rows: list[dict[str, str]]) -> None:
    places = [place for place, row in enumerate(rows) if not is_good(row["filter"])]
    assert min(places) < len(rows) / 4 < len(rows) * 3 / 4 < max(places)
    draw = Random(1)
    broken = {mistype(draw, "dest = 'MXP' AND hour >= 6 AND carrier IN ('UA', 'LX')") for _ in range(400)}
    assert len(broken) == len(MISTAKES)


def test_the_same_seed_gives_the_same_rows_in_any_process(departures: pa.Table) -> None:
    few = draw_subscriptions(departures.slice(0, 5000), Order(300, 10, 100))
    here = hashlib.sha256(repr(few.to_pylist()).encode()).hexdigest()
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == here
    assert draw_subscriptions(departures.slice(0, 5000), Order(300, 10, 100, seed=1)) != few


@given(st.integers(0, 2**32), st.data())
def test_every_wish_is_a_good_filter_until_it_is_mistyped(seed: int, data: st.DataObject) -> None:
    draw = Random(seed)
    kind = data.draw(st.sampled_from([name for name in wishes.__all__ if name.islower()]))
    text = getattr(wishes, kind)(draw, data.draw(SEEN))
    parse(text)
    with pytest.raises(FilterError):
        parse(mistype(draw, text))


AIRCRAFT = st.fixed_dictionaries(
    {"model": st.sampled_from(["737-824", "A320", "O'HARA 5"]), "seats": st.integers(1, 450)}
)
SEEN = st.fixed_dictionaries(
    {
        "flight": st.sampled_from(["UA1545", "9E3", "B61"]),
        "carrier": st.sampled_from(["UA", "9E", "HA"]),
        "tailnum": st.sampled_from([None, "N14228", "N9EAMQ", "D942DN"]),
        "origin": st.sampled_from(["EWR", "JFK", "LGA"]),
        "dest": st.sampled_from(["IAH", "BQN"]),
        "month": st.integers(1, 12),
        "day": st.integers(1, 31),
        "hour": st.integers(1, 23),
        "aircraft": st.none() | AIRCRAFT,
    }
)
