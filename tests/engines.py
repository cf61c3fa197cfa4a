"""Every way to make a table, so that each test can face all of them."""

from collections.abc import Callable

import pytest

from penstock import ForwardingTable

# Selectivity without rounds, with few, and with its default: each prunes at other places.
MAKERS: dict[str, Callable[[], ForwardingTable]] = {
    "access": lambda: ForwardingTable("access"),
    "counting": lambda: ForwardingTable("counting"),
    "selectivity-0": lambda: ForwardingTable("selectivity", rounds=0),
    "selectivity-1": lambda: ForwardingTable("selectivity", rounds=1),
    "selectivity-10": lambda: ForwardingTable("selectivity", rounds=10),
}

every_engine = pytest.mark.parametrize("make_table", MAKERS.values(), ids=MAKERS)
