"""Before Spark starts, when it does not, and when a run dies: one line, an exit code, no half result."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyspark.errors import PySparkException, PySparkRuntimeError

import penstock.spark
from penstock.cli import main
from penstock.cli.spark_session import SparkError, _explain
from processes import HASTY, clean_environment

FORWARD = ["forward", "--subscriptions", "wishes.filters", "--messages", "messages.jsonl", "--out", "out"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wishes.filters").write_text("alice\tprice < 500\n")
    Path("messages.jsonl").write_text('{"price": 1}\n')


@pytest.fixture
def no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_arguments: object) -> None:
        raise AssertionError("Spark was started")

    monkeypatch.setattr(penstock.spark, "session", refuse)


@pytest.mark.usefixtures("no_spark")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["forward", "--messages", "m", "--out", "out"],
            "one of the arguments --subscriptions --table is required",
        ),
        ([*FORWARD, "--table", "t"], "not allowed with argument"),
        ([*FORWARD, "--conf", "spark"], "expected KEY=VALUE, got 'spark'"),
        ([*FORWARD, "--type", "price=money"], "expected NAME=TYPE with one of string, int, float, bool"),
        ([*FORWARD, "--separator", "ab"], "expected one character, or \\t for a tab, got 'ab'"),
        ([*FORWARD[:-1], "s3a://bucket/out"], "no directory that this machine and all workers see"),
        (["forward", "--table", "t", *FORWARD[3:], "--shards", "2"], "are for --subscriptions"),
        ([*FORWARD, "--shards", "0"], "expected a whole number from 1, got '0'"),
        ([*FORWARD, "--master", "local", "--remote", "sc://x"], "not allowed with argument"),
        (["run", "--interfaces", "500", "--subscriptions", "400"], "every interface has a subscription"),
        (["run", "--interfaces", "5"], "expected a whole number from 300"),
        (
            ["stream", "--messages", "in", "--table", "t", "--out", "o", "--once", "--every", "1 s"],
            "not allowed",
        ),
    ],
)
def test_options_that_make_no_sense_are_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
    assert says in capsys.readouterr().err


@pytest.mark.usefixtures("no_spark")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([*FORWARD[:-1], "full"], "penstock: full: holds thesis.tex, which an earlier run did not write"),
        ([*FORWARD[:-1], "messages.jsonl"], "penstock: messages.jsonl: is a file; the output is a directory"),
        (
            [*FORWARD[:3], "--messages", "none.csv", "--out", "out"],
            "penstock: none.csv: no such file or directory",
        ),
        ([*FORWARD[:3], "--messages", "wishes.filters", "--out", "out"], "holds filters, not messages"),
        (
            ["forward", "--table", "full", "--messages", "messages.jsonl", "--out", "out"],
            "holds no compiled table",
        ),
        (["compile", "none.csv", "-o", "table"], "penstock: none.csv: no such file or directory"),
        (["stream", "--messages", "messages.jsonl", "--table", "full", "--out", "out"], "from a directory"),
        (
            ["stream", "--messages", "full", "--format", "jsonl", "--table", "full", "--out", "o"],
            "no compiled table",
        ),
        (["run", "--out", "full"], "penstock: full: holds thesis.tex"),
    ],
)
def test_what_cannot_work_is_told_before_spark_starts(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    Path("full").mkdir()
    Path("full/thesis.tex").touch()
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert says in error
    assert len(error.splitlines()) == 1
    assert not Path("out").exists()


def test_without_java_one_line_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_arguments: object) -> None:
        raise PySparkRuntimeError(errorClass="JAVA_GATEWAY_EXITED", messageParameters={})

    monkeypatch.setattr(penstock.spark, "session", fail)
    assert main([*FORWARD, "--quiet"]) == 3
    assert capsys.readouterr().err.startswith("penstock: Spark needs Java 17 or later: install one")
    with pytest.raises(PySparkRuntimeError):
        main([*FORWARD, "--debug"])


def test_without_pyspark_one_line_says_what_to_install() -> None:
    hidden = "import sys; sys.modules['pyspark'] = None"
    script = f"{hidden}; from penstock.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", script, *FORWARD, "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = "penstock: penstock.spark needs PySpark: pip install 'penstock[spark]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


WORKER = """An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "worker.py", line 1, in run
    raise TableFileError(path, message)
penstock.errors.TableFileError: table/0.penstock: is damaged
in two lines
 SQLSTATE: 38000
"""


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "[PATH_NOT_FOUND] No such path: s3a://x. SQLSTATE: 42K03\n\nJVM stacktrace:\n\tat a.b",
            "[PATH_NOT_FOUND]",
        ),
        (
            WORKER,
            "a worker failed: penstock.errors.TableFileError: table/0.penstock: is damaged\nin two lines\n",
        ),
        ("Job aborted\n\tat org.apache.spark", "Job aborted\n"),
        (
            "An error occurred while calling o7.parquet.\n: a.B: [FAILED_READ_FILE] No.\n\tat x",
            "[FAILED_READ_FILE] No.\n",
        ),
        ("An error occurred while calling o7.parquet.\n: a.B: Out of luck\n\tat x", "Out of luck\n"),
    ],
)
def test_errors_of_spark_lose_their_stack_traces(text: str, first: str) -> None:
    shown = _explain(PySparkException(text), Path("spark.log"))
    assert shown.startswith(first)
    assert "\tat " not in shown
    assert 'File "' not in shown
    assert shown.endswith("\nSpark's log is in spark.log; --debug shows more")
    assert SparkError(shown).exit_code == 3


def test_a_run_that_is_killed_leaves_no_result_and_the_next_one_is_whole() -> None:
    Path("messages.jsonl").write_text('{"price": 1}\n' * 50_000)
    settings = [f"--conf={key}={value}" for key, value in HASTY.items()]
    command = [sys.executable, "-m", "penstock", *FORWARD, "--quiet", "--master", "local[1]", *settings]
    with subprocess.Popen(command, start_new_session=True, env=clean_environment()) as process:
        while not list(Path().glob(".out.staging-*/_work/forwarded")):
            assert process.poll() is None
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGKILL)
    assert not Path("out").exists()
    assert list(Path().glob(".out.staging-*"))
    done = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"messages": 50000,' in Path("out/metrics.json").read_text()
    assert not list(Path().glob(".out.staging-*"))
