"""What the experiments of both papers share: tables filled alike, agreement first, shapes of curves."""

import pyarrow as pa
import pytest

from penstock import ForwardingTable
from penstock.errors import ExperimentError
from penstock.papers.experiment import Readings
from penstock.papers.forwarding import (
    ACCESS,
    COUNTING,
    SELECTIVITY,
    Census,
    Effort,
    abreast,
    agreed,
    growth,
    largest,
    timed,
    together,
    work,
)
from penstock.papers.timing import count
from penstock.workload import Scenario2001, Scenario2002

PART = pa.table(
    {"interface": ["a", "b", "a"], "filter": ["int x = 1", "int x > 0", "int y = 2 AND int x < 9"]}
)
SENT = [{"x": 1}, {"x": 5, "y": 2}, {"z": 1}]


def filled() -> dict[str, ForwardingTable]:
    tables = {each.name: each.table() for each in (COUNTING, SELECTIVITY, ACCESS)}
    together(list(tables.values()), [PART.slice(0, 2), PART.slice(2)])
    return tables


def test_all_tables_are_filled_with_every_part() -> None:
    for name, table in filled().items():
        assert table.engine == name
        assert [sorted(table.match(message)) for message in SENT] == [["a", "b"], ["a", "b"], []]


def test_an_error_in_a_part_is_not_lost_in_a_thread() -> None:
    with pytest.raises(ValueError, match="int x"):
        together([COUNTING.table()], [pa.table({"interface": ["a"], "filter": ["int x ="]})])


def test_selectivity_takes_the_rounds_of_the_paper() -> None:
    assert (SELECTIVITY.table().rounds, COUNTING.table().rounds) == (10, 0)


def test_agreement_counts_interfaces() -> None:
    tables = filled()
    assert agreed({COUNTING: tables["counting"], ACCESS: tables["access"]}, SENT) == [2, 2, 0]


@pytest.mark.parametrize(
    ("filters", "said"), [(["int x = 1"], "other numbers"), (["int x = 1", "int x > 0"], "other interfaces")]
)
def test_tables_that_disagree_are_not_measured(filters: list[str], said: str) -> None:
    other = ACCESS.table()
    other.subscribe_many(["c", "b"][: len(filters)], filters)
    with pytest.raises(ExperimentError, match=said):
        agreed({COUNTING: filled()["counting"], ACCESS: other}, SENT[:1])


def test_a_time_is_a_spread_of_microseconds_for_each_message() -> None:
    reading = timed(filled()["access"], SENT, Effort(3, 0.001), ("access, I=2", 3, "time"))
    assert (reading.series, reading.x, reading.quantity, reading.unit) == ("access, I=2", "3", "time", "µs")
    assert 0 < reading.low <= reading.value <= reading.high


def test_work_is_per_message() -> None:
    assert work(filled()["counting"], SENT, "matched") == pytest.approx(4 / 3)


def test_effort_goes_through_the_settings_of_a_point() -> None:
    assert Effort.of(Effort.at("full").settings()) == Effort.at("full")


def test_growth_is_a_power() -> None:
    curve = [(10.0**n, 7 * 10.0 ** (n / 2)) for n in range(5)]
    assert growth(curve) == pytest.approx(0.5)
    assert growth([(1, 1), (10, 50), (100, 50), (1000, 50)], since=10) == pytest.approx(0)


def test_the_largest_is_the_end_of_the_curve() -> None:
    assert largest(Readings([count("s", 10, "q", 3), count("s", 9, "q", 5)]), "q", "s") == (10, 3)


def test_curves_stand_abreast_where_all_were_measured() -> None:
    rows = [count("a", x, "q", x) for x in (1, 10, 100)] + [count("b", x, "q", 2 * x) for x in (1, 10)]
    assert abreast(Readings(rows), "q", ["a", "b"]) == (10, [10, 20])


def test_curves_are_named_after_their_interfaces() -> None:
    assert (COUNTING.on(20), ACCESS.on(0)) == ("counting, I=20", "access, I=F")


@pytest.mark.parametrize("scenario", [Scenario2001(F=500, N=50), Scenario2002(I=500, M=50)])
def test_shares_of_a_census_add_up(scenario: Scenario2001 | Scenario2002) -> None:
    readings = Readings(Census.of(scenario, 1).readings())
    shares = readings.series("share")
    assert len(shares) == (5 if isinstance(scenario, Scenario2001) else 4)
    for series in shares:
        total = sum(readings.get("share", series, x) for x in readings.xs("share", series))
        assert total == pytest.approx(100)
    assert readings.get("parameter", "messages", "number") == 50
