"""`penstock papers`: a list, a run whose results stay, and reports of what was saved."""

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import penstock.spark
from fake_papers import experiment, reading, result
from penstock.cli import main
from penstock.cli.papers_run import _followed
from penstock.cli.progress import Bar
from penstock.papers import EXPERIMENTS, Claim, Experiment, Point, Reading, catalogue
from penstock.papers.result import begin, write_result
from penstock.pipeline.stage import Silent, Stage

CLAIM = Claim("§1: It is so.", holds=True, found="it is")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_arguments: object) -> None:
        raise AssertionError("Spark was started")

    monkeypatch.setattr(penstock.spark, "session", refuse)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> list[Experiment]:
    """A good one, and one of which a point fails."""

    def measure(point: Point) -> list[Reading]:
        if point.settings["n"] == 20:
            raise ValueError("twenty is too many")
        return [Reading("a", "10", "time", "µs", 2.0, 1.0, 3.0)]

    good, bad = experiment("good", claims=[CLAIM]), replace(experiment("bad", timed=True), measure=measure)
    monkeypatch.setattr(catalogue, "EXPERIMENTS", (good, bad))
    return [good, bad]


def test_every_experiment_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [each.key for each in EXPERIMENTS]
    assert "structures-table1  " in "\n".join(lines)
    assert main(["papers", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["key"] for each in listed] == [each.key for each in EXPERIMENTS]
    assert set(listed[0]) == {"key", "paper", "figure", "shows", "timed"}


@pytest.mark.usefixtures("spark")
def test_a_run_keeps_what_it_found_and_names_the_points_that_failed(
    fakes: list[Experiment], capsys: pytest.CaptureFixture[str]
) -> None:
    assert [each.key for each in fakes] == ["good", "bad"]
    assert main(["papers", "run", "good", "--out", "out"]) == 0
    out, err = capsys.readouterr()
    assert "1 figure of 1 paper\n1 claims of the papers hold" in out
    assert "open out/report.html" in out
    assert "good: Figure 1: 2 readings, " in err
    assert main(["papers", "run", "bad", "--out", "out", "--quiet"]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", "penstock: 1 point failed: bad, n=20: ValueError: twenty is too many\n")
    assert sorted(place.name for place in Path("out").rglob("*.parquet")) == ["bad.parquet", "good.parquet"]
    assert sorted(place.name for place in Path("out/plots").iterdir()) == ["bad-1.svg", "good-1.svg"]
    page = Path("out/report.html").read_text()
    assert 'id="good"' in page
    assert "twenty is too many" in page


def test_a_bar_follows_points_that_run_alone() -> None:
    bar, stage = Bar(io.StringIO()), Stage("2001-fig9", "2001-fig9: Figure 9")
    bar.tasks = before = object()
    with _followed(bar, stage, alone=True) as watch:
        watch(3, 9, "I=20")
        assert (bar.tasks(), stage.label) == ((3, 9), "2001-fig9: I=20")
    assert (bar.tasks, stage.label) == (before, "2001-fig9: Figure 9")
    for watcher, alone in ((bar, False), (Silent(), True)):
        with _followed(watcher, stage, alone=alone) as watch:
            watch(3, 9, "I=20")
        assert (bar.tasks, stage.label) == (before, "2001-fig9: Figure 9")


@pytest.mark.usefixtures("no_spark")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run"], "the following arguments are required: KEY"),
        (["run", "structure"], "no experiment has the key 'structure'; did you mean structures?"),
        (["run", "all", "--scale", "huge"], "invalid choice: 'huge'"),
        (["run", "all", "--out", "s3a://bucket/out"], "no directory that this machine and all workers see"),
        (["report"], "the following arguments are required: DIR"),
        (["print"], "invalid choice: 'print'"),
    ],
)
def test_a_call_that_makes_no_sense_is_exit_code_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["papers", *arguments])
    assert raised.value.code == 2
    assert says in capsys.readouterr().err


@pytest.mark.usefixtures("no_spark")
def test_what_cannot_work_is_told_before_spark_starts(capsys: pytest.CaptureFixture[str]) -> None:
    begin(Path("small"), "small")
    Path("full").mkdir()
    Path("full/thesis.tex").touch()
    for arguments, says in (
        (
            ["run", "all", "--out", "full"],
            "penstock: full: holds thesis.tex, which an earlier run did not write",
        ),
        (
            ["run", "all", "--out", "small", "--scale", "full"],
            "penstock: small: holds results of scale small",
        ),
        (["report", "small"], "penstock: small: holds no results"),
        (["report", "nowhere"], "penstock: nowhere: holds no results"),
    ):
        assert main(["papers", *arguments]) == 2
        error = capsys.readouterr().err
        assert error.startswith(says)
        assert len(error.splitlines()) == 1


@pytest.mark.usefixtures("no_spark")
def test_a_report_is_written_from_what_was_saved(
    fakes: list[Experiment], capsys: pytest.CaptureFixture[str]
) -> None:
    write_result(Path("out"), result(fakes[0], [reading()]))
    assert main(["papers", "report", "out", "--markdown", "papers.md"]) == 0
    assert capsys.readouterr().out.endswith("open papers.md\n")
    assert "| ✓ | §1: It is so. | it is | Figure 1 |" in Path("papers.md").read_text()
    assert Path("papers/good-1.svg").is_file()
    assert main(["papers", "report", "out", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["experiments"][0]["claims"][0]["holds"] is True
    assert Path("out/report.html").is_file()


@pytest.mark.usefixtures("no_spark")
def test_what_is_left_to_explain_is_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (table1,) = [each for each in EXPERIMENTS if each.key == "structures-table1"]
    bare = replace(table1, claims=lambda _: [])
    monkeypatch.setattr(catalogue, "EXPERIMENTS", (bare,))
    wrong = Reading("disjoint", "heaviest baseball", "ids per table", "", 400, 400, 400)
    write_result(Path("out"), result(bare, [wrong]))
    assert main(["papers", "report", "out"]) == 1
    said = "structures-table1, ids per table of disjoint at heaviest baseball: disagrees, and no row says why"
    assert f"penstock: {said}\n" in capsys.readouterr().err


def test_without_matplotlib_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "penstock.report", None)
    assert main(["papers", "report", "out"]) == 2
    assert capsys.readouterr().err.startswith("penstock: report.html: ")
