"""Hierarchical streams: topics such as `Streams/Sensor/Fluid/Pressure`, and patterns with wildcards.

`Streams/Sensor/*/Pressure` wants that topic and everything below it: a level `*` is any one level, and every
pattern ends in a wildcard that is not written.

>>> table = TopicTable()
>>> subscription = table.subscribe("Streams/Sensor/*/Pressure", "control room")
>>> table.match("Streams/Sensor/Fluid/Pressure/Inlet")
['control room']
"""

from penstock.topics.table import Scheme, TopicStats, TopicTable
from penstock.topics.translate import from_mqtt, from_nats, from_zenoh, to_mqtt, to_nats, to_zenoh

__all__ = [
    "Scheme",
    "TopicStats",
    "TopicTable",
    "from_mqtt",
    "from_nats",
    "from_zenoh",
    "to_mqtt",
    "to_nats",
    "to_zenoh",
]
