"""A standalone cluster on this machine: a master and workers, each a process of its own, on free ports."""

import os
import re
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import pyspark

from processes import clean_environment

SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
LOOPBACK = ["--host", "127.0.0.1", "--webui-port", "0"]


class Cluster:
    """Runs while the block does; everything it starts is in process groups that end with it."""

    def __init__(self, directory: Path, workers: int) -> None:
        self.directory = directory
        self.count = workers
        self.workers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "Cluster":
        self.master = self._start("master", "master.Master", *LOOPBACK, "--port", "0")
        self.url = self._logged("master", self.master, r"Starting Spark master at (spark://\S+)")
        for number in range(self.count):
            place = ["--work-dir", str(self.directory / "work"), "--cores", "1", "--memory", "1g"]
            started = self._start(f"worker{number}", "worker.Worker", *LOOPBACK, *place, self.url)
            self.workers.append(started)
        for number, worker in enumerate(self.workers):
            self._logged(f"worker{number}", worker, r"(Successfully registered with master)")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in [*self.workers, self.master]:
            end(process)

    def _start(self, name: str, class_: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [str(SPARK_CLASS), f"org.apache.spark.deploy.{class_}", *arguments]
        settings = {"SPARK_DAEMON_MEMORY": "256m", "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1"}
        with (self.directory / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                command, env=clean_environment() | settings, stdout=log, stderr=log, start_new_session=True
            )

    def _logged(self, name: str, process: subprocess.Popen[bytes], pattern: str) -> str:
        """What the pattern finds in a log, as soon as it does."""
        path = self.directory / f"{name}.log"
        while not (found := re.search(pattern, path.read_text("utf-8", "replace"))):
            assert process.poll() is None, path.read_text("utf-8", "replace")
            time.sleep(0.1)
        return found[1]


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and what it has started, the executors of a worker above all."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
