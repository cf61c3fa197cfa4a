"""What workers do, without Spark: many more examples than there could be jobs."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from oracle_rows import Wanted, interfaces_of, texts
from penstock.errors import ArrowError, TableFileError
from penstock.model import Message
from penstock.spark import worker
from penstock.spark.reference import TableRef
from penstock.spark.worker import Forwarding, shard_table
from strategies import interfaces, messages_near, predicates
from without_spark import compile_here, cut

places = st.lists(st.integers(0, 50), max_size=4)
subscriptions = st.lists(st.tuples(interfaces, predicates), max_size=12)
TOO_LONG = "x" * 65_537


def flat(message: Message) -> dict[str, Any]:
    """The message with dotted names: a column has them in all rows, or in none."""
    nested = {name: value for name, value in message.items() if isinstance(value, Mapping)}
    dotted = {f"{name}.{inner}": value for name, part in nested.items() for inner, value in part.items()}
    return {**{name: value for name, value in message.items() if name not in nested}, **dotted}


@st.composite
def columns(draw: st.DrawFn, wanted: Wanted) -> list[dict[str, Any]]:
    """Messages in which a name has one type."""
    drawn = draw(st.lists(messages_near([predicate for _, predicate in wanted]), max_size=12))
    types: dict[str, type] = {}
    rows = []
    for message in drawn:
        row = {name: value for name, value in flat(message).items() if value is not None}
        rows.append({n: v for n, v in row.items() if types.setdefault(n, type(v)) is type(v)})
    return rows


def as_batch(rows: list[dict[str, Any]], bad: set[int]) -> pa.RecordBatch:
    """The messages as columns, some of them no messages at all."""
    names = sorted({name for row in rows for name in row})
    columns = {name: pa.array([row.get(name) for row in rows]) for name in names}
    columns["long"] = pa.array(
        [TOO_LONG if number in bad else None for number in range(len(rows))], pa.string()
    )
    return pa.RecordBatch.from_pydict({"id": pa.array(range(len(rows)), pa.int32()), **columns})


@settings(max_examples=60)
@given(subscriptions, st.lists(interfaces, max_size=3), places, st.data())
def test_every_way_of_cutting_gives_what_the_oracle_says(
    wanted: Wanted, bounds: list[str], cuts: list[int], data: st.DataObject
) -> None:
    rows = data.draw(columns(wanted))
    bad = data.draw(st.just(set()) | st.sets(st.integers(0, 11)))
    batch = as_batch(rows, bad)
    expected = [None if n in bad else interfaces_of(wanted, row) for n, row in enumerate(rows)]
    with TemporaryDirectory() as directory:
        table = compile_here(texts(wanted), Path(directory), bounds, cuts)
        assert (table.subscriptions, table.rejected) == (len(wanted), 0)
        event(f"{table.shards} shards")
        names = batch.schema.names
        attributes = tuple((place, name) for place, name in enumerate(names) if name != "id")
        for by_name in (True, False):
            plan = Forwarding(table, (0,), attributes, None, by_name)
            found = [row for part in plan.run(iter(cut(batch, cuts))) for row in part.to_pylist()]
            assert [row["0"] for row in found] == list(range(len(rows)))
            known = sorted({interface for interface, _ in wanted})
            got = [row["1"] if by_name or row["1"] is None else [known[n] for n in row["1"]] for row in found]
            assert [answer and sorted(answer) for answer in got] == expected
            assert [row["2"] is not None for row in found] == [answer is None for answer in expected]


def test_large_answers_are_given_in_small_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "RESULTS", 1000)
    table = compile_here([(f"i{n:03}", "a >= 0") for n in range(100)], tmp_path, [], [])
    batch = pa.RecordBatch.from_pydict({"a": list(range(5000))})
    answers = list(Forwarding(table, (), ((0, "a"),), None, True).run(iter([batch, batch])))
    assert sum(map(len, answers)) == 10_000
    assert max(len(answer) for answer in answers[1:]) == 10
    assert all(len(row["0"]) == 100 for answer in answers for row in answer.to_pylist())


def test_many_bad_rows_cost_themselves_only(tmp_path: Path) -> None:
    table = compile_here([("i", "a = 'x' OR b = 1")], tmp_path, [], [])
    bad = {0, 1, 5, 63, 64, 65, 127, 200, 299}
    values = pa.array([TOO_LONG if n in bad else "x" for n in range(300)])
    both = pa.array([TOO_LONG if n in {5, 6} else None for n in range(300)])
    batch = pa.RecordBatch.from_arrays([values, both], ["a", "c"])
    (found,) = Forwarding(table, (), ((0, "a"), (1, "c")), None, True).run(iter([batch]))
    bad |= {6}
    assert found.column(0).to_pylist() == [None if n in bad else ["i"] for n in range(300)]
    errors = found.column(1).to_pylist()
    assert {n for n, error in enumerate(errors) if error} == bad
    assert errors[6] == "attribute 'c': is a string of 65537 bytes; the limit is 65536"


def test_a_process_holds_the_tables_that_are_in_use(tmp_path: Path) -> None:
    tables = [compile_here([("i", f"a = {n}")], tmp_path, [], []) for n in range(3)]
    first = shard_table(tables[0], 0)
    assert shard_table(tables[0], 0) is first
    tables[0].shard(0).unlink()
    shard_table(tables[1], 0)
    assert shard_table(tables[0], 0) is first
    shard_table(tables[2], 0)
    shard_table(tables[1], 0)
    with pytest.raises(TableFileError, match=r"is not there on .*: put tables where all workers see them"):
        shard_table(tables[0], 0)


def test_versions_that_are_there_are_left_alone(tmp_path: Path) -> None:
    rows = [("i", "a = 1"), ("bad", "a =")]
    table = compile_here(rows, tmp_path, [], [])
    before = {path: path.stat().st_mtime_ns for path in table.directory.rglob("*")}
    compile_here([("i", "a = 2")], tmp_path, [], [])
    assert compile_here(rows, tmp_path, [], [1]) == table == TableRef.open(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in table.directory.rglob("*")} == before


def test_a_version_without_manifest_is_none_and_is_completed(tmp_path: Path) -> None:
    table = compile_here([("i", "a = 1")], tmp_path, [], [])
    (table.directory / "manifest.json").unlink()
    with pytest.raises(TableFileError, match="holds no version"):
        TableRef.open(tmp_path, table.version)
    assert compile_here([("i", "a = 1")], tmp_path, [], []) == table


def test_a_column_that_no_table_takes_stops_the_job(tmp_path: Path) -> None:
    table = compile_here([("i", "a = 1")], tmp_path, [], [])
    batch = pa.RecordBatch.from_pydict({"a": [[1, 2]]})
    with pytest.raises(ArrowError):
        list(Forwarding(table, (), ((0, "b"),), "a", True).run(iter([batch])))
