"""`penstock papers`: the figures and tables of the papers, listed, measured on Spark, and reported."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.cli.check import counted
from penstock.cli.papers_run import run_all
from penstock.cli.spark_run import add_run_options, directory, spark_run
from penstock.errors import ExperimentError, InputError, PointsError
from penstock.pipeline.output import check_goal

if TYPE_CHECKING:
    from penstock.papers.story import Story

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

__all__ = ["add_parser", "show_list"]

EPILOG = """\
Without a command it lists the experiments: key, figure, what it shows. KEY is one of these keys, a paper
(fast-2001, fast-2002, structures, streams), or `all`. Each point of a sweep is a task on Spark; points that
are timed run one after the other, alone.

DIR holds
  readings/      Parquet, a file for each experiment: what was measured, with its spread
  plots/         SVG, one for each plot of the report, for light and dark
  report.html    which claims hold today, and every number beside the printed one
Results of other experiments in DIR stay, so that a long run can be done in parts; a DIR holds one scale.

examples:
  $ penstock papers
  $ penstock papers run structures
  $ penstock papers run all --scale full --out reproduced/full
  $ penstock papers report reproduced/full --markdown docs/papers.md

It needs the extras: pip install 'penstock[report,spark]'

exit code: 0 all good, 1 points failed or a disagreement has no reason, 2 usage, 3 Spark failed
"""


def add_parser(commands: "Commands") -> None:
    """Declare the command, its subcommands and their options."""
    settings: Any = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
    help_ = "measure the papers' figures and tables anew, beside the printed numbers"
    parser = commands.add_parser(
        "papers", help=help_, description=f"{help_[:1].upper()}{help_[1:]}.", epilog=EPILOG, **settings
    )
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.set_defaults(run=show_list)
    ways = parser.add_subparsers(metavar="run | report")
    run_ = ways.add_parser("run", help="measure, on Spark, and write a report", epilog=EPILOG, **settings)
    run_.add_argument("keys", metavar="KEY", nargs="+", help="an experiment, a paper, or all")
    run_.add_argument("--scale", choices=["small", "full"], default="small", help="sizes (default: small)")
    run_.add_argument(
        "--out", metavar="DIR", type=directory, help="where results go (default: reproduced/SCALE)"
    )
    add_run_options(run_)
    run_.set_defaults(run=_run, usage_error=run_.error)
    report = ways.add_parser("report", help="write the report of saved results", epilog=EPILOG, **settings)
    report.add_argument("directory", metavar="DIR", type=directory, help="what `penstock papers run` wrote")
    report.add_argument(
        "--markdown", metavar="FILE", type=Path, help="as Markdown, with plots in a directory beside it"
    )
    report.add_argument("--json", action="store_true", help="print the claims and counts as JSON")
    report.set_defaults(run=_report, quiet=False)


def show_list(arguments: argparse.Namespace) -> int:
    """A line for each experiment."""
    from penstock.papers.catalogue import EXPERIMENTS  # noqa: PLC0415 - it takes a while

    if arguments.json:
        names = ("key", "paper", "figure", "shows", "timed")
        print(json.dumps([{name: getattr(each, name) for name in names} for each in EXPERIMENTS], indent=2))
        return 0
    widths = [max(len(getattr(each, name)) for each in EXPERIMENTS) for name in ("key", "paper", "figure")]
    for each in EXPERIMENTS:
        cells = zip((each.key, each.paper, each.figure), widths, strict=True)
        print("  ".join([*(text.ljust(width) for text, width in cells), each.shows]))
    return 0


def _run(arguments: argparse.Namespace) -> int:
    """Look before Spark starts, measure, report, sum up."""
    _require_report()
    from penstock.papers.catalogue import EXPERIMENTS, choose  # noqa: PLC0415 - it takes a while
    from penstock.papers.result import check_scale  # noqa: PLC0415

    try:
        chosen = choose(arguments.keys, EXPERIMENTS)
    except ExperimentError as error:
        arguments.usage_error(str(error))
    goal = arguments.out or Path("reproduced") / arguments.scale
    check_goal(goal)
    check_scale(goal, arguments.scale)
    with spark_run(arguments) as (spark, stages):
        run_all(spark, chosen, goal, arguments.scale, stages)
    return _tell(goal, arguments)


def _report(arguments: argparse.Namespace) -> int:
    """From what was saved, without measuring."""
    _require_report()
    return _tell(arguments.directory, arguments)


def _tell(goal: Path, arguments: argparse.Namespace) -> int:
    """Write the report, and say what it came to; 1 if something is left to explain."""
    from penstock.papers.catalogue import EXPERIMENTS  # noqa: PLC0415 - it takes a while
    from penstock.papers.report import summarise, tell_results, write_page  # noqa: PLC0415

    story = tell_results(goal, EXPERIMENTS)
    written = write_page(story, goal)
    if getattr(arguments, "markdown", None):
        from penstock.papers.markdown import write_markdown  # noqa: PLC0415

        written = write_markdown(story, arguments.markdown)[0]
    if arguments.json:
        print(json.dumps(summarise(story), indent=2, ensure_ascii=False))
    elif not arguments.quiet:
        print(*_sums(story), f"open {written}", sep="\n")
    for problem in story.problems:
        print(f"penstock: {problem}", file=sys.stderr)
    if story.failures:
        raise PointsError(story.failures)
    return 1 if story.problems else 0


def _sums(story: "Story") -> list[str]:
    from penstock.papers.page import facts  # noqa: PLC0415

    return [
        f"{counted(len(story.figures), 'figure')} of {counted(len(story.chapters), 'paper')}",
        ", ".join(f"{value} {label}" for value, label in facts(story)),
    ]


def _require_report() -> None:
    try:
        import penstock.report  # noqa: F401, PLC0415 - it may be missing
    except ImportError as error:  # it says what to install
        raise InputError("report.html", None, str(error)) from None
