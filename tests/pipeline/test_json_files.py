"""JSON lines: every line is delivered, unmatched or rejected, and named by its place."""

import json
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession
from trial import forward_files, small_blocks

from penstock.errors import InputError

WANTED = {"dest": "MXP", "price": 420}
UNWANTED = {"dest": "ZRH", "price": 420, "note": "x" * 40}
BROKEN = [b'{"dest": ', b"[1]", b'{"a": 1, "a": 2}', b'{"a": NaN}', b'{"a": "\xff"}', b"null", b"x"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_line_ends_where_it_should_however_the_files_are_cut(spark: SparkSession) -> None:
    draw = Random(7)
    expected: dict[str, set[tuple[str, int]]] = {
        "matched": set(),
        "unmatched": set(),
        "rejected": set(),
        "": set(),
    }
    kinds = {
        "matched": [
            json.dumps(WANTED).encode(),
            json.dumps({"price": 1e9, "detail": {"state": "delayed"}}).encode(),
        ],
        "unmatched": [json.dumps(UNWANTED).encode(), b"{}"],
        "rejected": BROKEN,
        "": [b"", b" \t\r"],
    }
    Path("in/deep").mkdir(parents=True)
    for name, count in (("in/b.jsonl", 60), ("in/a.jsonl", 25), ("in/deep/c d.jsonl", 1)):
        lines = []
        for number in range(1, count + 1):
            kind = draw.choice(list(kinds))
            lines.append(draw.choice(kinds[kind]) + draw.choice([b"", b"\r"]))
            expected[kind].add((name, number))
        Path(name).write_bytes(b"\n".join(lines))
    Path("in/empty.jsonl").touch()
    with small_blocks(spark):
        trial = forward_files(spark, "in")
    assert {(file, line) for file, line, _ in trial.deliveries} == expected["matched"]
    assert {(file, line) for file, line, _ in trial.unmatched} == expected["unmatched"]
    assert {(file, line) for _, file, line, _, _ in trial.rejected} == expected["rejected"]
    assert all(error for *_, error in trial.rejected)
    ledger = trial.result.ledger
    assert (ledger.rows, ledger.skipped) == (86, len(expected[""]))
    assert ledger.deliveries == len(trial.deliveries)


def test_rows_and_reasons_are_told(spark: SparkSession) -> None:
    Path("m.jsonl").write_bytes(b'\xef\xbb\xbf{"price": 1}\r\n{"price": "\xff"}\r\n{"price": 1, "price": 1}')
    trial = forward_files(spark, "m.jsonl")
    assert trial.unmatched == [("m.jsonl", 1, '{"price": 1}\r')]
    first, second = trial.rejected
    assert first[:4] == ("messages", "m.jsonl", 2, '{"price": "�"}\r')
    assert "not valid UTF-8: byte 0xff" in first[4]
    assert second == ("messages", "m.jsonl", 3, '{"price": 1, "price": 1}', "attribute 'price': occurs twice")


def test_attributes_name_messages_on_request(spark: SparkSession) -> None:
    lines = [{"flight": "UA1", "detail": {"state": "delayed", "n": 5}}, {"detail": {"state": "delayed"}}]
    Path("m.jsonl").write_text("\n".join(map(json.dumps, lines)))
    trial = forward_files(spark, "m.jsonl", ids=("flight", "detail.n"))
    assert trial.deliveries == [("UA1", "5", "carol"), (None, None, "carol")]


@pytest.mark.parametrize("ids", [("interface",), ("error",), ("__file",)])
def test_names_that_the_output_needs_are_refused(spark: SparkSession, ids: tuple[str, ...]) -> None:
    Path("m.jsonl").write_text("{}")
    with pytest.raises(InputError):
        forward_files(spark, "m.jsonl", ids=ids)
    assert not Path("out").exists()


def test_nothing_in_nothing_out(spark: SparkSession) -> None:
    Path("m.jsonl").touch()
    trial = forward_files(spark, "m.jsonl", wishes="# nobody wants anything\n")
    assert (trial.deliveries, trial.unmatched, trial.rejected) == ([], [], [])
    assert trial.result.ledger.messages == trial.result.table.subscriptions == 0
