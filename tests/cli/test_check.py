"""`penstock check`: every mistake with its place, and a summary."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.cli import main


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("filters.tsv")


def test_a_good_file_is_summed_up(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("# people\nalice\tprice < 500\n\nbob\tprice < 300\r\nalice\tTRUE\n")
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out == "3 filters on 2 interfaces, all good\n"


def test_one_of_each_is_singular(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("alice\tprice < 500")
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out == "1 filter on 1 interface, all good\n"


def test_an_empty_file_is_good(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("")
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out == "0 filters on 0 interfaces, all good\n"


def test_every_error_is_shown_with_file_line_column_and_caret(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("alice\tprice < 500\nbob\tprice <\ncarol\tflight STARTS WITH 5\n")
    assert main(["check", str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["filters.tsv:2:12: expected a value after '<'", "  price <", "         ^"]
    assert lines[3:6] == [
        "filters.tsv:3:26: STARTS WITH needs a string, got the number 5",
        "  flight STARTS WITH 5",
        "                     ^",
    ]
    assert lines[-1] == "2 errors in 3 filters"


def test_hints_are_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("alice\t\n")
    assert main(["check", str(file)]) == 1
    assert "\n  hint: write TRUE to match every message\n1 error in 1 filter\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("alice price < 500", ":1: expected an interface, a tab and a filter, found no tab"),
        ("\tprice < 500", ":1:1: the interface is empty"),
    ],
)
def test_a_line_has_an_interface_and_a_filter(
    file: Path, capsys: pytest.CaptureFixture[str], line: str, says: str
) -> None:
    file.write_text(line)
    assert main(["check", str(file)]) == 1
    assert says in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["filters.jsonl", "filters.NDJSON", "filters.json", "filters", "filters.tsv"]
)
def test_json_lines_are_known_by_suffix_or_first_character(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / name
    path.write_text(
        '\n {"interface": "alice", "filter": "price < 500"}\n{"filter": "TRUE", "interface": "bob"}\n'
    )
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == "2 filters on 2 interfaces, all good\n"


def test_a_comment_does_not_decide_the_form_of_the_file(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('# people\n\n# {both forms}\n{"interface": "alice", "filter": "price < 500"}\n')
    assert main(["check", str(file)]) == 0
    file.write_text("# {people}\nalice\tprice < 500\n")
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out == "1 filter on 1 interface, all good\n" * 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"interface": "a", "filter": "x <"}', "f.jsonl:1:34: expected a value"),
        ('{"interface": "a", "filter": "\\u0078 <"}', "f.jsonl:1: expected a value"),
        ('{"interface":"a","filter":"a"}', "f.jsonl:1:29: expected an operator after a"),
        ('{"filter": "a", "interface": "a"}', "f.jsonl:1:14: expected an operator after a"),
        ('{"interface": "filter", "filter" :\t"a"}', "f.jsonl:1:38: expected an operator after a"),
        ('{"interface": "\\"filter\\": \\"a", "filter": "a"}', "f.jsonl:1:46: expected an operator after a"),
        ('{"interface": "a\\\\", "filter": "a"}', "f.jsonl:1:34: expected an operator after a"),
        ('{"interface": "a", "filter": "a = \\"\\" AND a"}', "f.jsonl:1: expected an operator after a"),
        ('{"interface": "a", "\\u0066ilter": "a"}', "f.jsonl:1: expected an operator after a"),
        ('{"interface": "a"}', "f.jsonl:1: attribute 'filter': is missing"),
        ('{"interface": 5, "filter": "TRUE"}', "f.jsonl:1: attribute 'interface': needs a string"),
        ('{"interface": "", "filter": "TRUE"}', "the interface is empty"),
        ('{"interface": "a", "filter": "TRUE", "extra": 1}', "attribute 'extra': unknown key"),
        ('{"interface": "a", "filter": "TRUE", "filter": "TRUE"}', "attribute 'filter': occurs twice"),
        ("a\tTRUE", "f.jsonl:1: not valid JSON"),
        ('["a", "TRUE"]', "f.jsonl:1: expected a JSON object"),
        ('{"interface": "\\ud800", "filter": "TRUE"}', "f.jsonl:1: the interface"),
        ('{"interface": "a", "filter": "\\ud800"}', "f.jsonl:1"),
    ],
)
def test_json_lines_that_cannot_be_used_say_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.jsonl").write_text(line)
    assert main(["check", "f.jsonl"]) == 1
    output = capsys.readouterr().out
    assert says in output
    assert output.endswith("1 error in 1 filter\n")


def test_errors_are_also_data(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("alice\tprice <\nbob\tTRUE\nno tab\n")
    assert main(["check", str(file), "--json"]) == 1
    output, summary = capsys.readouterr()
    first, second = map(json.loads, output.splitlines())
    assert first["hint"] == ""
    assert {**first, "hint": ""} == {
        "file": "filters.tsv",
        "line": 1,
        "column": 14,
        "code": "syntax",
        "message": "expected a value after '<'",
        "filter": "price <",
        "hint": "",
    }
    assert (second["line"], second["column"], second["code"]) == (3, None, "input")
    assert summary == "2 errors in 3 filters\n"


def test_only_utf8_is_read(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"alice\ta = 'x'\nbob\ta = '\xff'\n")
    assert main(["check", str(file)]) == 1
    assert "filters.tsv:2: not valid UTF-8: byte 0xff at offset 9\n" in capsys.readouterr().out


def test_filters_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"alice\tprice <\n")))
    assert main(["check", "-"]) == 1
    assert capsys.readouterr().out.startswith("-:1:14: expected a value after '<'\n")


def test_utf16_is_recognised(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes("alice\ta = 1".encode("utf-16"))
    assert main(["check", str(file)]) == 1
    assert "UTF-16" in capsys.readouterr().out


def test_a_byte_order_mark_is_ignored(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b'\xef\xbb\xbf{"interface": "alice", "filter": "a = 1"}')
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out.startswith("1 filter on 1 interface")


@pytest.mark.parametrize("path", ["missing.tsv", ".", "nul\x00byte"])
def test_an_unreadable_file_is_exit_code_2(file: Path, capsys: pytest.CaptureFixture[str], path: str) -> None:
    assert not file.exists()
    assert main(["check", path]) == 2
    output, error = capsys.readouterr()
    assert output == ""
    assert error.startswith(f"penstock: {path}: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["check"], ["check", "a", "b"], ["guess"], ["check", "a", "--nope"]]
)
def test_wrong_usage_is_exit_code_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
    assert capsys.readouterr().err.startswith("usage: penstock")


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["match", "--help"]])
def test_help_teaches_by_example(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 0
    assert (
        "penstock match filters.tsv" in (output := capsys.readouterr().out)
        or "penstock check filters.tsv" in output
    )


def test_the_module_is_the_command(tmp_path: Path) -> None:
    path = tmp_path / "filters.tsv"
    path.write_text("alice\tname = '\N{SNOWMAN}' AND\n", "utf-8")
    command = [sys.executable, "-m", "penstock", "check", str(path)]
    # A terminal that cannot show a snowman still shows the error.
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 1
    assert done.stdout.decode("ascii").splitlines()[1] == "  name = '\\u2603' AND"
    assert done.stderr == b""


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["--version"])
    assert raised.value.code == 0
    assert capsys.readouterr().out.startswith("penstock 0.")
