"""A real cluster loses a worker in the middle of a job, and nobody sees it in the result."""

import csv
import json
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.dataset as ds

from cluster import Cluster, end
from penstock import ForwardingTable
from processes import HASTY, clean_environment

SUBSCRIPTIONS = [(f"i{n % 20:02}", f"price BETWEEN {n * 7} AND {n * 7 + 20}") for n in range(140)]
MESSAGES = [{"id": n, "price": n * 7919 % 1000} for n in range(8000)]
FILES = 16
SETTINGS = {
    **HASTY,
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.sql.files.minPartitionNum": str(FILES),  # small files are not put together: many tasks are left
    "spark.sql.files.openCostInBytes": "0",
    "spark.ui.enabled": "false",
}


def test_a_worker_that_dies_costs_no_row(tmp_path: Path) -> None:
    _write_inputs(tmp_path)
    log = tmp_path / "job.log"
    with Cluster(tmp_path, workers=2) as cluster:
        job = _forward(tmp_path, cluster.url, log)
        try:
            # Both workers are writing what they have forwarded, so each holds what the other does not.
            while len(list(tmp_path.glob(".out.staging-*/_work/forwarded/_temporary/*/_temporary/*"))) < 2:
                assert job.poll() is None, log.read_text("utf-8", "replace")
                time.sleep(0.01)
            end(cluster.workers[0])
            assert job.wait() == 0, log.read_text("utf-8", "replace")
            assert "Lost executor" in log.read_text("utf-8", "replace")
        finally:
            end(job)
    table = ForwardingTable()
    table.subscribe_many(*map(list, zip(*SUBSCRIPTIONS, strict=True)))
    delivered = ds.dataset(tmp_path / "out" / "deliveries", format="parquet").to_table().to_pylist()
    assert sorted((int(row["id"]), row["interface"]) for row in delivered) == sorted(
        (message["id"], interface) for message in MESSAGES for interface in table.match(message)
    )
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text("utf-8"))
    assert metrics["messages"] == len(MESSAGES)


def _write_inputs(directory: Path) -> None:
    with (directory / "wishes.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("interface", "filter"), *SUBSCRIPTIONS])
    (directory / "messages").mkdir()
    for number in range(FILES):
        lines = [json.dumps(message) + "\n" for message in MESSAGES[number::FILES]]
        (directory / "messages" / f"{number:02}.jsonl").write_text("".join(lines), encoding="utf-8")


def _forward(directory: Path, master: str, log: Path) -> subprocess.Popen[bytes]:
    """The command in a process of its own, since this one may have a session already."""
    inputs = ["--subscriptions", str(directory / "wishes.csv"), "--messages", str(directory / "messages")]
    settings = [f"--conf={key}={value}" for key, value in SETTINGS.items()]
    command = [
        sys.executable,
        "-m",
        "penstock",
        "forward",
        *inputs,
        "--id",
        "id",
        "--out",
        str(directory / "out"),
    ]
    with log.open("wb") as file:
        return subprocess.Popen(
            [*command, "--debug", "--master", master, *settings],
            env=clean_environment(),
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
