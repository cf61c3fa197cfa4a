"""Full content: a table of filters against the oracle, under churn."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from structure_world import links

import strategies
from penstock.model import Filter
from penstock.oracle import matches
from penstock.structures import CONTENT, Link
from penstock.structures.attributes import flatten


class Content(RuleBasedStateMachine):
    """Links come to hold filters and drop them."""

    def __init__(self) -> None:
        super().__init__()
        self.table = CONTENT.table()
        self.held: dict[tuple[Link, Filter], None] = {}

    @rule(link=links, filter_=strategies.filters)
    def add(self, link: Link, filter_: Filter) -> None:
        if (link, filter_) not in self.held:
            self.table.add(link, filter_)
            self.held[link, filter_] = None

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        if self.held:
            link, filter_ = data.draw(st.sampled_from(list(self.held)))
            self.table.remove(link, filter_)
            del self.held[link, filter_]

    @rule(data=st.data())
    def forward(self, data: st.DataObject) -> None:
        header = flatten(data.draw(strategies.messages_near([filter_ for _, filter_ in self.held])))
        wanted = {link for link, filter_ in self.held if matches(filter_, header)}
        assert self.table.forward(header) == dict.fromkeys(wanted, header)

    @invariant()
    def nothing_is_left_of_links_that_hold_nothing(self) -> None:
        assert self.table.ids() == len({filter_ for _, filter_ in self.held})
        assert self.table._names.keys() == {link for link, _ in self.held}
        assert self.table._links == {name: link for link, name in self.table._names.items()}


TestContent = Content.TestCase
