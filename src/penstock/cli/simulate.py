"""`penstock simulate`: play a scenario on a network of routers, and write a report to open at the end."""

import argparse
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.check import counted
from penstock.cli.progress import Bar, show_progress
from penstock.cli.spark_run import directory
from penstock.errors import InputError
from penstock.network.play import Result, run_scenario
from penstock.network.scenario import Scenario
from penstock.network.scenario_file import read_scenario
from penstock.network.shipped import shipped_scenarios
from penstock.pipeline.output import check_goal, staged, write_manifest
from penstock.pipeline.stage import Stages, Watcher

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["add_parser", "run"]

EPILOG = """\
SCENARIO is a TOML file: a topology, an application, who subscribes, what is published, what fails and when.
A bare name is one of the scenarios that come with penstock; --list shows them. The same file and seed give
the same result, to the last frame.

a small one:
  name = "A ring that breaks"
  duration = 10                  # seconds, as all times
  sources = [0]                  # routers at which messages are published
  topology = { shape = "ring", routers = 8 }

  [application]
  kind = "filters"
  templates = ["price < {price}"]
  attributes = { price = { between = [0, 1000] } }

  [[subscribers]]
  per_router = 2
  draw = 1

  [[messages]]
  rate = 20

  [[failures]]
  at = 4
  what = "cut"
  link = [0, 1]
  lasts = 3

DIR holds
  report.html    the network coloured by load, traffic, tables, delays, failures, and what was missed and why
  metrics.json   the same as data

examples:
  $ penstock simulate --list
  $ penstock simulate news-desk
  $ penstock simulate ring.toml --seed 7 --out ring
  $ penstock simulate airport-alerts --json --quiet | jq .missed_while

The report needs an extra: pip install 'penstock[report]'

exit code: 0 all good, 1 a scenario that cannot be played, 2 usage or unreadable file
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "simulate",
        help="play a scenario on a content-based network, and write a report",
        description="Play a scenario on a simulated content-based network and write a report.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "scenario", metavar="SCENARIO", nargs="?", help="a TOML file, or the name of a shipped one"
    )
    parser.add_argument("--list", action="store_true", help="show the shipped scenarios")
    parser.add_argument(
        "--out", metavar="DIR", type=directory, help="where results go (default: simulated/NAME of the file)"
    )
    parser.add_argument(
        "--seed", metavar="N", type=_seed, help="of all that is drawn (default: the scenario's)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")
    parser.set_defaults(run=run, usage_error=parser.error)


def run(arguments: argparse.Namespace) -> int:
    """Play it, write the report, sum up, and say what to open."""
    if arguments.list:
        _show_shipped()
        return 0
    if arguments.scenario is None:
        arguments.usage_error("which SCENARIO? `penstock simulate --list` shows the shipped ones")
    path = _find(arguments.scenario)
    goal = arguments.out or Path("simulated") / path.stem
    check_goal(goal)
    try:
        from penstock.network_report import metrics, tell  # noqa: PLC0415 - it takes a while, and may be missing
        from penstock.report import render_essay  # noqa: PLC0415
    except ImportError as error:  # it says what to install
        raise InputError("report.html", None, str(error)) from None
    with show_progress(quiet=arguments.quiet, json=arguments.json) as watcher:
        stages = Stages(watcher)
        with stages("read", "reading the scenario") as stage:
            scenario = _read(path, arguments.seed)
            stage.count(len(scenario.events), "event")
        result = _play(scenario, stages, watcher)
        with stages("report", "writing the report"), staged(goal) as staging:
            text = json.dumps(metrics(result), indent=2) + "\n"
            (staging / "metrics.json").write_text(text, encoding="utf-8")
            page = render_essay(tell(result, f"penstock simulate {shlex.quote(arguments.scenario)}"))
            (staging / "report.html").write_text(page, encoding="utf-8")
            write_manifest(staging, {"scenario": scenario.name, "seed": scenario.seed})
    if arguments.json:
        print(text, end="")
    elif not arguments.quiet:
        print(*_sums(result), sep="\n")
        print(f"open {goal / 'report.html'}")
    return 0


def _show_shipped() -> None:
    for name, path in shipped_scenarios().items():
        scenario = read_scenario(path)
        routers = counted(len(scenario.topology.routers), "router")
        print(f"{name}: {scenario.name}, {routers}, {scenario.duration / 1e6:g} s, format {scenario.format}")
        for line in scenario.description.splitlines():
            print(f"    {line}")


def _find(name: str) -> Path:
    """A file, or else a shipped scenario of that name."""
    if Path(name).exists():
        return Path(name)
    shipped = shipped_scenarios()
    if name in shipped:
        return shipped[name]
    raise InputError(name, None, f"is neither a file nor one of the shipped scenarios: {', '.join(shipped)}")


def _read(path: Path, seed: int | None) -> Scenario:
    try:
        return read_scenario(path, seed=seed)
    except OSError as error:
        raise InputError(str(path), None, error.strerror or str(error)) from None


def _play(scenario: Scenario, stages: Stages, watcher: Watcher) -> Result:
    """Play it; the bar shows how much of its time has passed."""
    passed = 0

    def note(now: int) -> None:
        nonlocal passed
        passed = now

    if isinstance(watcher, Bar):
        watcher.tasks = lambda: (passed, scenario.duration)
    with stages("play", "playing the scenario") as stage:
        result = run_scenario(scenario, watch=note)
        stage.count(result.totals.published, "message")
    if isinstance(watcher, Bar):
        watcher.tasks = None
    return result


def _sums(result: Result) -> list[str]:
    """What it came to, in lines that can be checked by eye."""
    totals = result.totals
    lines = [
        f"{counted(totals.published, 'message')} published, {counted(totals.delivered, 'delivery')}",
        f"{result.due:,} due = {result.due - result.missed:,} came + {result.missed:,} missed",
        f"{counted(totals.messages, 'message')} and {counted(totals.control, 'control frame')} on links",
    ]
    if result.latencies is not None:
        late = result.latencies
        lines.append(f"delay {late.median / 1000:.1f} ms median, {late.p99 / 1000:.1f} ms for 99 of 100")
    if result.disturbances:
        longest = max(each.settled for each in result.disturbances) / 1000
        lines.append(f"settled at most {longest:.1f} ms after a failure or recovery")
    return lines


def _seed(text: str) -> int:
    if not text.isdecimal() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0, got {text!r}")
    return int(text)
