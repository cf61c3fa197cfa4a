"""`penstock match`: one answer per message, errors answered too, and a quiet end whatever happens."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from penstock.cli import main

FILTERS = "alice\tcarrier = 'UA' AND price < 500\nbob\tprice < 300\nwëst\tEXISTS detail.state\n"


@pytest.fixture
def filters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("filters.tsv").write_text(FILTERS, "utf-8")
    return "filters.tsv"


def match(filters: str, messages: bytes | str, *options: str) -> int:
    Path("messages.jsonl").write_bytes(messages if isinstance(messages, bytes) else messages.encode())
    return main(["match", filters, "messages.jsonl", *options])


def answers(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    "options", [[], ["--engine", "selectivity"], ["--engine", "selectivity", "--rounds", "0"]]
)
def test_every_message_is_answered_in_order(
    filters: str, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    messages = (
        '{"carrier": "UA", "price": 200}\n\n{"price": 900}\n{"detail": {"state": "new"}, "price": 1.5}\n'
    )
    assert match(filters, messages, *options) == 0
    assert answers(capsys) == [
        {"line": 1, "interfaces": ["alice", "bob"]},
        {"line": 3, "interfaces": []},
        {"line": 4, "interfaces": ["bob", "wëst"]},
    ]


def test_only_unmatched_messages_on_request(filters: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert match(filters, '{"price": 1}\n{"price": 900}\n', "--unmatched") == 0
    assert answers(capsys) == [{"line": 2, "interfaces": []}]


def test_a_summary_goes_to_standard_error(filters: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert match(filters, '{"price": 1}\n{"price": 900}\n') == 0
    assert capsys.readouterr().err.startswith("2 messages, 1 matched, 0.")
    assert match(filters, '{"price": 1}\n', "--quiet") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"price": NaN}', "attribute 'price': is NaN or Infinity, which JSON does not have"),
        (b'{"d": {"price": -1e999}}', "attribute 'd.price': is too large for a 64-bit float"),
        (b'{"price": 9223372036854775808}', "attribute 'price': is an integer outside 64 bits"),
        (b'{"price": 1, "price": 1}', "attribute 'price': occurs twice"),
        (b'{"price": "\xff"}', "not valid UTF-8: byte 0xff at offset 11"),
        (b'{"price": [1, 2]}', "attribute 'price': is an array: several values"),
        (b'{"a": ' * 100_000, "is nested deeper than 64 levels"),
        (b"[1]", "expected a JSON object"),
        (b'{"price": 1', "not valid JSON: expected ',' or '}' at offset 12"),
        (b'{"price": 1} {"price": 2}', "not valid JSON: the object has ended, but more follows at offset 13"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value,
)
def test_a_message_that_cannot_be_used_is_answered_and_the_run_goes_on(
    filters: str, capsys: pytest.CaptureFixture[str], line: bytes, says: str
) -> None:
    assert match(filters, b'{"price": 1}\n' + line + b'\n{"price": 2}\n') == 1
    output, error = capsys.readouterr()
    first, second, third = map(json.loads, output.splitlines())
    assert (first, third) == ({"line": 1, "interfaces": ["bob"]}, {"line": 3, "interfaces": ["bob"]})
    assert second["line"] == 2
    assert says in second["error"]
    assert "penstock: 1 message could not be used\n" in error


def test_a_mark_and_windows_line_ends_do_no_harm(filters: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert match(filters, b'\xef\xbb\xbf{"price": 1}\r\n{"price": 2}\r\n') == 0
    assert len(answers(capsys)) == 2


def test_bad_filters_are_shown_like_check_does_and_nothing_is_matched(
    filters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(filters).write_text("alice\tprice <\nbob\tTRUE\ncarol\n")
    assert match(filters, '{"price": 1}\n') == 1
    output, error = capsys.readouterr()
    main(["check", filters])
    assert output == ""
    assert error == capsys.readouterr().out
    assert error.endswith("2 errors in 3 filters\n")


def test_messages_come_from_standard_input(
    filters: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"price": 1}')))
    assert main(["match", filters, "-"]) == 0
    assert answers(capsys) == [{"line": 1, "interfaces": ["bob"]}]


def test_unreadable_files_are_exit_code_2(filters: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", filters, "missing.jsonl"]) == 2
    assert capsys.readouterr().err == "penstock: missing.jsonl: no such file or directory\n"
    assert main(["match", "missing.tsv", "-"]) == 2


def test_standard_input_cannot_be_both(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["match", "-", "-"])
    assert raised.value.code == 2
    assert "standard input cannot hold both" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--rounds", "5"],
        ["--engine", "selectivity", "--rounds", "-1"],
        ["--engine", "magic"],
        ["--rounds", "x"],
    ],
)
def test_options_that_make_no_sense_are_exit_code_2(
    filters: str, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        match(filters, "{}\n", *options)
    assert raised.value.code == 2
    assert capsys.readouterr().out == ""


def start(filters: str) -> "subprocess.Popen[bytes]":
    # A process in the background of a shell ignores interrupts, and would pass that on.
    interruptible = ["env", "--default-signal=INT"]
    command = [*interruptible, sys.executable, "-m", "penstock", "match", filters, "-"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_pipe_gets_each_answer_at_once(filters: str) -> None:
    with start(filters) as process:
        assert process.stdin
        assert process.stdout
        for number in (1, 2, 3):
            process.stdin.write(b'{"price": 1}\n')
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == {"line": number, "interfaces": ["bob"]}
        process.stdin.close()
        assert process.wait() == 0


def test_a_reader_that_leaves_early_is_no_error(filters: str) -> None:
    Path("many.jsonl").write_text('{"price": 1}\n' * 20_000)
    command = f"{sys.executable} -m penstock match {filters} many.jsonl --quiet"
    shell = ["bash", "-c", f"{command} | head -n 1; exit ${{PIPESTATUS[0]}}"]
    done = subprocess.run(shell, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == {"line": 1, "interfaces": ["bob"]}


def test_an_interrupt_ends_quietly(filters: str) -> None:
    with start(filters) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b'{"price": 1}\n')
        process.stdin.flush()
        process.stdout.readline()  # it is up and waiting for more
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read() == b""
