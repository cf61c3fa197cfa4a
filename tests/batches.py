"""What tests of batches share: a table, and the names of the interfaces of each row."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from penstock import ForwardingTable


def some_table() -> ForwardingTable:
    """Three interfaces: one for each kind of value, and one for nested ones."""
    table = ForwardingTable()
    table.subscribe_many(
        ["cheap", "milan", "urgent"], ["price < 100", "dest = 'MXP'", "detail.state = 'open' AND ok = true"]
    )
    return table


def names_of(table: ForwardingTable, data: Any) -> list[list[str]]:
    """The result as sorted names, having looked at the array itself and at both forms of it."""
    ids = table.match_batch(data)
    ids.validate(full=True)
    assert ids.type == pa.list_(pa.uint32())
    found: list[Any] = ids.to_pylist()
    rows = [sorted(map(table.interfaces.name_of, row)) for row in found]
    assert rows == names_of_once(table, data)
    return rows


def names_of_once(table: ForwardingTable, data: Any) -> list[list[str]]:
    """The result as sorted names, for data that can be read only once."""
    named = table.match_batch(data, names=True)
    named.validate(full=True)
    found: list[Any] = named.to_pylist()
    return [sorted(row) for row in found]
