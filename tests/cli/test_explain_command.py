"""`penstock explain`: the answer is the exit code, the reasons are on the screen, and errors are neither."""

import io
import json
import sys
from pathlib import Path

import pytest

from penstock.cli import main

FILTERS = """\
# the airport
alice\tdest = 'MXP' AND price < 500
bob\tprice < 300

alice\tcarrier = 'UA' OR dest = 'MXP' AND price < 500
nobody\tFALSE
wëst\tEXISTS detail.state
"""


@pytest.fixture
def filters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("filters.tsv").write_text(FILTERS, "utf-8")
    return "filters.tsv"


def feed(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_a_near_miss_is_explained_by_the_lines_of_the_file(
    filters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", filters, '{"dest": "MXP", "price": 612}', "alice"]) == 1
    assert (
        capsys.readouterr().out
        == """\
✗ alice: 0 of 2 filters matched

✗ line 5
  ✗ carrier = 'UA'    carrier is absent

✗ lines 2, 5
  ✓ dest = 'MXP'
  ✗ price < 500    price is 612
"""
    )


def test_a_match_is_exit_code_0(filters: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", filters, '{"price": 100}', "bob"]) == 0
    assert capsys.readouterr().out == "✓ bob: 1 of 1 filter matched\n\n✓ line 3\n  ✓ price < 300\n"
    assert main(["explain", filters, '{"detail": {"state": 1}}', "wëst"]) == 0
    assert main(["explain", filters, "{}", "nobody"]) == 1


def test_the_limit_says_how_many_filters_are_shown(filters: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", filters, '{"carrier": "UA"}', "alice", "--limit", "1"]) == 0
    output = capsys.readouterr().out
    assert output.count("line") == 1
    assert output.endswith("… and 1 more filter\n")


def test_machines_read_json(filters: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", filters, '{"price": "612"}', "bob", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "interface": "bob",
        "matched": False,
        "matching": 0,
        "total": 1,
        "filters": [
            {
                "lines": [3],
                "filter": "price < 300",
                "matched": False,
                "constraints": [
                    {
                        "constraint": "price < 300",
                        "holds": False,
                        "reason": "type",
                        "value": "612",
                        "type": "string",
                    }
                ],
            }
        ],
    }


@pytest.mark.parametrize(
    "content", [b'{"price": 100}\n', b'\xef\xbb\xbf{"price": 100}', b'{\r\n  "price": 100\r\n}\r\n']
)
def test_the_message_comes_from_standard_input(
    filters: str, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    feed(monkeypatch, content)
    assert main(["explain", filters, "-", "bob"]) == 0


def test_the_filters_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, FILTERS.encode())
    assert main(["explain", "-", '{"price": 100}', "bob"]) == 0


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ('{"price": NaN}', "MESSAGE: attribute 'price': is NaN or Infinity"),
        ('{"price": 1, "price": 2}', "MESSAGE: attribute 'price': occurs twice"),
        ('{"price": [1]}', "MESSAGE: attribute 'price': is an array"),
        ('{"price": "\udcff"}', "MESSAGE: the text holds a lone surrogate"),
        ('{"price": 1} {"price": 2}', "MESSAGE: not valid JSON: the object has ended, but more follows"),
        ("[1]", "hint: MESSAGE is the JSON itself"),
        ("message.json", "hint: MESSAGE is the JSON itself"),
        ("", "hint: MESSAGE is the JSON itself"),
    ],
)
def test_a_message_that_cannot_be_used_is_no_answer(
    filters: str, capsys: pytest.CaptureFixture[str], message: str, says: str
) -> None:
    assert main(["explain", filters, message, "bob"]) == 2
    output, error = capsys.readouterr()
    assert output == ""
    assert error.startswith("penstock: MESSAGE: ")
    assert says in error


def test_bytes_that_are_no_text_are_no_answer(
    filters: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, b'{"price": "\xff"}')
    assert main(["explain", filters, "-", "bob"]) == 2
    assert capsys.readouterr().err == "penstock: MESSAGE: not valid UTF-8: byte 0xff at offset 11\n"


def test_an_unknown_interface_is_no_answer_but_a_suggestion(
    filters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", filters, "{}", "alcie"]) == 2
    assert capsys.readouterr().err == (
        "penstock: filters.tsv: no interface is named 'alcie'\nhint: did you mean 'alice'?\n"
    )
    assert main(["explain", filters, "{}", "\udcff"]) == 2
    assert "hint" not in capsys.readouterr().err


def test_bad_filters_are_shown_like_check_does(filters: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(filters).write_text("alice\tprice <\nbob\tTRUE\n")
    assert main(["explain", filters, "{}", "bob"]) == 2
    output, error = capsys.readouterr()
    main(["check", filters])
    assert output == ""
    assert error == capsys.readouterr().out


def test_an_unreadable_file_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "missing.tsv", "{}", "bob"]) == 2
    assert capsys.readouterr().err == "penstock: missing.tsv: no such file or directory\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["-", "-", "bob"],
        ["filters.tsv", "{}"],
        ["filters.tsv", "{}", "bob", "--limit", "-1"],
        ["filters.tsv", "{}", "bob", "--limit", "all"],
    ],
)
def test_usage_errors_are_exit_code_2(
    capsys: pytest.CaptureFixture[str], filters: str, arguments: list[str]
) -> None:
    assert filters == "filters.tsv"
    with pytest.raises(SystemExit) as raised:
        main(["explain", *arguments])
    assert raised.value.code == 2
    assert "usage: penstock explain" in capsys.readouterr().err


def test_the_help_shows_what_really_comes_out(filters: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(filters).write_text("alice\tdest = 'MXP' AND price < 500\n")
    main(["explain", filters, '{"dest": "MXP", "price": 612}', "alice"])
    shown = [f"  {line}".rstrip() for line in capsys.readouterr().out.splitlines()]
    with pytest.raises(SystemExit):
        main(["explain", "--help"])
    assert "\n".join(shown) in capsys.readouterr().out
