"""`penstock simulate` plays a scenario, writes a report, and says what is wrong in a file."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.cli import main
from penstock.network.shipped import shipped_scenarios

ROOT = Path(__file__).parents[2]
RING = """\
name = "A ring that breaks"
duration = 5
sources = [0]
topology = { shape = "ring", routers = 6 }

[application]
kind = "filters"
templates = ["price < {price}"]
attributes = { price = { between = [0, 1000] } }

[[subscribers]]
per_router = 2
draw = 1

[[messages]]
from = 1
rate = 20

[[failures]]
at = 2
what = "cut"
link = [0, 1]
lasts = 2
"""


@pytest.fixture(autouse=True)
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ring.toml").write_text(RING, "utf-8")


def test_a_scenario_is_played_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "ring.toml"]) == 0
    out, err = capsys.readouterr()
    data = json.loads(Path("simulated/ring/metrics.json").read_text("utf-8"))
    assert out.splitlines()[0] == (
        f"{data['totals']['published']} messages published, {data['totals']['delivered']} deliveries"
    )
    assert f"{data['due']} due = {data['due'] - data['missed']} came + {data['missed']} missed" in out
    assert out.endswith("open simulated/ring/report.html\n")
    assert "reading the scenario …\n" in err
    assert "writing the report: " in err
    assert "<h1>A ring that breaks</h1>" in Path("simulated/ring/report.html").read_text("utf-8")


def test_metrics_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "ring.toml", "--json", "--out", "a"]) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert (json.loads(Path("a/metrics.json").read_text("utf-8")), err) == (data, "")
    assert (data["routers"], data["links"], data["seconds"]) == (6, 6, 5.0)
    assert sum(load["messages"] for load in data["link_loads"]) == data["totals"]["messages"]
    assert sum(sample["missed"] for sample in data["samples"]) == data["missed"]
    assert sum(data["missed_while"].values()) == data["missed"]
    assert [each["events"] for each in data["disturbances"]] == [["link 0–1 fails"], ["link 0–1 heals"]]
    assert set(data["tables"]) == {"0", "1", "2", "3", "4", "5"}


def test_the_same_command_gives_the_same_files_and_another_seed_does_not() -> None:
    for out, options in (("a", []), ("b", []), ("c", ["--seed", "0"]), ("d", ["--seed", "9"])):
        assert main(["simulate", "ring.toml", "--quiet", "--out", out, *options]) == 0
    pages = [Path(out, "report.html").read_bytes() for out in "abcd"]
    assert pages[0] == pages[1] == pages[2] != pages[3]
    assert json.loads(Path("d/metrics.json").read_text("utf-8"))["seed"] == 9


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "ring.toml", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_the_shipped_scenarios_are_listed_with_what_they_are_about(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["simulate", "--list"]) == 0
    out = capsys.readouterr().out
    names = [path.stem for path in sorted((ROOT / "scenarios").glob("*.toml"))]
    assert [line.partition(":")[0] for line in out.splitlines() if not line.startswith(" ")] == names
    assert "news-desk: News desk, 72 routers, 30 s, format graph\n    Stories carry up to" in out


def test_a_bare_name_is_a_shipped_scenario_unless_there_is_such_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penstock.cli.simulate.shipped_scenarios", lambda: {"round": Path("ring.toml")})
    assert main(["simulate", "round", "--quiet", "--out", "a"]) == 0
    Path("round").write_text("name = 1")
    assert main(["simulate", "round", "--quiet", "--out", "a"]) == 1
    assert capsys.readouterr().err.startswith("penstock: round: ")


def test_shipped_scenarios_are_those_of_the_repository() -> None:
    found = {name: path.read_bytes() for name, path in shipped_scenarios().items()}
    assert found == {path.stem: path.read_bytes() for path in (ROOT / "scenarios").glob("*.toml")}
    assert len(found) >= 3


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere"], 2, "penstock: nowhere: is neither a file nor one of the shipped scenarios: air"),
        (["."], 2, "penstock: .: Is a directory"),
        (["latin.toml"], 1, "penstock: latin.toml: the file is not UTF-8"),
        (["broken.toml"], 1, "penstock: broken.toml: not TOML: "),
        (["wrong.toml"], 1, "penstock: wrong.toml: topology.shape: 'rign' is none of "),
        (["ring.toml", "--out", "ring.toml"], 2, "penstock: ring.toml: is a file; the output is a directory"),
        (["ring.toml", "--out", "."], 2, "penstock: .: holds broken.toml and 3 more, which an "),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_said_in_a_line(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("latin.toml").write_bytes(b"name = '\xff'")
    Path("broken.toml").write_text("name = ")
    Path("wrong.toml").write_text(RING.replace('"ring"', '"rign"'))
    assert main(["simulate", *arguments, "--quiet"]) == code
    out, err = capsys.readouterr()
    assert (out, err.startswith(said)) == ("", True), err
    assert err.count("\n") == 1
    assert not Path("simulated").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "which SCENARIO? `penstock simulate --list` shows the shipped ones"),
        (["ring.toml", "--seed", "-1"], "argument --seed: expected a whole number from 0, got '-1'"),
        (["ring.toml", "--seed", "x"], "argument --seed: expected a whole number from 0, got 'x'"),
        (["ring.toml", "--out", "s3a://bucket/x"], "argument --out: s3a://bucket/x is no directory"),
    ],
)
def test_wrong_usage_is_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["simulate", *arguments])
    assert stop.value.code == 2
    assert said in capsys.readouterr().err


def test_an_earlier_result_is_replaced_and_a_scenario_that_fails_leaves_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["simulate", "ring.toml", "--quiet", "--out", "a"]) == 0
    before = Path("a/metrics.json").read_bytes()
    Path("late.toml").write_text(RING + "\n[[subscribers]]\nrouter = 1\ninterests = ['price <']\n")
    assert main(["simulate", "late.toml", "--quiet", "--out", "a"]) == 1
    assert "subscribers[1].interests" in capsys.readouterr().err
    assert Path("a/metrics.json").read_bytes() == before
    assert main(["simulate", "ring.toml", "--quiet", "--seed", "5", "--out", "a"]) == 0
    assert Path("a/metrics.json").read_bytes() != before
    assert sorted(each.name for each in Path().iterdir()) == ["a", "late.toml", "ring.toml"]


def test_without_the_libraries_of_the_report_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [
        name for name in sys.modules if name.startswith(("penstock.report", "penstock.network_report"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main(["simulate", "ring.toml"]) == 2
    assert "pip install 'penstock[report]'" in capsys.readouterr().err


def test_a_terminal_gets_a_bar() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "penstock", "simulate", "ring.toml"]
    process = subprocess.Popen(command, stderr=theirs, stdout=subprocess.PIPE)
    os.close(theirs)
    text = b""
    try:
        while found := os.read(ours, 1024):
            text += found
    except OSError:  # the other end is closed
        pass
    out, _ = process.communicate()
    os.close(ours)
    assert process.returncode == 0
    assert out.endswith(b"report.html\n")
    assert "✓\x1b[0m playing the scenario: ".encode() in text
