"""Synthetic workloads of the two forwarding papers: parameters, and filters and messages drawn from them."""

from penstock.workload.distribution import Distribution, Linear, Mix, Uniform, Zipf
from penstock.workload.generate import filters, messages, sized
from penstock.workload.scenario import Scenario, Scenario2001, Scenario2002

__all__ = [
    "Distribution",
    "Linear",
    "Mix",
    "Scenario",
    "Scenario2001",
    "Scenario2002",
    "Uniform",
    "Zipf",
    "filters",
    "messages",
    "sized",
]
