"""The report of 2001: its experiments at toy sizes, and claims that follow the readings."""

import pytest

from penstock.papers.experiment import Experiment, Point, Reading, Readings, Setting
from penstock.papers.fast2001 import EXPERIMENTS
from penstock.papers.fast2001.matches import FIGURE_10, FIGURE_11, REACHED
from penstock.papers.fast2001.scale import ENGINES, FIGURE_9, INTERFACES, NAMES
from penstock.papers.fast2001.settled import FIGURE_12
from penstock.papers.timing import count

TOY: dict[str, Setting] = {"A": 100, "I": 2, "sizes": "50 200", "messages": 20, "repeats": 2, "slice": 1e-4}


def measured(experiment: Experiment, settings: dict[str, Setting]) -> Readings:
    return Readings(experiment.measure(Point("toy", settings)))


def held(experiment: Experiment, rows: list[Reading]) -> dict[str, bool]:
    return {claim.text: claim.holds for claim in experiment.claims(Readings(rows))}


def curves(law: dict[int, float]) -> list[Reading]:
    """Times that grow with this power of the filters for so many interfaces; access takes a tenth."""
    return [
        count(engine.on(interfaces), size, f"time, A={names}", 1000 / names * size ** law[interfaces] / tenth)
        for names in NAMES
        for interfaces in INTERFACES
        for size in (1_000, 10_000, 100_000)
        for engine, tenth in zip(ENGINES, (1, 10), strict=True)
    ]


def test_both_engines_are_timed_at_every_size() -> None:
    readings = measured(FIGURE_9, TOY)
    assert readings.series("time, A=100") == ["counting, I=2", "access, I=2"]
    assert readings.xs("time, A=100", "access, I=2") == ["50", "200"]


def test_the_largest_table_of_the_report_is_there() -> None:
    for point in FIGURE_9.sweep("full"):
        assert str(point.settings["sizes"]).split()[-1] == "8000000"


def test_flat_curves_are_flat_and_rising_ones_are_not() -> None:
    flat = dict.fromkeys(INTERFACES, 0.01) | {0: 1.0}
    longer = [count("counting, I=F", 8_000_000, f"time, A={names}", 8e6) for names in NAMES]
    found = held(FIGURE_9, curves(flat) + longer)
    assert all(holds for text, holds in found.items() if "flat" in text or "by far the worst" in text)
    found = held(FIGURE_9, curves(flat | {200: 0.9}))
    assert not any(holds for text, holds in found.items() if "flat" in text)
    assert not any(holds for text, holds in found.items() if "orders of magnitude" in text)


def test_access_has_to_be_faster_everywhere() -> None:
    rows = curves(dict.fromkeys(INTERFACES, 0.5))
    text = next(claim.text for claim in FIGURE_9.claims(Readings(rows)) if claim.ours)
    assert held(FIGURE_9, rows)[text]
    slow = [
        count(row.series, row.x, row.quantity, 100 * row.value) if row.series == "access, I=50" else row
        for row in rows
    ]
    assert not held(FIGURE_9, slow)[text]


def test_shares_of_messages_add_up() -> None:
    readings = measured(FIGURE_10, {"A": 50, "sizes": "100 2000"})
    for quantity in ("messages, F=100", "messages, F=2,000"):
        assert readings.xs(quantity, "A=50") == list(REACHED)
        assert sum(readings.get(quantity, "A=50", x) for x in REACHED) == pytest.approx(100)


def test_more_filters_ignore_fewer_messages() -> None:
    curve = measured(FIGURE_11, {"A": 100, "sizes": "10 100 1000"}).curve("ignored", "A=100")
    assert [size for size, _ in curve] == [10, 100, 1000]
    shares = [share for _, share in curve]
    assert shares == sorted(shares, reverse=True)
    assert 100 >= shares[0] > shares[-1] > 0


def test_settled_interfaces_save_work() -> None:
    settings = TOY | {"sizes": "3000"}
    few = measured(FIGURE_12, settings).get("filters met, A=100", "counting, I=2", 3000)
    own = measured(FIGURE_12, settings | {"I": 0}).get("filters met, A=100", "counting, I=F", 3000)
    assert few < own


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.key)
def test_the_whole_sweep_is_smaller_at_the_small_scale(experiment: Experiment) -> None:
    small, full = experiment.sweep("small"), experiment.sweep("full")
    assert 0 < len(small) <= len(full)
    assert len({point.label for point in full}) == len(full)
