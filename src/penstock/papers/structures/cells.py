"""The names of rows and columns of both tables, as readings and printed numbers have them."""

from penstock.papers.structures.workload import APPLICATIONS

__all__ = [
    "ALONE_RATIO", "BUSIEST", "COLUMNS", "LINK", "NOTIFICATION", "ROUTERS", "SENT", "SENT_RATIO",
    "SUBSCRIPTION", "TABLE", "TAKEN", "TAKEN_RATIO", "WIDER",
]  # fmt: skip

ROUTERS = ("typical", "heaviest")
COLUMNS = tuple(f"{router} {application}" for router in ROUTERS for application in APPLICATIONS)
LINK, SUBSCRIPTION, TABLE, NOTIFICATION = (
    "notifications per link",
    "ids per subscription",
    "ids per table",
    "ids per notification",
)
WIDER = "disjoint, first stretch included"
SENT, TAKEN = "time for notifications", "time for subscriptions"
SENT_RATIO, TAKEN_RATIO = "notifications: times the graph", "subscriptions: times the graph"
ALONE_RATIO = "notifications without sends: times the graph"
BUSIEST = "heaviest traffic"
