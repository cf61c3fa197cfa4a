"""Both tables of the match-structure paper: numbers that are exact, and points that measure what they say."""

from collections import Counter

import pytest

from penstock.papers import Point, Reading, Readings
from penstock.papers.experiment import Setting
from penstock.papers.structures.cells import COLUMNS
from penstock.papers.structures.content import ScenarioContent
from penstock.papers.structures.table1 import TABLE1
from penstock.papers.structures.table2 import TABLE2
from penstock.papers.structures.workload import APPLICATIONS, FORMATS, INCLUSIVE, draw_tree, typical
from penstock.structures import Baseball, Traffic

SEED = 5


def counted(application: str, format_: str, runs: int = 1) -> Readings:
    settings: dict[str, Setting] = {"application": application, "format": format_, "runs": runs, "seed": SEED}
    return Readings(TABLE1.measure(Point("p", settings)))


def test_the_heaviest_router_holds_465_games_and_210_alerts() -> None:
    assert counted("baseball", "disjoint").get("ids per table", "disjoint", "heaviest baseball") == 465
    assert counted("traffic", "disjoint").get("ids per table", "disjoint", "heaviest traffic") == 209
    wider = counted(INCLUSIVE, "disjoint")
    assert wider.series("ids per table") == ["disjoint, first stretch included"]
    assert wider.get("ids per table", "disjoint, first stretch included", "heaviest traffic") == 210


def test_ids_that_there_is_one_of_are_exactly_one() -> None:
    for format_ in ("overlapping", "list", "graph"):
        found = counted("traffic", format_)
        for router in ("typical", "heaviest"):
            assert found.get("ids per subscription", format_, f"{router} traffic") == 1
    assert (
        counted("traffic", "overlapping").get("ids per notification", "overlapping", "heaviest traffic") == 1
    )


def test_a_mean_of_runs_has_the_lowest_and_the_highest_beside_it() -> None:
    found = counted("baseball", "list", runs=2).at("ids per table", "list", "typical baseball")
    assert found.low < found.value < found.high
    first = counted("baseball", "list").get("ids per table", "list", "typical baseball")
    assert first in (found.low, found.high)


def test_the_sweep_has_every_cell_of_the_table() -> None:
    cells = {(point.settings["application"], point.settings["format"]) for point in TABLE1.sweep("full")}
    assert cells == {(a, f) for a in APPLICATIONS for f in FORMATS} | {(INCLUSIVE, "disjoint")}
    assert all(point.settings["runs"] == 20 for point in TABLE1.sweep("full"))
    columns = {
        f"{point.settings['router']} {point.settings['application']}" for point in TABLE2.sweep("full")
    }
    assert columns == set(COLUMNS)


def test_times_stand_beside_those_of_the_graph() -> None:
    settings: dict[str, Setting] = {
        "router": "typical",
        "application": "baseball",
        "runs": 1,
        "repeats": 1,
        "seed": SEED,
    }
    found = Readings(TABLE2.measure(Point("p", settings)))
    column = "typical baseball"
    for quantity in ("time for notifications", "time for subscriptions"):
        assert set(FORMATS) <= set(found.series(quantity))
        assert all(found.get(quantity, format_, column) > 0 for format_ in FORMATS)
    for quantity in ("notifications: times the graph", "subscriptions: times the graph"):
        assert "graph" not in found.series(quantity)
        assert {"overlapping", "disjoint", "list", "content"} <= set(found.series(quantity))


def test_claims_are_judged_by_what_was_found() -> None:
    names = [*FORMATS, "list that remembers"]
    times = [
        Reading(name, f"{router} {app}", quantity, unit, value, value, value)
        for router in ("typical", "heaviest")
        for app in APPLICATIONS
        for quantity, unit in (("time for notifications", "ms"), ("time for subscriptions", "ms"))
        for name, value in zip(names, [100.0, 1.0, 12.0, 1.0, 2.0, 5.0], strict=True)
    ]
    ratios = [
        Reading(row.series, row.x, quantity, "x", row.value, row.value, row.value)
        for row in times
        if row.quantity == "time for notifications" and row.series != "graph"
        for quantity in ("notifications: times the graph", "notifications without sends: times the graph")
    ]
    ten_times = [c for c in TABLE2.claims(Readings(times + ratios)) if c.text.startswith("§5")]
    assert [claim.holds for claim in ten_times] == [True]
    assert ten_times[0].found.startswith("12.0 times")


@pytest.mark.parametrize("application", [Baseball(6), Traffic(6), Traffic(6, inclusive=True)])
def test_content_wants_what_the_application_wants(application: Baseball | Traffic) -> None:
    for interest in application.interests(40, SEED):
        processor = ScenarioContent(application)
        table = processor.format.table()
        entries = processor.subscribe(interest)
        for entry in entries:
            table.add("a link", entry)
        for message in application.universe():
            (header,) = processor.headers(message)
            assert bool(table.forward(header)) == processor.wants(interest, message)
        assert processor.unsubscribe(interest) == entries


def test_the_typical_router_gets_what_flows_to_it() -> None:
    """Its messages are found along one way; the whole tree gives the same."""
    workload = typical("baseball", "disjoint", SEED)
    tree, processor = draw_tree("baseball", "disjoint", SEED)
    headers = [header for game in Baseball().messages(1_000, SEED) for header in processor.headers(game)]
    carried = Counter(router for header in headers for router, _ in tree.flow(header))
    routers = {link for link, _ in workload.subscriptions}
    assert len(workload.messages) in {count for router, count in carried.items() if router not in routers}
