"""Content-based publish/subscribe: match messages against many standing filters.

>>> table = ForwardingTable()
>>> subscription = table.subscribe("alice", "dest = 'MXP' AND price < 500")
>>> table.match({"dest": "MXP", "price": 450})
['alice']
"""

from penstock.errors import FilterError, MessageError, PenstockError
from penstock.language import parse
from penstock.model import Constraint, Filter, Limits, Operator, Predicate, Type
from penstock.table import ForwardingTable

__all__ = [
    "Constraint",
    "Filter",
    "FilterError",
    "ForwardingTable",
    "Limits",
    "MessageError",
    "Operator",
    "PenstockError",
    "Predicate",
    "Type",
    "parse",
]
