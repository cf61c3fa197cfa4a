"""A Spark session with sensible settings: embedded and quiet unless a cluster is named.

Nothing here, or elsewhere in the package, touches the Spark context or the JVM, so that whatever runs on a
session of one kind runs on the other, Spark Connect, as well.
"""

import os
import sys
import warnings
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

from pyspark.sql import SparkSession

from penstock.spark.quiet import without_greeting

__all__ = ["session"]

NOTHING: Mapping[str, str] = MappingProxyType({})
LOGGING = files("penstock.spark").joinpath("log4j2.properties")

# Of a driver in this process: the terminal belongs to the program, not to Spark.
QUIET = {
    "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile=file:{LOGGING}",
    "spark.ui.showConsoleProgress": "false",
}
EMBEDDED = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "4g",
    "spark.sql.shuffle.partitions": str(max(4, os.cpu_count() or 4)),
    "spark.ui.enabled": "false",
}


def session(
    *,
    master: str | None = None,
    remote: str | None = None,
    conf: Mapping[str, str] = NOTHING,
    name: str = "penstock",
) -> SparkSession:
    """A session on a cluster (`master`), on Spark Connect (`remote`), or embedded on all cores.

    Where the surroundings have chosen already (spark-submit, a notebook, MASTER, SPARK_REMOTE), and neither
    is given, their choice stands. `conf` wins over the settings that embedded sessions start with.
    """
    if master is not None and remote is not None:
        raise ValueError("give master or remote, not both")
    if master is None and remote is None and not _is_chosen():
        master = "local[*]"
    place = remote or master or ""
    builder = SparkSession.builder.appName(name)
    if remote is not None:
        builder = builder.remote(remote)
    elif master is not None:
        builder = builder.master(master)
    settings = dict(conf)
    if place.startswith("local"):
        os.environ["PYSPARK_PYTHON"] = sys.executable  # the one that has penstock
        settings = QUIET | EMBEDDED | settings
    else:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        settings = (QUIET if master is not None else {}) | settings
    for key, value in settings.items():
        builder = builder.config(key, value)
    with warnings.catch_warnings(), without_greeting():
        # An embedded Connect server has been started with the very settings that its sessions cannot change.
        warnings.filterwarnings("ignore", message=".*CANNOT_MODIFY_CONFIG", category=UserWarning)
        return builder.getOrCreate()


def _is_chosen() -> bool:
    """Whether a session is there, or where it shall be."""
    variables = ("MASTER", "SPARK_REMOTE", "PYSPARK_GATEWAY_PORT")
    return SparkSession.getActiveSession() is not None or any(name in os.environ for name in variables)
