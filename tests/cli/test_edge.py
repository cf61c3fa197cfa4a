"""At the edge of the process: closed streams, a full device, no memory, absurd options; never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROUNDS = ["match", "ok.tsv", "messages.jsonl", "--engine", "selectivity", "--rounds"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ok.tsv").write_text("alice\tprice < 500\n")
    Path("bad.tsv").write_text("alice\tprice <\n")
    Path("messages.jsonl").write_text('{"price": 1}\n')


def penstock(*arguments: str, redirect: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the command in a shell, which alone can close a stream."""
    shell = ["bash", "-c", f'exec "$@" {redirect}', "bash", sys.executable, "-m", "penstock", *arguments]
    # Unbuffered, an error would show at once and not again at the exit of the process.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(shell, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("rounds", ["4294967296", "99999999999", "9" * 5000])
def test_more_rounds_than_a_table_takes_are_wrong_usage(rounds: str) -> None:
    done = penstock(*ROUNDS, rounds)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("argument --rounds: at most 4,294,967,295 rounds\n")


def test_the_most_rounds_that_a_table_takes_are_fine() -> None:
    done = penstock(*ROUNDS, "4294967295")
    assert (done.returncode, done.stdout) == (0, '{"line": 1, "interfaces": ["alice"]}\n')


@pytest.mark.parametrize("name", ["x" * 65_537, "é" * 32_769], ids=["letters", "bytes"])
def test_an_interface_with_a_name_too_long_for_a_table_is_a_problem_of_its_line(name: str) -> None:
    Path("long.tsv").write_text(f"alice\tTRUE\n{name}\tTRUE\n", "utf-8")
    checked = penstock("check", "long.tsv")
    assert (checked.returncode, checked.stderr) == (1, "")
    said = "long.tsv:2:1: the interface is longer than 64 KiB as UTF-8\n1 error in 2 filters\n"
    assert checked.stdout == said
    matched = penstock("match", "long.tsv", "messages.jsonl")
    assert (matched.returncode, matched.stdout, matched.stderr) == (1, "", said)


def test_the_longest_name_of_an_interface_is_fine() -> None:
    Path("long.tsv").write_text(f"{'x' * 65_536}\tTRUE\n")
    assert penstock("match", "long.tsv", "messages.jsonl").returncode == 0


@pytest.mark.parametrize(
    "arguments", [["check", "-"], ["match", "-", "messages.jsonl"], ["match", "ok.tsv", "-"]]
)
def test_a_closed_standard_input_is_an_unreadable_file(arguments: list[str]) -> None:
    done = penstock(*arguments, redirect="<&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "penstock: -: standard input is closed\n")


def test_with_standard_output_closed_the_exit_code_is_the_answer() -> None:
    for file, code in (("ok.tsv", 0), ("bad.tsv", 1)):
        done = penstock("check", file, redirect=">&-")
        assert (done.returncode, done.stderr) == (code, "")
    done = penstock("match", "--quiet", "ok.tsv", "messages.jsonl", redirect=">&-")
    assert (done.returncode, done.stderr) == (0, "")


def test_with_standard_error_closed_nothing_strays_into_the_answers() -> None:
    done = penstock("match", "ok.tsv", "messages.jsonl", redirect="2>&-")
    assert (done.returncode, done.stdout) == (0, '{"line": 1, "interfaces": ["alice"]}\n')
    done = penstock("check", "missing.tsv", redirect="2>&-")
    assert (done.returncode, done.stdout) == (2, "")


def test_with_all_streams_closed_the_exit_code_is_still_the_answer() -> None:
    assert penstock("check", "bad.tsv", redirect="<&- >&- 2>&-").returncode == 1


def test_a_full_device_is_told_in_one_line() -> None:
    done = penstock("check", "ok.tsv", redirect=">/dev/full")
    assert (done.returncode, done.stderr) == (2, "penstock: No space left on device\n")


# The limit comes after the imports, so that only the file is too large for it.
SCARCE = """
import resource, sys
from pathlib import Path
from penstock.cli import main
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**26, resource.RLIM_INFINITY))
sys.exit(main(sys.argv[1:]))
"""


def test_too_little_memory_is_told_in_one_line() -> None:
    with Path("huge.tsv").open("wb") as huge:
        huge.truncate(2**30)  # one line, and no blocks on the disk
    command = [sys.executable, "-c", SCARCE, "check", "huge.tsv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "penstock: not enough memory\n")
