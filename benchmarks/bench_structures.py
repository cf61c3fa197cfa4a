"""One router on the workloads of the match-structure paper: four formats, messages and subscriptions.

The two tables of the paper, drawn anew: a subscriber at each of 1,200 routers of a transit-stub network and
1,000 messages of a random source. The heaviest router is that of the source, the typical one has the mean
number of subscribers behind it. A router reads frames with encoded headers and 64 bytes of payload, asks its
table and writes a frame for each link; `with UDP` it also sends each through a socket to this machine, as the
paper's router did (C++, on an Athlon of 1.4 GHz). Not of the paper are `list that remembers`, whose
table keeps answers by header as that of a graph does, and `content`, filters in our default engine.
`--scale full` repeats the heaviest traffic for 20 sources.
"""

from access.figure import Figures
from common import Cell, Report, Spread, arguments
from penstock.papers.structures.contest import LIST_WITH_MEMORY
from penstock.papers.structures.process import drop
from penstock.papers.structures.workload import APPLICATIONS, heaviest, typical
from router.counts import count_loads
from router.measure import draw_contest, measure

SOURCES = 20
RUNS = {"small": 1, "full": 5}


def main() -> None:
    """Run at the scale asked for; the table of figures comes last."""
    options = arguments(__doc__)
    report, figures = Report(__doc__ or "", options), Figures()
    measured = [
        measure(draw_contest(load, application, options.seed), options.repeats)
        for load in (typical, heaviest)
        for application in APPLICATIONS
    ]
    runs = RUNS[options.scale]
    for router, rows in count_loads(options.seed, runs).items():
        report.add(f"What tables and links carry, {router}, means of {runs} runs", rows)
    report.add("All messages", [row for times in measured for row in times.messages()])
    report.add("All subscriptions", [row for times in measured for row in times.subscriptions()])
    report.add(
        "Messages, times as long as a graph's", [row for times in measured for row in times.against_graph()]
    )
    if options.scale == "full":
        report.add(f"Heaviest traffic, {SOURCES} sources", _sources(options.seed))
    figures.at_least(
        5, "x", "graph against list, messages of the heaviest traffic", measured[-1].ratio("list")
    )
    report.add("Figures", figures.rows)
    report.finish()


def _sources(seed: int) -> list[dict[str, Cell]]:
    """Ratios of medians, over networks and sources."""
    against: dict[str, list[float]] = {"list": [], LIST_WITH_MEMORY: []}
    for number in range(SOURCES):
        spent = draw_contest(heaviest, "traffic", seed + number).forwarding(5, drop)
        medians = {format_: Spread.of(times).median for format_, times in spent.items()}
        for format_, ratios in against.items():
            ratios.append(medians[format_] / medians["graph"])
    return [{"against": format_, "times as fast": Spread.of(ratios)} for format_, ratios in against.items()]


if __name__ == "__main__":
    main()
