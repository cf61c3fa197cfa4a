"""The content-based network: routers that forward by content, and a simulator that drives them.

>>> from penstock.structures import ContentProcessor
>>> sim = Simulation(line(3), ContentProcessor(), sources=[0])
>>> sim.attach("alice", 2)
>>> sim.subscribe("alice", "dest = 'MXP' AND price < 500")
>>> sim.at_rest()
>>> publication = sim.publish(0, {"dest": "MXP", "price": 450})
>>> sim.at_rest()
>>> publication.hosts
['alice']
"""

from penstock.network.codec import decode, encode
from penstock.network.metric import latencies, link_loads, table_sizes, totals
from penstock.network.play import Result, run_scenario
from penstock.network.router import Deliver, Router, Send
from penstock.network.scenario import Scenario
from penstock.network.scenario_file import parse_scenario, read_scenario
from penstock.network.simulation import Simulation
from penstock.network.topology import Link, Topology, complete, line, random_graph, ring, star, tree
from penstock.network.topology_file import parse_links, read_topology
from penstock.network.transit_stub import TransitStub

__all__ = [
    "Deliver",
    "Link",
    "Result",
    "Router",
    "Scenario",
    "Send",
    "Simulation",
    "Topology",
    "TransitStub",
    "complete",
    "decode",
    "encode",
    "latencies",
    "line",
    "link_loads",
    "parse_links",
    "parse_scenario",
    "random_graph",
    "read_scenario",
    "read_topology",
    "ring",
    "run_scenario",
    "star",
    "table_sizes",
    "totals",
    "tree",
]
