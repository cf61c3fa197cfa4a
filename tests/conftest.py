"""How hard Hypothesis tries: `ci` by default, `soak` for a night (HYPOTHESIS_PROFILE=soak); and one Spark."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from processes import HASTY

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Generating a table and its messages is slow by Hypothesis' standards, and meant to be.
UNHURRIED = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "ci",
    max_examples=150,
    stateful_step_count=30,
    deadline=None,
    print_blob=True,
    suppress_health_check=UNHURRIED,
)
settings.register_profile(
    "soak", parent=settings.get_profile("ci"), max_examples=20_000, stateful_step_count=100
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

SMALL_SPARK = {**HASTY, "spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "2"}


@pytest.hookimpl(tryfirst=True)  # before those who tell groups apart by the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of processes that share the tests, one has the sessions of a kind: starting them is slow."""
    for item in items:
        if isinstance(item, pytest.Function) and "spark" in item.fixturenames:
            item.add_marker(pytest.mark.xdist_group(item.callspec.params["spark"]))


@pytest.fixture(scope="session", params=["classic", "connect"])
def spark(request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    """One session of each kind for all tests, on two cores: every test faces both."""
    from penstock.spark import session  # noqa: PLC0415 - loading it takes a while

    if request.param == "classic":
        started = session(master="local[2]", conf=SMALL_SPARK)
    else:
        # PySpark gives its server a free port only where it believes to be tested itself.
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("SPARK_TESTING", "1")
            started = session(remote="local[2]", conf=SMALL_SPARK)
    yield started
    started.stop()
