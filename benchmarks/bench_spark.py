"""The pipeline on Spark: against a worker that does nothing, against joins, and against itself.

Messages of ten attributes in Parquet files, subscriptions of one equality and two ranges, about 5 matches a
message; see pipeline/workload.py. Rates are of whole jobs, from files into nothing, taken in turns; ratios
are of neighbours in time. `to reach` is meant for `--scale full` on a quiet machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import SparkSession

from access.figure import Figures
from common import Cell, Report, arguments, progress
from penstock.spark import session
from pipeline.cores import confined
from pipeline.memory import large_table, private_bytes
from pipeline.timing import Case, Rates, measure
from pipeline.ways import Job, count_deliveries
from pipeline.workload import Workload

MESSAGES = {"small": 200_000, "full": 1_000_000}
SUBSCRIPTIONS = {"small": 10_000, "full": 100_000}
LARGE = {"small": 100_000_000, "full": 1_000_000_000}
FILTERS_A_KEY = 25  # where keys are many
FEW_KEYS = 40  # where a join has 2,500 subscriptions to try for a message
OURS = ["forward", "forward, names", "forward_parquet", "forward_parquet, names"]
JUDGED = ["forward", "forward_parquet"]  # ids for answers
ONE_CORE = "local[1] on one core"  # the others have two
COUNTED = {1_000: 1_000, 10_000: 200}  # messages that counting in Spark gets through in a while


@contextmanager
def on(master: str) -> Iterator[SparkSession]:
    """A session for some of the measurements."""
    progress(f"a session on {master}")
    spark = session(master=master, conf={"spark.sql.shuffle.partitions": "2"})
    yield spark
    spark.stop()


def to_all(way: str) -> str:
    """The case in which a way has to take all columns, as the worker that does nothing does."""
    return f"{way}, all columns"


@dataclass(slots=True)
class Bench:
    """A run under way."""

    directory: Path
    messages: int
    seed: int
    turns: int
    figures: Figures = field(default_factory=Figures)

    def job(
        self,
        spark: SparkSession,
        subscriptions: int,
        keys: int | None = None,
        *,
        messages: int | None = None,
        all_columns: bool = False,
    ) -> Job:
        """Messages for so many subscriptions, drawn where they are not there yet, and the table."""
        keys = keys or subscriptions // FILTERS_A_KEY
        workload = Workload(self.directory, messages or self.messages, subscriptions, keys, self.seed)
        if not Path(workload.path).exists():
            workload.write_messages(spark)
        progress(f"a table of {subscriptions:,} subscriptions")
        return Job(spark, workload, workload.compiled(spark, all_columns=all_columns))

    def measure_ways(self, spark: SparkSession, subscriptions: int) -> Rates:
        """A worker that does nothing; ours, with the columns that are asked for, and with all."""
        some = self.job(spark, subscriptions)
        all_ = self.job(spark, subscriptions, all_columns=True)
        cases = {"nothing": Case("nothing", some)}
        cases |= {way: Case(way, some) for way in JUDGED}
        cases |= {to_all(way): Case(way, all_) for way in OURS}
        return measure(cases, self.turns)

    def judge_workers(self, rates: Rates, subscriptions: int, master: str) -> None:
        """Ours against a worker that does nothing."""
        for way, least in zip(JUDGED, (0.8, 2), strict=True):
            for case in (way, to_all(way)):
                what = f"{case}, against doing nothing, {master}, {subscriptions:,} subscriptions"
                self.figures.at_least(least, "x", what, rates.ratio(case, "nothing"))

    def measure_joins(
        self, spark: SparkSession, subscriptions: int, keys: int | None, judged: bool
    ) -> dict[str, Cell]:
        """Ours against a join on the key."""
        job = self.job(spark, subscriptions, keys)
        found = {way: count_deliveries(way, job) for way in ("forward", "forward_parquet", "join")}
        assert len(set(found.values())) == 1, found
        ways = ("forward", "forward_parquet", "join")
        rates = measure({way: Case(way, job) for way in ways}, min(self.turns, 3))
        if judged:
            what = f"a broadcast join, {subscriptions:,} subscriptions, {job.workload.keys:,} keys"
            self.figures.at_least(10, "x", f"forward against {what}", rates.ratio("forward", "join"))
        return {
            "subscriptions": subscriptions,
            "keys": job.workload.keys,
            "matches": found["forward"] / job.workload.messages,
            "forward k/s": rates.thousands("forward"),
            "forward_parquet k/s": rates.thousands("forward_parquet"),
            "join k/s": rates.thousands("join"),
            "forward / join": rates.ratio("forward", "join"),
        }

    def measure_counting(self, spark: SparkSession, subscriptions: int, messages: int) -> dict[str, Cell]:
        """Ours against counting the constraints that hold, in Spark."""
        job = self.job(spark, subscriptions, messages=messages)
        ways = ["forward", "explode and count"]
        assert len({count_deliveries(way, job) for way in ways}) == 1
        rates = measure({"explode and count": Case("explode and count", job)}, 1)
        return {"subscriptions": subscriptions, "explode and count /s": rates["explode and count"][0]}

    def measure_growth(self, spark: SparkSession, way: str, subscriptions: int) -> dict[str, Cell]:
        """Ten times the subscriptions, with as many matches."""
        jobs = {
            f"{count:,}": self.job(spark, count, all_columns=True)
            for count in (subscriptions, 10 * subscriptions)
        }
        small, large = jobs
        rates = measure({name: Case(way, job) for name, job in jobs.items()}, self.turns)
        cost = rates.ratio(small, large)
        self.figures.at_most(1.2, "x", f"{way}, cost of {large} subscriptions against {small}", cost)
        matches = [count_deliveries(way, job) / self.messages for job in jobs.values()]
        return {
            "way": way,
            "subscriptions": f"{small}, {large}",
            "matches": f"{matches[0]:.2f}, {matches[1]:.2f}",
            "first k/s": rates.thousands(small),
            "second k/s": rates.thousands(large),
            "cost": cost,
        }

    def measure_memory(self, spark: SparkSession, size: int) -> dict[str, Cell]:
        """Two workers, one table."""
        table = large_table(self.directory / "large", size)
        taken = private_bytes(spark, table, self.directory)
        megabytes = table.shard(0).stat().st_size / 1e6
        self.figures.at_most(
            150, "MB", f"private memory of a worker, table of {megabytes:,.0f} MB", taken[1] / 1e6
        )
        return {"subscriptions": table.subscriptions, "file MB": megabytes, "private MB": taken[1] / 1e6}


def main() -> None:
    """Run at the scale asked for; the table of figures comes last."""
    options = arguments(__doc__)
    report = Report(__doc__ or "", options)
    count = SUBSCRIPTIONS[options.scale]
    with TemporaryDirectory(prefix="bench-spark-") as directory:
        bench = Bench(Path(directory), MESSAGES[options.scale], options.seed, options.repeats)
        rates = {}
        for master in ("local[1]", "local[2]"):
            with on(master) as spark:
                rates[master] = bench.measure_ways(spark, count)
                bench.judge_workers(rates[master], count, master)
        with on("local[1]") as spark, confined(1):
            rates[ONE_CORE] = bench.measure_ways(spark, count)
        report.add(f"Thousand messages a second, {count:,} subscriptions", _by_way(rates))
        with on("local[2]") as spark:
            report.add(
                "Against a broadcast join on the key, then the ranges",
                [
                    bench.measure_joins(spark, subscriptions, keys, subscriptions == count)
                    for keys in (FEW_KEYS, None)
                    for subscriptions in sorted({1_000, 10_000, count})
                ],
            )
            report.add(
                "Against counting in Spark",
                [bench.measure_counting(spark, *sizes) for sizes in COUNTED.items()],
            )
            report.add("Growth", [bench.measure_growth(spark, way, count) for way in JUDGED])
            report.add("Memory of a second worker", [bench.measure_memory(spark, LARGE[options.scale])])
    for way in map(to_all, JUDGED):
        by_master = Rates({master: found[way] for master, found in rates.items()})
        for fewer in ("local[1]", ONE_CORE):
            scaled = by_master.ratio("local[2]", fewer)
            bench.figures.at_least(1.6, "x", f"{way}, local[2] against {fewer}", scaled)
    report.add("Figures", bench.figures.rows)
    report.finish()


def _by_way(rates: dict[str, Rates]) -> list[dict[str, Cell]]:
    return [
        {"way": way, **{master: found.thousands(way) for master, found in rates.items()}}
        for way in rates[ONE_CORE]
    ]


if __name__ == "__main__":
    main()
