"""Threads that match while others subscribe find what stays, under its own name."""

import threading
from collections.abc import Callable

import pyarrow as pa
from topic_world import every_scheme

from penstock.topics import Scheme, TopicTable

ROUNDS = 200


def together(*work: Callable[[int], None]) -> None:
    """Run each in a thread of its own, and raise what one of them raised."""
    failures: list[BaseException] = []

    def run(each: Callable[[int], None]) -> None:
        try:
            for number in range(ROUNDS):
                each(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(each,)) for each in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


@every_scheme
def test_what_stays_is_found_while_ids_change_hands(scheme: Scheme) -> None:
    table = TopicTable(scheme)
    table.subscribe("a/b", "always")
    topics = pa.array(["a/b/c"] * 10)

    def change(number: int) -> None:
        one = table.subscribe("a/*", f"first {number}")
        two = table.subscribe("a/b/c", f"second {number}")
        table.unsubscribe(one)
        table.unsubscribe(two)

    def watch(_: int) -> None:
        names = table.match("a/b/c")
        assert "always" in names
        assert all(name == "always" or name.startswith(("first ", "second ")) for name in names)
        assert len(set(names)) == len(names)

    def watch_batch(_: int) -> None:
        for answer in table.match_batch(topics, names=True).to_pylist():
            assert answer is not None
            assert "always" in answer

    together(change, change, watch, watch, watch_batch)
    assert table.match("a/b/c") == ("always",)
    assert len(table) == 1
