"""What the benchmark of routers stands on: the paper's workloads, alike in all formats, and its times."""

import pytest

from penstock.papers.structures.contest import LIST_WITH_MEMORY, Contest
from penstock.papers.structures.process import Loopback, RouterProcess
from penstock.papers.structures.topology import transit_stub
from penstock.papers.structures.workload import FORMATS, PAYLOAD, Workload, heaviest, typical
from penstock.structures import Link
from router.counts import count_loads
from router.measure import measure, published

SEED = 3


@pytest.fixture(scope="module", params=["baseball", "traffic"])
def contest(request: pytest.FixtureRequest) -> Contest:
    return Contest.draw(heaviest, request.param, SEED)


def taken(contest: Contest, format_: str) -> list[set[Link]]:
    """The links that each message goes to."""
    sent: list[tuple[Link, bytes]] = []
    process = contest.filled(format_, lambda link, frame: sent.append((link, frame)))
    found: list[set[Link]] = []
    for frame in contest.workloads[format_].messages:
        sent.clear()
        process.forward(frame)
        assert all(each.endswith(PAYLOAD) for _, each in sent)
        found.append({link for link, _ in sent})
    return found


def test_the_heaviest_router_takes_1200_subscriptions_and_1000_messages(contest: Contest) -> None:
    for format_ in FORMATS:
        assert len(contest.workloads[format_].subscriptions) == 1_200
    assert len(contest.workloads["disjoint"].messages) == 1_000
    assert 990 <= len(contest.workloads["graph"].messages) == len(contest.workloads["list"].messages) <= 1_000


def test_all_formats_send_alike(contest: Contest) -> None:
    wanted = taken(contest, "list")
    assert taken(contest, "graph") == taken(contest, LIST_WITH_MEMORY) == wanted
    for format_ in ("disjoint", "content"):  # whose first headers say nothing of who wants the message
        assert [links for links in taken(contest, format_) if links] == wanted
    copies = set[Link]().union(*taken(contest, "overlapping"))
    assert copies == set[Link]().union(*wanted)


@pytest.mark.parametrize("format_", FORMATS)
def test_the_typical_router_has_about_seven_subscribers(format_: str) -> None:
    workload: Workload = typical("traffic", format_, SEED)
    assert 5 <= len(workload.subscriptions) <= 9
    assert workload.messages


def test_the_network_has_1200_routers_and_is_drawn_alike_from_a_seed() -> None:
    graph = transit_stub(SEED)
    assert len(graph) == 1_200
    assert graph == transit_stub(SEED) != transit_stub(SEED + 1)
    reached = {0}
    for router in (waiting := [0]):
        waiting += [other for other in graph[router] if other not in reached]
        reached.update(graph[router])
    assert len(reached) == 1_200


def test_the_papers_list_is_12_times_as_slow_as_its_graph() -> None:
    printed = published()
    assert len(printed) == 16
    ratio = printed["heaviest", "traffic", "list"][0] / printed["heaviest", "traffic", "graph"][0]
    assert ratio == pytest.approx(12.5, abs=0.05)


def test_frames_arrive_through_the_socket() -> None:
    workload = heaviest("baseball", "list", SEED)
    with Loopback() as loopback:
        process = RouterProcess(workload.format, loopback.send)
        for subscription in workload.subscriptions:
            process.subscribe(subscription)
        process.forward(workload.messages[0])
        assert loopback.receive().endswith(PAYLOAD)


def test_times_are_those_of_all_formats() -> None:
    contest = Contest("heaviest", "traffic", {name: _short(name) for name in (*FORMATS, LIST_WITH_MEMORY)})
    times = measure(contest, repeats=2)
    assert [row["format"] for row in times.messages()] == [*FORMATS, LIST_WITH_MEMORY]
    printed = [row.get("paper, ms") for row in times.subscriptions()]
    assert printed == [33.0, 1139.2, 33.0, 138.8, None]
    assert {row["format"]: row["paper"] for row in times.against_graph()}[LIST_WITH_MEMORY] is None
    assert all(len(spent) == 2 for spent in times.alone.values())


def test_counts_stand_beside_those_of_the_paper() -> None:
    tables = count_loads(SEED, 1)
    assert [len(rows) for rows in tables.values()] == [16, 16]
    at_source = {(row["count"], row["format"]): row for row in tables["heaviest"]}
    games = at_source["ids per table", "disjoint"]
    assert games["baseball"] == games["baseball, paper"] == 465
    for row in tables["typical"]:
        for application in ("baseball", "traffic"):
            ours, paper = row[application], row[f"{application}, paper"]
            assert isinstance(ours, float)
            assert ours == pytest.approx(paper, rel=0.25)


def _short(name: str) -> Workload:
    drawn = heaviest("traffic", "list" if name == LIST_WITH_MEMORY else name, SEED)
    return Workload(drawn.format, drawn.subscriptions[:20], drawn.messages[:20])
