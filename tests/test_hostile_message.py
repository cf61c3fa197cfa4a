"""Whatever is offered as a message, the answer is a match or a typed error, and the table stays as it was."""

from collections import UserDict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from penstock import ForwardingTable, MessageError

names = st.sampled_from(["a", "a.b", "b", "", "é", "\ud800"]) | st.text(max_size=5)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text()
    | st.sampled_from(["\udcff", "x" * 70_000, "x" * 65_536])
    | st.binary(max_size=4)
    | st.complex_numbers()
    | st.integers(-(2**31), 2**31 - 1).map(np.int32)
    | st.integers(0, 2**64 - 1).map(np.uint64)
    | st.floats(width=32).map(np.float32)
    | st.booleans().map(np.bool_)
)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mappings of several kinds, with keys of several kinds, and what is not a mapping."""
    mapping = st.dictionaries(names | st.integers() | st.none(), inner, max_size=5)
    return (
        mapping
        | mapping.map(UserDict)
        | mapping.map(MappingProxyType)
        | st.lists(inner, max_size=3)
        | st.frozensets(st.integers(), max_size=2)
        | st.lists(st.floats(width=32), max_size=3).map(np.array)
    )


anything = st.recursive(scalars, containers, max_leaves=12)
messages = st.dictionaries(names, anything, max_size=6)

TABLE = ForwardingTable()
TABLE.subscribe_many(
    ["one", "two", "three"],
    ["a = 1 AND NOT EXISTS b", "a.b LIKE '%x_' OR a != 'x' OR EXISTS `é`", "NOT (a < 5 OR b CONTAINS 'x')"],
)
PROBE = {"a": 1, "a.b": "xx"}
ANSWER = sorted(TABLE.match(PROBE))


@given(message=anything | messages)
def test_any_message_is_answered(message: object) -> None:
    found: list[str] = []
    try:
        found = TABLE.match(message)  # type: ignore[arg-type]
    except MessageError as error:
        str(error).encode(errors="backslashreplace")
    except TypeError:
        assert not isinstance(message, Mapping)
    assert set(found) <= {"one", "two", "three"}
    assert sorted(TABLE.match(PROBE)) == ANSWER
