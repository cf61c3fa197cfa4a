"""What no message can have is refused by column and row: types, values, names, too many columns."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

from batches import names_of, some_table
from penstock import ForwardingTable, MessageError
from strategies import INT64_MAX


@pytest.fixture
def table() -> ForwardingTable:
    return some_table()


REFUSED: dict[str, tuple[Any, str]] = {
    "list": (pa.array([[1]]), "list"),
    "large list": (pa.array([[1]], pa.large_list(pa.int64())), "large_list"),
    "fixed list": (pa.array([[1]], pa.list_(pa.int64(), 1)), "fixed_size_list"),
    "map": (pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())), "map"),
    "binary": (pa.array([b"x"]), "binary"),
    "large binary": (pa.array([b"x"], pa.large_binary()), "large_binary"),
    "binary view": (pa.array([b"x"], pa.binary_view()), "binary_view"),
    "fixed binary": (pa.array([b"x"], pa.binary(1)), "fixed_size_binary"),
    "decimal": (pa.array([decimal.Decimal("1.5")]), "decimal"),
    "timestamp": (pa.array([0], pa.timestamp("us", "UTC")), "timestamp"),
    "date": (pa.array([datetime.date(2024, 1, 1)]), "date"),
    "time": (pa.array([datetime.time(1)]), "time"),
    "duration": (pa.array([0], pa.duration("s")), "duration"),
    "dictionary of ints": (pa.array([1]).dictionary_encode(), "dictionary of int64"),
    "run ends": (pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["x"])),
                 "run_end_encoded"),
    "union": (pa.UnionArray.from_dense(pa.array([0], pa.int8()), pa.array([0], pa.int32()), [pa.array([1])]),
              "union"),
}  # fmt: skip


@pytest.mark.parametrize(("column", "type_name"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("rows", [0, 1])
def test_a_type_that_attributes_cannot_have_is_refused_by_name(
    table: ForwardingTable, column: Any, type_name: str, rows: int
) -> None:
    nested = pa.StructArray.from_arrays([column], names=["it"])
    for data, name in ((pa.table({"ok": [True], "it": column}), "it"), (pa.table({"s": nested}), "s.it")):
        with pytest.raises(MessageError, match=f"is a column of type {type_name}; ") as raised:
            table.match_batch(data.slice(0, rows))
        assert (raised.value.attribute, raised.value.row) == (name, None)


def unchecked(values: Sequence[bytes], kind: Any = None) -> pa.Array[Any]:
    """Strings of bytes that nobody has looked at."""
    binary = pa.array(values, pa.large_binary() if kind == pa.large_string() else pa.binary())
    return binary.view(kind or pa.string())


BAD_VALUES: dict[str, Any] = {
    "not UTF-8": unchecked([b"fine", b"\xff"]),
    "a cut character": unchecked([b"\xc3\xa9", b"\xc3"]),
    "large and not UTF-8": unchecked([b"fine", b"\xed\xa0\x80"], pa.large_string()),
    "dictionary": pa.DictionaryArray.from_arrays(pa.array([0, 1]), unchecked([b"fine", b"\xff"])),
    "too long": pa.array(["x", "x" * 65_537]),
    "too long in UTF-8": pa.array(["x", "é" * 32_769], pa.string_view()),
    "unsigned": pa.array([INT64_MAX, INT64_MAX + 1], pa.uint64()),
}


@pytest.mark.parametrize("column", BAD_VALUES.values(), ids=BAD_VALUES)
def test_a_value_that_no_message_can_have_is_named_by_column_and_row(
    table: ForwardingTable, column: Any
) -> None:
    chunked = pa.table({"s": pa.StructArray.from_arrays([column], names=["it"])})
    with pytest.raises(MessageError) as raised:
        table.match_batch(pa.concat_tables([chunked.slice(0, 1)] * 3 + [chunked]))
    assert (raised.value.attribute, raised.value.row) == ("s.it", 4)
    assert str(raised.value).startswith("row 4, attribute 's.it': is ")
    assert len(table.match_batch(chunked.slice(0, 1))) == 1


def test_a_name_occurs_once(table: ForwardingTable) -> None:
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(MessageError, match="'a': names two columns"):
        table.match_batch(twice)
    flattened = pa.table({"a.b": [1], "a": [{"b": 2}]})
    with pytest.raises(MessageError, match=r"'a\.b': names two columns"):
        table.match_batch(flattened)


def test_columns_are_limited(table: ForwardingTable) -> None:
    wide = pa.table({f"c{n}": [n] for n in range(4096)})
    table.subscribe_many([f"i{n}" for n in range(4096)], [f"c{n} = {n}" for n in range(4096)])
    assert len(names_of(table, wide)[0]) == 4096
    with pytest.raises(MessageError, match="one column too many"):
        table.match_batch(wide.append_column("last", pa.array([1])))
    deep: Any = pa.array([1])
    for _ in range(70):
        deep = pa.StructArray.from_arrays([deep], names=["x"])
    with pytest.raises(MessageError, match="nested deeper than 64 levels"):
        table.match_batch(pa.table({"x": deep}))
