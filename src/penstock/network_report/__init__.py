"""The report of a simulation: what a scenario brought, in a page, and as data."""

from penstock.network_report.metrics import metrics
from penstock.network_report.story import tell

__all__ = ["metrics", "tell"]
