"""Python threads share a table: no errors, no waiting for ever, no answer that is half of a change."""

from __future__ import annotations

import gc
import json
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest

from engines import every_engine
from penstock import FilterError, ForwardingTable

Maker = Callable[[], ForwardingTable]
MESSAGE = {"a": 1, "text": "some text"}
ROWS = pa.table({"a": [1] * 100, "text": ["some text"] * 100})
ROUNDS = 60


@pytest.fixture(autouse=True)
def switch_often() -> Iterator[None]:
    """Threads of Python change places as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def run(workers: list[Callable[[int], object]], watchers: list[Callable[[], object]]) -> None:
    """Each in a thread of its own, the watchers until the last worker is done; raises the first error."""
    errors: list[BaseException] = []
    left = threading.Semaphore(0)
    done = threading.Event()

    def work(worker: Callable[[int], object]) -> None:
        try:
            for number in range(ROUNDS):
                worker(number)
        except BaseException as error:
            errors.append(error)
        left.release()

    def watch(watcher: Callable[[], object]) -> None:
        try:
            while not done.is_set():
                watcher()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    threads += [threading.Thread(target=watch, args=(watcher,)) for watcher in watchers]
    for thread in threads:
        thread.start()
    for _ in workers:
        left.acquire()
    done.set()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@every_engine
def test_everything_at_once(make_table: Maker) -> None:
    table = make_table()
    table.subscribe("always", "a = 1 AND text CONTAINS 'me t'")

    def change(number: int) -> None:
        one = table.subscribe(f"other {number % 5}", f"a < {number} OR text STARTS WITH 'some'")
        many = table.subscribe_many(["left", "right"], ["a = 1", "text = 'some text'"])
        assert one in table
        for id_ in [one, *many.tolist()]:
            table.unsubscribe(id_)
        assert one not in table
        if number % 20 == 0:
            table.build()
        if number % 20 == 10:
            table.observe([MESSAGE, {"a": 2}])

    def match_mapping() -> None:
        names = table.match(MESSAGE)
        assert len(set(names)) == len(names)
        assert "always" in names
        assert table.match(MESSAGE, only=["always"]) == ["always"]

    def match_json() -> None:
        assert table.interfaces["always"] in table.match_json(json.dumps(MESSAGE)).tolist()

    def match_batch() -> None:
        rows: list[Any] = table.match_batch(ROWS, names=True).to_pylist()
        assert "always" in rows[0]
        assert all(sorted(row) == sorted(rows[0]) for row in rows), "rows of one batch saw different tables"

    def look() -> None:
        assert table.explain(MESSAGE, "always").matched
        stats = table.stats()
        assert stats.subscriptions >= stats.interfaces >= 1
        assert ("always", "a = 1 AND text CONTAINS 'me t'") in {
            (interface, str(predicate)) for _, interface, predicate in table.subscriptions()
        }

    run([change, change], [match_mapping, match_json, match_batch, look])
    assert table.match(MESSAGE) == ["always"]
    assert len(table) == 1


@every_engine
def test_a_bulk_is_seen_whole_or_not_at_all(make_table: Maker) -> None:
    table = make_table()
    table.subscribe("always", "a = 1")
    filters = ["a = 1", *(f"b = {number}" for number in range(20)), "a = 1", "text = 'some text' AND a = 1"]
    names = ["left", *["filler"] * 20, "right", "right"]

    def change(_: int) -> None:
        for id_ in table.subscribe_many(names, filters).tolist():  # the first goes first
            table.unsubscribe(id_)

    def fail(_: int) -> None:
        with pytest.raises(FilterError):
            table.subscribe_many(["never", "never", "never"], ["a = 1", "text = 'some text'", "a ="])

    def watch() -> None:
        found = table.match(MESSAGE)
        assert "always" in found
        assert "never" not in found
        assert "left" not in found or "right" in found

    run([change, fail], [watch, watch])
    assert table.match(MESSAGE) == ["always"]


class Finalised:
    """Garbage that only the collector finds, and that uses the table when it goes."""

    errors: list[str]

    def __init__(self, table: ForwardingTable, errors: list[str]) -> None:
        self.table, self.errors, self.itself = table, errors, self

    def __del__(self) -> None:
        try:
            self.table.match(MESSAGE)
            self.table.unsubscribe(self.table.subscribe("late", "a = 1"))
        except RuntimeError as error:
            self.errors.append(str(error))


@every_engine
def test_finalisers_may_use_the_table_wherever_they_run(make_table: Maker) -> None:
    table, errors = make_table(), list[str]()
    table.subscribe("always", "a = 1")
    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(30):
            Finalised(table, errors)
            table.subscribe("other", "b = 1")
            table.match({"a": 1, "detail": {"b": "x"}})
            Finalised(table, errors)
            with pytest.raises(FilterError):
                table.subscribe_many(["x", "y"], ["a = 1", "a ="])
    finally:
        gc.set_threshold(*before)
    assert set(errors) <= {"this thread is in the middle of another change of the table"}
    assert table.match(MESSAGE) == ["always"]
