"""`penstock topics match` answers every topic, and says what is wrong in a file of patterns."""

import io
import json
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from penstock.cli import main
from penstock.topics import Scheme

PATTERNS = """\
# who wants what

archive\tStreams/Sensor
control\tStreams/Sensor/*/Pressure/*
control\tStreams/Alarm
wëst\tStreams/Sensor/*/Pressure
"""


@pytest.fixture
def patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("patterns.tsv").write_text(PATTERNS, "utf-8")
    return "patterns.tsv"


def match(patterns: str, topics: str | bytes, *options: str) -> int:
    Path("topics.txt").write_bytes(topics.encode() if isinstance(topics, str) else topics)
    return main(["topics", "match", patterns, "topics.txt", *options])


def answers(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("scheme", get_args(Scheme))
def test_every_topic_is_answered_in_order(
    patterns: str, capsys: pytest.CaptureFixture[str], scheme: Scheme
) -> None:
    sent = "Streams/Sensor/Fluid/Pressure/In\n\nStreams\nStreams/Alarm\r\n"
    assert match(patterns, sent, "--scheme", scheme) == 0
    assert answers(capsys) == [
        {
            "line": 1,
            "topic": "Streams/Sensor/Fluid/Pressure/In",
            "destinations": ["archive", "control", "wëst"],
        },
        {"line": 3, "topic": "Streams", "destinations": []},
        {"line": 4, "topic": "Streams/Alarm", "destinations": ["control"]},
    ]


def test_only_unmatched_topics_on_request(patterns: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert match(patterns, "Streams/Alarm\nStreams\n", "--unmatched") == 0
    assert answers(capsys) == [{"line": 2, "topic": "Streams", "destinations": []}]


def test_a_summary_goes_to_standard_error(patterns: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert match(patterns, "Streams/Alarm\nStreams\n") == 0
    assert capsys.readouterr().err.startswith("2 topics, 1 matched, 0.")
    assert match(patterns, "Streams\n", "--quiet") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"a//b", "a topic has no empty levels"),
        (b"a/*", "a topic that is published has no wildcards"),
        (b"a/\tb", "a topic cannot hold control characters"),
        (b"a/\xff", "not valid UTF-8: byte 0xff at offset 2"),
        (b"/".join([b"a"] * 17), "a topic of 17 levels (limit 16)"),
    ],
)
def test_a_topic_that_cannot_be_used_is_answered_and_the_run_goes_on(
    patterns: str, capsys: pytest.CaptureFixture[str], line: bytes, says: str
) -> None:
    assert match(patterns, b"Streams/Alarm\n" + line + b"\nStreams/Alarm\n") == 1
    output, error = capsys.readouterr()
    first, second, third = map(json.loads, output.splitlines())
    assert first["destinations"] == third["destinations"] == ["control"]
    assert second["line"] == 2
    assert says in second["error"]
    assert "penstock: 1 topic could not be used\n" in error


def test_bad_patterns_are_shown_with_their_places_and_nothing_is_matched(
    patterns: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = f"é\ta//b\nb\ta/b\nc a/b\n\ta\nd\t*/a\n{'x' * 65_537}\ta\n".encode() + b"e\t\xff\n"
    Path(patterns).write_bytes(bad)
    assert match(patterns, "a\n") == 1
    output, error = capsys.readouterr()
    assert output == ""
    assert error.splitlines() == [
        "patterns.tsv:1:5: a topic has no empty levels",
        "  a//b",
        "    ^",
        "  hint: write 'a/b': no '/' at either end, no '//'",
        "patterns.tsv:3: expected a destination, a tab and a pattern, found no tab",
        "patterns.tsv:4:1: the destination is empty",
        "patterns.tsv:5:3: the first level of a topic cannot be a wildcard",
        "  */a",
        "  ^",
        "  hint: start with the name of a stream",
        "patterns.tsv:6:1: a destination's name is longer than 64 KiB",
        "patterns.tsv:7: not valid UTF-8: byte 0xff at offset 2",
        "6 errors in 7 patterns",
    ]


def test_patterns_may_be_written_in_other_notations(
    patterns: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(patterns).write_text("a\tx/+/y/#\n")
    assert match(patterns, "x/q/y\nx/q\n", "--notation", "mqtt") == 0
    assert [answer["destinations"] for answer in answers(capsys)] == [["a"], []]
    Path(patterns).write_text("a\tx/*/y/**\n")
    assert match(patterns, "x/q/y\nx/q\n", "--notation", "zenoh") == 0
    assert [answer["destinations"] for answer in answers(capsys)] == [["a"], []]
    Path(patterns).write_text("a\tx/+/y\n")
    assert match(patterns, "x/q/y\n", "--notation", "mqtt") == 1
    assert "patterns.tsv:1:3: wants this level alone" in capsys.readouterr().err


def test_either_file_comes_from_standard_input(
    patterns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Streams/Alarm")))
    assert main(["topics", "match", patterns, "-"]) == 0
    assert answers(capsys) == [{"line": 1, "topic": "Streams/Alarm", "destinations": ["control"]}]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\tq")))
    Path("topics.txt").write_text("q/r\n")
    assert main(["topics", "match", "-", "topics.txt"]) == 0
    assert answers(capsys) == [{"line": 1, "topic": "q/r", "destinations": ["x"]}]


@pytest.mark.parametrize(
    "arguments",
    [
        ["topics"],
        ["topics", "match", "-", "-"],
        ["topics", "match", "patterns.tsv"],
        ["topics", "match", "patterns.tsv", "topics.txt", "--scheme", "magic"],
        ["topics", "match", "patterns.tsv", "topics.txt", "--notation", "nats"],
    ],
)
def test_usage_that_makes_no_sense_is_exit_code_2(
    patterns: str, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert Path(patterns).is_file()
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
    assert capsys.readouterr().out == ""


def test_unreadable_files_are_exit_code_2(patterns: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["topics", "match", patterns, "missing.txt"]) == 2
    assert capsys.readouterr().err == "penstock: missing.txt: no such file or directory\n"
    assert main(["topics", "match", "missing.tsv", "-"]) == 2
