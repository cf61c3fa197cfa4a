"""The comparison with other engines: its workloads, verdicts and bounds, none of which needs a peer."""

import json
import sys
from pathlib import Path

import pytest

from peers.agreement import ask_oracle, disagreement
from peers.bounds import Bounds, run_bounded
from peers.measure import Job, timed
from peers.options import sizes
from peers.peer import penstock
from peers.verdict import best, comparable, is_reached
from peers.workload import EVENTS, WORKLOADS, Drawn, Workload, draw
from penstock.table import ForwardingTable

SIZE = 20
AMPLE = Bounds(seconds=600, bytes=2**32)


@pytest.fixture(params=WORKLOADS, ids=lambda workload: workload.name)
def drawn(request: pytest.FixtureRequest, tmp_path: Path) -> Drawn:
    workload: Workload = request.param
    return draw(workload, SIZE, seed=7, folder=tmp_path)


def test_the_same_seed_draws_the_same_files(drawn: Drawn, tmp_path: Path) -> None:
    again = draw(drawn.workload, SIZE, seed=7, folder=tmp_path / "again")
    assert again.subscription_file.read_bytes() == drawn.subscription_file.read_bytes()
    assert again.event_file.read_bytes() == drawn.event_file.read_bytes()


def test_files_hold_what_was_drawn(drawn: Drawn) -> None:
    subscriptions = [json.loads(line) for line in drawn.subscription_file.read_text().splitlines()]
    assert [[tuple(each) for each in row] for row in subscriptions] == drawn.subscriptions
    assert [json.loads(line) for line in drawn.event_file.read_text().splitlines()] == drawn.events
    assert len(drawn.events) == EVENTS


def test_a_workload_uses_the_operators_that_it_declares(drawn: Drawn) -> None:
    used = {operator for subscription in drawn.subscriptions for _, operator, _ in subscription}
    assert used == drawn.workload.operators


def test_a_name_carries_values_of_one_type(drawn: Drawn) -> None:
    types: dict[str, set[type]] = {}
    pairs = [(name, value) for event in drawn.events for name, value in event.items()]
    pairs += [(name, value) for subscription in drawn.subscriptions for name, _, value in subscription]
    for name, value in pairs:
        types.setdefault(name, set()).add(type(value))
    assert all(len(each) == 1 for each in types.values())


def test_bounds_on_one_name_form_one_interval(drawn: Drawn) -> None:
    for subscription in drawn.subscriptions:
        directions = [(name, operator[0]) for name, operator, _ in subscription]
        assert len(set(directions)) == len(directions)
        exact = {name for name, operator, _ in subscription if operator[0] not in "<>"}
        assert not exact & {name for name, operator, _ in subscription if operator[0] in "<>"}


def test_every_other_event_was_made_to_match(drawn: Drawn) -> None:
    truth = ask_oracle(drawn)
    assert sum(bool(found) for found in truth.values()) >= 0.45 * len(truth)


def test_the_runner_of_penstock_agrees_with_the_oracle(drawn: Drawn, tmp_path: Path) -> None:
    peer = penstock(ForwardingTable().engine)
    result = tmp_path / "result.json"
    job = (drawn.subscription_file, drawn.event_file, result, 60, 0, 0.001, 2)
    command = [*peer.command(AMPLE.bytes), *map(str, job)]
    assert run_bounded(command, peer.environment, tmp_path / "log", AMPLE) is None
    handed_in = json.loads(result.read_text())
    assert disagreement(drawn, ask_oracle(drawn).items(), handed_in["matches"]) is None
    assert list(handed_in["ways"]) == ["dict", "json", "native"]
    assert all(len(way["seconds"]) == 2 for way in handed_in["ways"].values())


def test_a_disagreement_names_its_event_and_subscription(drawn: Drawn) -> None:
    right = [[3, 5], [1]]
    assert disagreement(drawn, enumerate(right), right) is None
    assert "event 1 has 1 missing and 1 extra, e.g. not subscription 1 " in str(
        disagreement(drawn, enumerate(right), [[3, 5], [2]])
    )
    assert "event 0 has 0 missing and 1 extra, e.g. subscription 9 " in str(
        disagreement(drawn, enumerate(right), [[3, 5, 9], [1]])
    )


def test_events_that_were_not_reached_are_not_compared(drawn: Drawn) -> None:
    assert disagreement(drawn, [(0, [3]), (1, [1])], [[3]]) is None


def test_peers_are_compared_with_the_best_of_ours_that_starts_from_the_same() -> None:
    ways = [{"dict": [4.0, 2.0, 3.0], "json": [9.0]}, {"dict": [5.0], "json": [7.0], "native": [1.0]}]
    ours = [{"ways": {way: {"seconds": times} for way, times in each.items()}} for each in ways]
    assert best(ours) == {"dict": 3.0, "json": 7.0}
    assert best([]) == {}
    assert [comparable(way) for way in ("text", "json", "parsed", "search")] == [
        "json",
        "json",
        "dict",
        "dict",
    ]


def test_large_tables_must_be_five_times_as_fast() -> None:
    assert is_reached(1.1, 1_000)
    assert not is_reached(1.0, 1_000)
    assert is_reached(5.0, 10_000)
    assert not is_reached(4.9, 10_000)


def test_a_process_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    assert run_bounded(command, {}, tmp_path / "log", Bounds(0.1, 2**32)) == "stopped after 0 s"


def test_a_process_that_takes_too_much_memory_is_stopped(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import time; held = b'x' * 2**27; time.sleep(600)"]
    assert run_bounded(command, {}, tmp_path / "log", Bounds(600, 2**26)) == "stopped above 0.1 GiB"


def test_a_process_that_fails_says_why(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('no translation for like')"]
    assert run_bounded(command, {}, tmp_path / "log", AMPLE) == "failed: no translation for like"


def test_slow_engines_are_timed_on_the_first_events(tmp_path: Path) -> None:
    job = Job(tmp_path, tmp_path, tmp_path, check=1, warm=10, slice=2, repeats=3)
    timing = timed(lambda events, passes: 1.0 * len(events) * passes, [{}] * 100, job)
    assert timing == {"events": 2, "seconds": [1.0, 1.0, 1.0]}


def test_sizes_are_written_with_or_without_thousands() -> None:
    assert sizes("1k,250,100k") == [1_000, 250, 100_000]
