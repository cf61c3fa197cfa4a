"""For processes that tests start: an environment and settings of their own."""

import os

__all__ = ["HASTY", "clean_environment"]

# What tests wait for is Spark, not the data: a compiler that is quick rather than thorough.
HASTY = {
    f"spark.{process}.defaultJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    for process in ("driver", "executor")
}


def clean_environment() -> dict[str, str]:
    """As a user would have it: without what a Spark session in this process has left there."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
