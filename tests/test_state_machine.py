"""After any mixture of subscribe, unsubscribe, match, build and save every engine equals a plain dictionary.

The model is `key -> (interface, predicate)`, matched by the oracle; each table has its own id for each key.
No table gives out an id twice, even when the first has long been returned: a stale id must stay stale.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from engines import MAKERS
from penstock import ForwardingTable
from penstock.errors import FilterError, MessageError, UnknownSubscriptionError
from penstock.model import Predicate
from penstock.oracle import matches
from strategies import interfaces, messages_near, predicates

BAD_FILTERS = ["", "a <", "a = 1 AND", "a STARTS WITH 5", "a < true", "a = b", "'"]
BAD_MESSAGES: list[Any] = [{"a": 2**63}, {"a": [1]}, {"a": "\ud800"}, {"a.b": 1, "a": {"b": 1}}]

rows = st.lists(st.tuples(interfaces, predicates), max_size=4)


class EveryTableEqualsTheModel(RuleBasedStateMachine):
    live = Bundle("live")
    stale = Bundle("stale")

    def __init__(self) -> None:
        super().__init__()
        self.tables = [make() for make in MAKERS.values()]
        self.model: dict[int, tuple[str, Predicate]] = {}
        self.ids: dict[int, list[int]] = {}  # by key, live or not, one id for each table
        self.given: list[set[int]] = [set() for _ in self.tables]  # every id that the table ever gave out

    def add(self, row: tuple[str, Predicate], ids: list[int]) -> int:
        for number, given in zip(ids, self.given, strict=True):
            assert number not in given, "an id was given out twice"
            given.add(number)
        key = len(self.ids)
        self.model[key], self.ids[key] = row, ids
        return key

    @rule(target=live, interface=interfaces, predicate=predicates)
    def subscribe(self, interface: str, predicate: Predicate) -> int:
        ids = [table.subscribe(interface, predicate) for table in self.tables]
        return self.add((interface, predicate), ids)

    @rule(target=live, interface=interfaces, predicate=predicates)
    def subscribe_text(self, interface: str, predicate: Predicate) -> int:
        ids = [table.subscribe(interface, str(predicate)) for table in self.tables]
        return self.add((interface, predicate), ids)

    @rule(target=live, rows=rows)
    def subscribe_many(self, rows: list[tuple[str, Predicate]]) -> Any:
        names, wanted = [row[0] for row in rows], [row[1] for row in rows]
        columns = [table.subscribe_many(names, wanted).tolist() for table in self.tables]
        return multiple(*(self.add(row, list(ids)) for row, *ids in zip(rows, *columns, strict=True)))

    @rule(interface=interfaces, bad=st.sampled_from(BAD_FILTERS))
    def fail_to_subscribe(self, interface: str, bad: str) -> None:
        for table in self.tables:
            with pytest.raises(FilterError):
                table.subscribe(interface, bad)

    @rule(rows=rows, bad=st.sampled_from(BAD_FILTERS))
    def fail_to_subscribe_many(self, rows: list[tuple[str, Predicate]], bad: str) -> None:
        names = [*(row[0] for row in rows), "new"]
        wanted: list[str | Predicate] = [*(row[1] for row in rows), bad]
        for table in self.tables:
            with pytest.raises(FilterError) as raised:
                table.subscribe_many(names, wanted)
            assert raised.value.row == len(rows)

    @rule(target=stale, key=consumes(live))
    def unsubscribe(self, key: int) -> int:
        for table, number in zip(self.tables, self.ids[key], strict=True):
            table.unsubscribe(number)
        del self.model[key]
        return key

    @rule(key=stale)
    def fail_to_unsubscribe(self, key: int) -> None:
        for table, number in zip(self.tables, self.ids[key], strict=True):
            assert number not in table
            with pytest.raises(UnknownSubscriptionError):
                table.unsubscribe(number)

    @rule(data=st.data())
    def match(self, data: st.DataObject) -> None:
        message = data.draw(messages_near([predicate for _, predicate in self.model.values()]))
        expected = sorted({name for name, predicate in self.model.values() if matches(predicate, message)})
        for table in self.tables:
            assert sorted(table.match(message)) == expected, table.stats()

    @rule(message=st.sampled_from(BAD_MESSAGES))
    def fail_to_match(self, message: Any) -> None:
        for table in self.tables:
            with pytest.raises(MessageError):
                table.match(message)

    @rule()
    def build(self) -> None:
        for table in self.tables:
            table.build()

    @rule()
    def save_and_load(self) -> None:
        with TemporaryDirectory() as directory:
            for index, table in enumerate(self.tables):
                path = Path(directory, str(index))
                table.save(path)
                self.tables[index] = ForwardingTable.load(path)

    @invariant()
    def tables_list_what_the_model_holds(self) -> None:
        names = {name for name, _ in self.model.values()}
        distinct = {each for _, predicate in self.model.values() for each in predicate}
        for index, table in enumerate(self.tables):
            listed = {
                number: (interface, predicate) for number, interface, predicate in table.subscriptions()
            }
            assert listed == {self.ids[key][index]: row for key, row in self.model.items()}
            assert set(table.interfaces) == names
            stats = table.stats()
            assert len(table) == stats.subscriptions == len(self.model)
            assert (stats.interfaces, stats.filters) == (len(names), len(distinct))


TestEveryTableEqualsTheModel = EveryTableEqualsTheModel.TestCase
