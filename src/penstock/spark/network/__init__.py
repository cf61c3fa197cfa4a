"""A whole network on Spark: its routers in files, messages hop by hop over the partitions of a job."""

from penstock.spark.network.forward import Forwarded, forward_network
from penstock.spark.network.reference import NetworkRef
from penstock.spark.network.write import write_network

__all__ = ["Forwarded", "NetworkRef", "forward_network", "write_network"]
