"""The figures to reach: the default engine against counting, its ways in, its memory, growth and updates.

The workload of the 2002 paper with 5 million constraints, one thread; `to reach` is meant for `--scale full`.
Results are compared with another engine or another way in before they are timed. Native times include the
clock that takes them, times of calls from Python the loop that makes them.
"""

from access.batch import measure_batches
from access.churn import measure_churn
from access.events import measure_events
from access.figure import Run
from access.growth import measure_growth
from access.live import Live
from access.paper import measure_paper
from access.single import measure_single
from common import Report, arguments

CONSTRAINTS = {"small": 50_000, "full": 5_000_000}
INTERFACES = (None, 20, 200)
FILTERS = {"small": 5_000, "full": 100_000}
ROWS = {"small": 10_000, "full": 100_000}
LIVE = {"small": 50_000, "full": 1_000_000}
CALLS = {"small": 10_000, "full": 200_000}
UPDATES = {"small": 200_000, "full": 10_000_000}


def main() -> None:
    """Run at the scale asked for; the table of figures comes last."""
    options = arguments(__doc__, engine=True)
    report = Report(__doc__ or "", options)
    run = Run(options.engine, options.seed, options.repeats)
    constraints, filters, live = (sizes[options.scale] for sizes in (CONSTRAINTS, FILTERS, LIVE))
    report.add(
        f"{constraints:,} constraints; native µs per message, bytes per constraint",
        [measure_paper(run, constraints, interfaces) for interfaces in INTERFACES],
    )
    batches = measure_batches(run, filters, ROWS[options.scale])
    report.add(f"match_batch, {filters:,} filters, I = 20", batches)
    report.add(f"match_json, {filters:,} filters, I = F", measure_events(run, filters))
    growth = measure_growth(run, constraints)
    report.add(f"Growth to {constraints:,} constraints, I = F; native µs per message", growth)
    table = Live.load(run.engine, live, run.seed)
    calls = measure_single(run, table, CALLS[options.scale])
    report.add(f"Single updates, {live:,} filters, from Python", calls)
    report.add("Many updates", [measure_churn(run, table, UPDATES[options.scale])])
    report.add(f"Figures of {run.engine}; min / median / p90 where measured often", run.figures.rows)
    report.finish()


if __name__ == "__main__":
    main()
