"""The pipeline on Spark: subscriptions compiled into tables in files, messages forwarded to interfaces.

DataFrames in, DataFrames out, on classic sessions and on Spark Connect alike.
"""

try:
    import pyspark  # noqa: F401
except ImportError as error:
    raise ImportError("penstock.spark needs PySpark: pip install 'penstock[spark]'") from error

from penstock.spark import workload
from penstock.spark.compile import compile_table
from penstock.spark.forward import deliveries, forward
from penstock.spark.network import Forwarded, NetworkRef, forward_network, write_network
from penstock.spark.parquet import forward_parquet
from penstock.spark.reference import TableRef
from penstock.spark.session import session
from penstock.spark.stream import stream_forward

__all__ = [
    "Forwarded",
    "NetworkRef",
    "TableRef",
    "compile_table",
    "deliveries",
    "forward",
    "forward_network",
    "forward_parquet",
    "session",
    "stream_forward",
    "workload",
    "write_network",
]
