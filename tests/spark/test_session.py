"""Sessions: embedded unless told otherwise, and without touching what Spark Connect lacks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import penstock.spark
from penstock.spark import session
from processes import clean_environment

PACKAGE = Path(penstock.spark.__file__).parent


def test_settings_given_win_over_those_of_embedded_sessions(spark: SparkSession) -> None:
    assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
    assert os.environ["PYSPARK_PYTHON"] == sys.executable


def test_an_active_session_is_taken_up(spark: SparkSession) -> None:
    assert session(conf={"spark.sql.shuffle.partitions": "2"}) is spark


def test_a_session_is_in_one_place() -> None:
    with pytest.raises(ValueError, match="give master or remote, not both"):
        session(master="local", remote="sc://localhost")


def test_nothing_uses_what_spark_connect_lacks() -> None:
    for path in PACKAGE.glob("*.py"):
        code = path.read_text("utf-8")
        assert not any(word in code for word in ("sparkContext", "_jvm", "_jdf", "_sc.", ".rdd")), path.name


def test_without_pyspark_the_import_says_what_to_install() -> None:
    code = "import sys; sys.modules['pyspark'] = None; import penstock.spark"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.endswith("ImportError: penstock.spark needs PySpark: pip install 'penstock[spark]'\n")


def test_penstock_itself_does_not_load_pyspark() -> None:
    code = "import sys, penstock, penstock.cli; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_embedded_spark_starts_and_ends_without_a_word() -> None:
    code = "from penstock.spark import session; print(session(master='local').range(3).count())"
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("3\n", "")
