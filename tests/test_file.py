"""A saved table comes back as it was, whatever happens to it afterwards; a damaged file is refused."""

import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import MAKERS, every_engine
from penstock import ForwardingTable, Limits, PenstockError, Predicate
from penstock.errors import FilterLimitError, TableFileError, UnknownSubscriptionError
from penstock.oracle import matches
from strategies import interfaces, messages_near, predicates

Maker = Callable[[], ForwardingTable]
Rows = list[tuple[str, Predicate]]

rows = st.lists(st.tuples(interfaces, predicates), max_size=6)


@contextmanager
def new_path() -> Iterator[Path]:
    with TemporaryDirectory() as directory:
        path = Path(directory, "table")
        yield path
        assert {each.name for each in path.parent.iterdir()} <= {"table"}, "something was left behind"


def check(table: ForwardingTable, model: dict[int, tuple[str, Predicate]], message: Any) -> None:
    expected = {name for name, predicate in model.values() if matches(predicate, message)}
    assert sorted(table.match(message)) == sorted(expected)
    assert {number: row for number, *row in table.subscriptions()} == {
        number: list(row) for number, row in model.items()
    }
    assert set(table.interfaces) == {name for name, _ in model.values()}


@every_engine
@given(before=rows, gone=st.sets(st.integers(0, 5)), after=rows, data=st.data())
def test_a_loaded_table_goes_on_where_it_was(
    make_table: Maker, before: Rows, gone: set[int], after: Rows, data: st.DataObject
) -> None:
    table = make_table()
    model = {table.subscribe(*row): row for row in before}
    given_out = list(model)
    stale = [given_out[index] for index in gone if index < len(given_out)]
    for number in stale[: len(stale) // 2]:
        table.unsubscribe(number)
        del model[number]
    message = data.draw(messages_near([predicate for _, predicate in (*before, *after)]))
    with new_path() as path:
        table.save(path)
        saved = path.read_bytes()
        loaded = ForwardingTable.load(path)
        assert (loaded.engine, loaded.rounds) == (table.engine, table.rounds)
        check(loaded, model, message)
        of_loaded = dict(model)
        for number in stale[len(stale) // 2 :]:
            loaded.unsubscribe(number)
            del of_loaded[number]
        for number in stale:
            with pytest.raises(UnknownSubscriptionError):
                loaded.unsubscribe(number)
        for row in after:
            number = loaded.subscribe(*row)
            assert number not in given_out, "an id was given out twice"
            of_loaded[number] = row
        check(loaded, of_loaded, message)
        check(table, model, message)
        assert path.read_bytes() == saved, "the file has changed"
        check(ForwardingTable.load(path), model, message)
        loaded.save(path)  # over the file that it lies in
        check(loaded, of_loaded, message)
        check(ForwardingTable.load(str(path)), of_loaded, message)


def sample(make_table: Maker = MAKERS["access"]) -> ForwardingTable:
    """All ways for a filter to stand in the index, and enough of them for sections of several pages."""
    forms = [
        "carrier = 'c{0}' AND price < {0}",
        "price >= {0}.5 AND price <= {0}.75",
        "note CONTAINS 'n{0}' AND dest != 'd{0}'",
        "dest IN ('a{0}', 'b{0}') OR carrier LIKE 'x{0}%'",
        "EXISTS gate AND NOT EXISTS name{0}",
        "seats != {0}",
    ]
    table = make_table()
    for number in range(120):
        table.subscribe(f"i{number % 30}", forms[number % len(forms)].format(number))
        table.subscribe(f"i{number % 7}", "carrier = 'UA'")
    for number, _, _ in list(table.subscriptions())[::9]:
        table.unsubscribe(number)
    return table


@every_engine
def test_the_loaded_table_outlives_its_file(make_table: Maker, tmp_path: Path) -> None:
    table = sample(make_table)
    table.save(tmp_path / "table")
    loaded = ForwardingTable.load(tmp_path / "table")
    (tmp_path / "table").unlink()
    del table
    assert len(loaded.match({"carrier": "UA"})) >= 7
    loaded.build()
    assert loaded.stats().subscriptions == len(loaded)


def test_limits_are_saved_too(tmp_path: Path) -> None:
    ForwardingTable(limits=Limits(filters=2)).save(tmp_path / "table")
    loaded = ForwardingTable.load(tmp_path / "table")
    with pytest.raises(FilterLimitError):
        loaded.subscribe("alice", "a = 1 OR b = 1 OR c = 1")
    loaded.subscribe("alice", "a = 1 OR b = 1")


# The header says where the list of sections starts, and how many there are.
HEADER = struct.Struct("<8sIIQQQQQQ")
SECTION = struct.Struct("<QQQII")


def sections(content: bytes) -> list[tuple[int, int]]:
    """Where each section starts and ends."""
    _, _, _, _, list_at, count, *_ = HEADER.unpack_from(content)
    found = [SECTION.unpack_from(content, list_at + index * SECTION.size) for index in range(count)]
    return [(at, at + count * size) for at, count, _, size, _ in found]


def refusal(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(TableFileError) as raised:
        ForwardingTable.load(path)
    assert isinstance(raised.value, PenstockError)
    assert raised.value.path == str(path)
    return raised.value.message


@every_engine
def test_a_file_that_is_cut_is_refused(make_table: Maker, tmp_path: Path) -> None:
    path = tmp_path / "table"
    sample(make_table).save(path)
    content = path.read_bytes()
    edges = {edge for section in sections(content) for edge in section}
    assert len(edges) > 30
    for cut in {0, 1, HEADER.size - 1, HEADER.size, len(content) - 1, *edges, *(edge - 1 for edge in edges)}:
        message = refusal(path, content[:cut])
        assert "truncated" in message or cut == 0
    assert "longer" in refusal(path, content + b"\0")


@every_engine
def test_a_file_with_a_flipped_byte_is_refused(make_table: Maker, tmp_path: Path) -> None:
    path = tmp_path / "table"
    sample(make_table).save(path)
    content = path.read_bytes()
    places = {place for begin, end in sections(content) if begin < end for place in (begin, end - 1)}
    for place in {*range(HEADER.size), *places, len(content) - SECTION.size}:
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        refusal(path, bytes(damaged))
    path.write_bytes(content)
    assert len(ForwardingTable.load(path)) == len(sample())


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table"
    sample().save(path)
    content = bytearray(path.read_bytes())
    (version,) = struct.unpack_from("<I", content, 12)
    struct.pack_into("<I", content, 12, version + 1)
    assert "a newer version" in refusal(path, bytes(content))
    struct.pack_into("<I", content, 12, version - 1)
    assert "an older version" in refusal(path, bytes(content))
    assert "not a table of penstock" in refusal(path, b"a,b\n1,2\n" * 100)
    with pytest.raises(FileNotFoundError):
        ForwardingTable.load(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        ForwardingTable.load(tmp_path)


def test_what_is_no_path_is_refused(tmp_path: Path) -> None:
    table = ForwardingTable()
    wrong: Any
    for wrong in (None, 3, ["table"]):
        with pytest.raises(TypeError):
            table.save(wrong)
        with pytest.raises(TypeError):
            ForwardingTable.load(wrong)
    for call in (table.save, ForwardingTable.load):
        with pytest.raises(ValueError, match="null"):
            call(f"{tmp_path}/a\0b")
    assert list(tmp_path.iterdir()) == []


def test_a_save_that_fails_changes_nothing(tmp_path: Path) -> None:
    table = sample()
    with pytest.raises(FileNotFoundError):
        table.save(tmp_path / "none" / "table")
    with pytest.raises(IsADirectoryError):
        table.save(tmp_path)
    with pytest.raises(OSError, match="too long"):
        table.save(tmp_path / ("x" * 300))
    assert list(tmp_path.iterdir()) == []
    table.save(tmp_path / "table")


MATCH = """
import sys
from penstock import ForwardingTable
table = ForwardingTable.load(sys.argv[1])
print(sorted(table.match({"carrier": "UA", "seats": 5})), flush=True)
table.subscribe(sys.argv[2], "carrier = 'UA'")
sys.stdin.readline()
print(sys.argv[2] in table.match({"carrier": "UA"}), len(table))
"""


def test_processes_share_a_file_but_not_their_changes(tmp_path: Path) -> None:
    table = sample()
    table.save(tmp_path / "table")
    expected = str(sorted(table.match({"carrier": "UA", "seats": 5})))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", MATCH, str(tmp_path / "table"), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("alice", "bob")
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == expected
    for process in processes:  # by now both have the file, and their own subscription
        output, _ = process.communicate("\n")
        assert (output.strip(), process.returncode) == (f"True {len(table) + 1}", 0)
    assert len(ForwardingTable.load(tmp_path / "table")) == len(table)


@every_engine
def test_saving_while_others_match_and_subscribe(make_table: Maker, tmp_path: Path) -> None:
    table = sample(make_table)
    base = len(table)
    started, done = threading.Barrier(3), threading.Event()
    wrong: list[object] = []

    def match() -> None:
        started.wait()
        while not done.is_set():
            if "always" not in table.match({"always": 1}):
                wrong.append("lost")

    def subscribe() -> None:
        started.wait()
        while not done.is_set():
            table.subscribe_many(["pair"] * 2, ["carrier = 'UA'", f"price = {len(table)}"])

    table.subscribe("always", "EXISTS always")
    threads = [threading.Thread(target=run) for run in (match, subscribe)]
    for thread in threads:
        thread.start()
    started.wait()
    for number in range(8):
        table.save(tmp_path / f"table{number}")
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    for number in range(8):
        loaded = ForwardingTable.load(tmp_path / f"table{number}")
        assert (len(loaded) - base - 1) % 2 == 0, "half of a bulk was saved"
        assert "always" in loaded.match({"always": 1})
        assert len(list(loaded.subscriptions())) == len(loaded)
