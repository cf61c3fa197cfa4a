"""A saved table of topics comes back as it was, and goes its own way; other files are refused."""

import subprocess
import sys
from pathlib import Path

import pytest
from topic_world import every_scheme, filled

from penstock import ForwardingTable
from penstock.errors import FilterLimitError, TableFileError, UnknownSubscriptionError
from penstock.topics import Scheme, TopicTable

HELD = [("a/b", "x"), ("a/*/c", "y"), ("a/b", "y"), ("d", "x")]


@every_scheme
def test_everything_comes_back(scheme: Scheme, tmp_path: Path) -> None:
    table = TopicTable(scheme, levels=3)
    ids = [table.subscribe(*row) for row in HELD]
    table.unsubscribe(ids[2])
    table.save(tmp_path / "topics")
    loaded = TopicTable.load(str(tmp_path / "topics"))
    assert (loaded.scheme, loaded.levels) == (scheme, 3)
    assert list(loaded.subscriptions()) == list(table.subscriptions())
    assert dict(loaded.destinations) == dict(table.destinations)
    assert loaded.match("a/b/c") == table.match("a/b/c")
    with pytest.raises(UnknownSubscriptionError):
        loaded.unsubscribe(ids[2])
    with pytest.raises(FilterLimitError):
        loaded.subscribe("a/b/c/d", "z")
    loaded.unsubscribe(ids[0])
    assert loaded.subscribe("a/b", "z") not in ids
    assert sorted(loaded.match("a/b/c")) == ["y", "z"]
    assert sorted(table.match("a/b/c")) == ["x", "y"]
    assert sorted(TopicTable.load(tmp_path / "topics").match("a/b/c")) == ["x", "y"]


@every_scheme
def test_a_loaded_table_outlives_its_file_and_another_process_reads_it(
    scheme: Scheme, tmp_path: Path
) -> None:
    path = tmp_path / "topics"
    filled(scheme, [(f"a/{n}/*/{n}", f"d{n}") for n in range(3000)]).save(path)
    code = (
        "import sys; from penstock.topics import TopicTable as T; print(T.load(sys.argv[1]).match('a/7/x/7'))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "('d7',)\n"
    loaded = TopicTable.load(path)
    path.unlink()
    assert loaded.match("a/2999/x/2999") == ("d2999",)
    loaded.subscribe_many([f"b/{n}" for n in range(3000)], ["more"] * 3000)
    assert loaded.match("b/17") == ("more",)


@every_scheme
def test_a_damaged_file_is_refused(scheme: Scheme, tmp_path: Path) -> None:
    path = tmp_path / "topics"
    filled(scheme, HELD).save(path)
    content = path.read_bytes()
    for at in range(0, len(content), 97):
        path.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
        with pytest.raises(TableFileError):
            TopicTable.load(path)
    path.write_bytes(content[:-1])
    with pytest.raises(TableFileError, match="truncated"):
        TopicTable.load(path)


def test_tables_of_other_kinds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table"
    ForwardingTable().save(path)
    with pytest.raises(TableFileError) as raised:
        TopicTable.load(path)
    assert raised.value.path == str(path)
    TopicTable().save(path)
    with pytest.raises(TableFileError):
        ForwardingTable.load(path)
    with pytest.raises(FileNotFoundError):
        TopicTable.load(tmp_path / "missing")
    with pytest.raises(TypeError):
        TopicTable.load(5)  # type: ignore[arg-type]
