"""Subscriptions from files of every kind: the same table, and every row that was refused, by its place."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from trial import rows_of, small_blocks

from penstock.cli.inputs import find_subscriptions
from penstock.errors import InputError, LedgerError
from penstock.pipeline import compile as compile_module
from penstock.pipeline.compile import compile_files
from penstock.pipeline.stage import Stages
from penstock.pipeline.subscriptions import Compiled
from penstock.spark import TableRef

ROWS = [
    ("alice", "dest = 'MXP' AND price < 500"),
    ("bob", 'note = "a, b"'),
    ("alice", "price > 9"),
    ("7", "TRUE"),
]
NAMES = ["interface", "filter"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def compile_at(spark: SparkSession, path: str) -> Compiled:
    source = find_subscriptions(path, None)
    return compile_files(spark, source, Path("table"), Stages(), shards=1, engine="access")


def test_all_formats_give_the_same_table(spark: SparkSession) -> None:
    with Path("a.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [["id", *NAMES], *([str(number), *row] for number, row in enumerate(ROWS))]
        )
    Path("a.jsonl").write_text("".join(json.dumps(dict(zip(NAMES, row, strict=True))) + "\n" for row in ROWS))
    Path("a.tsv").write_text("# wishes\n\n" + "".join("\t".join(row) + "\n" for row in ROWS))
    pq.write_table(pa.table([list(column) for column in zip(*ROWS, strict=True)], NAMES), "a.parquet")
    versions = set()
    for name in ("a.csv", "a.jsonl", "a.tsv", "a.parquet"):
        compiled = compile_at(spark, name)
        assert (compiled.counts.compiled, compiled.counts.rejected) == (4, 0)
        assert rows_of(Path("table/rejected")) == []
        versions.add(compiled.table.version)
    assert len(versions) == 1
    assert TableRef.open("table").version in versions


def test_refused_rows_have_a_place_and_a_reason(spark: SparkSession) -> None:
    Path("in").mkdir()
    good = '{"interface": "alice", "filter": "a = 1"}\n'
    bad = [
        '{"interface": "bob", "filter": "a <"}',
        '{"interface": "carol"}',
        '{"interface": "", "filter": "a = 1"}',
    ]
    Path("in/a.jsonl").write_text(good * 9 + "\n".join(bad))
    Path("in/b.jsonl").write_bytes(b"# comment\n\n\xff\n" + good.encode())
    with small_blocks(spark):
        compiled = compile_at(spark, "in")
    counts = compiled.counts
    assert (counts.rows, counts.skipped, counts.compiled, counts.rejected) == (16, 2, 10, 4)
    rejected = {(file, line): (row, error) for _, file, line, row, error in rows_of(Path("table/rejected"))}
    assert set(rejected) == {("in/a.jsonl", 10), ("in/a.jsonl", 11), ("in/a.jsonl", 12), ("in/b.jsonl", 3)}
    row, error = rejected["in/a.jsonl", 10]
    assert row == '{"interface": "bob", "filter": "a <"}'
    assert error.startswith("column 4: expected a value after '<'")
    assert rejected["in/a.jsonl", 11][1] == "attribute 'filter': is missing"
    assert rejected["in/b.jsonl", 3][0] == "�"


def test_a_second_version_takes_the_place_of_the_first(spark: SparkSession) -> None:
    Path("a.filters").write_text("alice\ta = 1\nbob\ta <\n")
    first = compile_at(spark, "a.filters").table
    Path("a.filters").write_text("alice\ta = 2\n")
    second = compile_at(spark, "a.filters").table
    assert TableRef.open("table").version == second.version != first.version
    assert TableRef.open("table", first.version).subscriptions == 1
    assert rows_of(Path("table/rejected")) == []


def test_what_does_not_add_up_is_not_published(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.filters").write_text("alice\ta = 1\n")
    first = compile_at(spark, "a.filters").table
    Path("a.filters").write_text("alice\ta = 2\nbob\ta <\n")
    monkeypatch.setattr(compile_module, "count_parquet", lambda _directory: 0)
    with pytest.raises(LedgerError, match="rejected 1 ≠ written 0"):
        compile_at(spark, "a.filters")
    assert TableRef.open("table").version == first.version
    assert {entry.name for entry in Path("table").iterdir()} == {"latest", "rejected", "versions"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "interface,filters\na,b\n"),
        ("a.parquet", {"interface": ["a"]}),
        ("a.parquet", {"interface": [1.5], "filter": ["a"]}),
    ],
)
def test_columns_must_be_there_and_fit(
    spark: SparkSession, name: str, content: str | dict[str, list[object]]
) -> None:
    if isinstance(content, str):
        Path(name).write_text(content)
    else:
        pq.write_table(pa.table(content), name)
    with pytest.raises(InputError):
        compile_at(spark, name)
