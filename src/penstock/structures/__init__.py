"""Match structures: routers forward by ids in headers, and only the edge of the network knows what they mean.

A format says what entries, headers and tables are; a processor translates an application's interests and
messages into them. Five formats stand behind one protocol: full content, single ids for overlapping or for
disjoint categories, content lists and content graphs.

>>> processor = GraphProcessor(Filters())
>>> table = GRAPH.table()
>>> for link, interest in [("north", "price < 500"), ("south", "price < 100")]:
...     for entry in processor.subscribe(interest):
...         table.add(link, entry)
>>> [header] = processor.headers({"price": 50})
>>> dict(table.forward(header))
{'north': (1,), 'south': (2,)}
"""

from penstock.structures.application import Application, Index, Scan
from penstock.structures.baseball import Baseball
from penstock.structures.category import Categories
from penstock.structures.content import CONTENT, ContentProcessor
from penstock.structures.content_graph import GRAPH, GraphProcessor
from penstock.structures.content_list import LIST, ListProcessor
from penstock.structures.disjoint import DISJOINT, DisjointProcessor
from penstock.structures.filters import Filters
from penstock.structures.format import Entry, Format, Header, Link, Processor, Table
from penstock.structures.overlapping import OVERLAPPING, OverlappingProcessor
from penstock.structures.place import Place
from penstock.structures.subscriber import Subscriber
from penstock.structures.traffic import Traffic

__all__ = [
    "CONTENT",
    "DISJOINT",
    "GRAPH",
    "LIST",
    "OVERLAPPING",
    "Application",
    "Baseball",
    "Categories",
    "ContentProcessor",
    "DisjointProcessor",
    "Entry",
    "Filters",
    "Format",
    "GraphProcessor",
    "Header",
    "Index",
    "Link",
    "ListProcessor",
    "OverlappingProcessor",
    "Place",
    "Processor",
    "Scan",
    "Subscriber",
    "Table",
    "Traffic",
]
