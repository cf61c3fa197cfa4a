"""`match_json` gives the answer of `match`, and what it refuses it refuses with a reason."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from engines import MAKERS
from json_text import number_texts, read_strictly, renderings
from penstock import ForwardingTable
from penstock.errors import MessageError
from penstock.model import Constraint, Operator, Predicate, Type
from penstock.oracle import matches
from strategies import interfaces, messages_near, predicates, values

subscriptions = st.lists(st.tuples(interfaces, predicates), max_size=6)


def names_of(table: ForwardingTable, data: bytes | str) -> list[str]:
    return sorted(map(table.interfaces.name_of, table.match_json(data).tolist()))


def is_finite(message: Mapping[str, Any]) -> bool:
    return all(
        is_finite(value)
        if isinstance(value, Mapping)
        else not isinstance(value, float) or math.isfinite(value)
        for value in message.values()
    )


@given(subscriptions, st.data())
def test_every_engine_equals_the_oracle_on_json(
    wanted: list[tuple[str, Predicate]], data: st.DataObject
) -> None:
    message = data.draw(messages_near([predicate for _, predicate in wanted]))
    text = data.draw(renderings(message))
    answer = sorted({interface for interface, predicate in wanted if matches(predicate, message)})
    for name, make in MAKERS.items():
        table = make()
        for interface, predicate in wanted:
            table.subscribe(interface, predicate)
        if is_finite(message):
            event(f"{len(answer)} interfaces match")
            assert names_of(table, text) == names_of(table, text.encode()) == answer, name
        else:
            with pytest.raises(MessageError, match="NaN or Infinity"):
                table.match_json(text)


trees = st.recursive(
    values | st.none(), lambda inner: st.dictionaries(st.text("ab.é\x00", max_size=3), inner, max_size=4)
)


@given(st.dictionaries(st.text("ab.", max_size=3), trees, max_size=5).flatmap(renderings))
def test_attributes_are_those_of_the_message_in_name_type_and_value(text: str) -> None:
    """One strict constraint for each attribute: all of them hold, and there is nothing else."""
    table = ForwardingTable()
    table.subscribe("anything", "TRUE")
    try:
        message = read_strictly(text.encode())
        assert table.match(message)
    except ValueError:
        with pytest.raises(MessageError):
            table.match_json(text)
        return
    attributes = {name: value for name, value in flat(message) if name}  # no filter speaks of the empty name
    types = {bool: Type.BOOL, int: Type.INT, float: Type.FLOAT, str: Type.STRING}
    for number, (name, value) in enumerate(attributes.items()):
        table.subscribe(f"{number}", Constraint(name, Operator.EQ, value, types[type(value)]))
    for name in {"a", "b", "a.b", "."} - attributes.keys():
        table.subscribe("absent", Constraint(name, Operator.EXISTS))
    assert names_of(table, text) == sorted(["anything", *map(str, range(len(attributes)))])


def flat(message: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found = []
    for name, value in message.items():
        if isinstance(value, dict):
            found += flat(value, f"{prefix}{name}.")
        elif value is not None:
            found.append((prefix + name, value))
    return found


@given(number_texts)
def test_numbers_keep_their_type_and_every_bit(text: str) -> None:
    table = ForwardingTable()
    data = b'{"n":%s}' % text.encode()
    try:
        value = read_strictly(data)["n"]
    except ValueError:
        event("refused")
        with pytest.raises(MessageError) as raised:
            table.match_json(data)
        assert raised.value.attribute == "n"
        return
    event(type(value).__name__)
    own, other = (Type.INT, Type.FLOAT) if isinstance(value, int) else (Type.FLOAT, Type.INT)
    table.subscribe("same", Constraint("n", Operator.EQ, value, own))
    table.subscribe("other", Constraint("n", Operator.EXISTS, type=other))
    assert names_of(table, data) == ["same"]


@pytest.fixture
def table() -> ForwardingTable:
    table = ForwardingTable()
    table.subscribe("bob", "price < 300")
    return table


REFUSED: dict[str, tuple[bytes | str, str | None, str]] = {
    "nothing": (b"", None, "empty: expected a JSON object"),
    "blanks": (b" \n\t ", None, "empty: expected a JSON object"),
    "only a mark": (b"\xef\xbb\xbf", None, "empty"),
    "array": (b"[1]", None, "expected a JSON object"),
    "number": (b"5", None, "expected a JSON object"),
    "null": (b"null", None, "expected a JSON object"),
    "deep array": (b"[" * 100_000, None, "expected a JSON object"),
    "NaN": (b'{"a": NaN}', "a", "is NaN or Infinity, which JSON does not have"),
    "Infinity": (b'{"a": {"b": -Infinity}}', "a.b", "is NaN or Infinity, which JSON does not have"),
    "overflow": (b'{"a": 1, "b": -1e999}', "b", "is too large for a 64-bit float"),
    "integer above int64": (b'{"a": 9223372036854775808}', "a", "is an integer outside 64 bits"),
    "integer below int64": (b'{"a": -9223372036854775809}', "a", "is an integer outside 64 bits"),
    "integer above uint64": (b'{"a": 18446744073709551616}', "a", "is an integer outside 64 bits"),
    "enormous integer": (b'{"a": ' + b"9" * 100_000 + b"}", "a", "is an integer outside 64 bits"),
    "integer before another fault": (b'{"a": 9223372036854775808, "b": }', "a", "is an integer outside"),
    "list": (b'{"a": {"b": [1, 2]}}', "a.b", "is an array: several values"),
    "empty list": (b'{"a": []}', "a", "is an array: several values"),
    "list before another fault": (b'{"\\u0061": [1, }', "a", "is an array: several values"),
    "name twice": (b'{"a": 1, "b": 2, "\\u0061": 1}', "a", "occurs twice"),
    "name twice, once null": (b'{"a": {"b": null, "b": 1}}', "a.b", "occurs twice"),
    "name twice, both objects": (b'{"a": {"b": 1}, "a": {"c": 1}}', "a", "occurs twice"),
    "name twice after joining": (b'{"a.b": 1, "a": {"b": 2}}', "a.b", "occurs twice once nested names"),
    "bad UTF-8": (b'{"a": "\xff"}', None, "not valid UTF-8: byte 0xff at offset 7"),
    "overlong UTF-8": (b'{"a": "\xc0\x80"}', None, "not valid UTF-8: byte 0xc0 at offset 7"),
    "surrogate in UTF-8": (b'{"a": "\xed\xa0\x80"}', None, "not valid UTF-8: byte 0xed at offset 7"),
    "cut UTF-8": (b'{"a": "\xe5\x90', None, "not valid UTF-8: byte 0xe5 at offset 7"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), None, "looks like UTF-16"),
    "lone surrogate": (b'{"a": {"b": "x\\ud800"}}', "a.b", "holds a lone surrogate"),
    "second half alone": (b'{"a": "\\udc00"}', "a", "holds a lone surrogate"),
    "two first halves": (b'{"a": "\\ud800\\ud800"}', "a", "holds a lone surrogate"),
    "lone surrogate in a name": (b'{"\\ud800": 1}', None, "a name holds a lone surrogate"),
    "lone surrogate in a str": ('{"a": "\ud800"}', None, "the text holds a lone surrogate"),
    "unknown escape": (b'{"a": "\\q"}', None, 'before none of "\\/bfnrtu at offset 8'),
    "short escape": (b'{"a": "\\u12"}', None, "expected four hexadecimal digits after \\u at offset 11"),
    "control character": (b'{"a": "\n"}', None, "a control character must be escaped at offset 7"),
    "open string": (b'{"a": "x', None, "a string is not closed at offset 8, where the text ends"),
    "open object": (b'{"a": 1', None, "expected ',' or '}' at offset 7, where the text ends"),
    "trailing text": (b'{"a": 1} x', None, "the object has ended, but more follows at offset 9"),
    "two objects": (b'{"a": 1}{"a": 1}', None, "the object has ended, but more follows at offset 8"),
    "trailing NUL": (b'{"a": 1}\x00', None, "the object has ended, but more follows at offset 8"),
    "trailing comma": (b'{"a": 1, }', None, "expected a name in double quotes at offset 9"),
    "single quotes": (b"{'a': 1}", None, "expected a name in double quotes at offset 1"),
    "no colon": (b'{"a" 1}', None, "expected ':' after a name at offset 5"),
    "no value": (b'{"a": }', None, "expected a value at offset 6"),
    "no digit": (b'{"a": -}', None, "expected a digit at offset 7"),
    "leading zero": (b'{"a": 01}', None, "expected ',' or '}' at offset 7"),
    "half a word": (b'{"a": tru}', None, "expected a value at offset 6"),
    "long string": (b'{"a": "' + b"x" * 65_537 + b'"}', "a", "is a string of 65537 bytes"),
    "long name": (b'{"' + b"x" * 65_537 + b'": 1}', None, "a name has 65537 bytes"),
    "long joined name": (b'{"a": {"' + b"x" * 65_535 + b'": 1}}', "a", "holds a name of 65537 bytes"),
    "4,097 attributes": (
        b"{" + b",".join(b'"n%d": 1' % n for n in range(4097)) + b"}",
        "n4096",
        "is one attribute too many; the limit is 4096",
    ),
    "65 levels": (b'{"a":' * 66 + b"1" + b"}" * 66, ".".join("a" * 65), "is nested deeper than 64 levels"),
    "very many levels": (b'{"a":' * 100_000, ".".join("a" * 65), "is nested deeper than 64 levels"),
}


@pytest.mark.parametrize(("data", "attribute", "says"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_used_is_refused_with_its_place(
    table: ForwardingTable, data: bytes | str, attribute: str | None, says: str
) -> None:
    with pytest.raises(MessageError) as raised:
        table.match_json(data)
    assert says in str(raised.value)
    assert raised.value.attribute == attribute
    assert names_of(table, b'{"price": 1}') == ["bob"]


def test_null_is_absence_and_names_may_meet_it(table: ForwardingTable) -> None:
    table.subscribe("absent", "NOT EXISTS a.b")
    assert names_of(table, b'{"price": null, "a.b": null, "a": {"b": null}}') == ["absent"]
    assert names_of(table, b'{"a.b": null, "a": {"b": 2}}') == []
    assert names_of(table, b'{"a": {}, "a.b": {}, "price": 2}') == ["absent", "bob"]


def test_the_largest_message_fits(table: ForwardingTable) -> None:
    members = [b'"n%d": 1' % n for n in range(4095)] + [b'"null%d": null' % n for n in range(4095)]
    assert names_of(table, b"{" + b",".join(members) + b', "price": 5}') == ["bob"]
    assert names_of(table, b'{"s": "' + b"\\u0078" * 65_536 + b'", "price": 5}') == ["bob"]
    table.subscribe("deep", Constraint("a." * 64 + "a", Operator.EQ, 1))
    assert names_of(table, b'{"a":' * 65 + b"1" + b"}" * 65) == ["deep"]


@pytest.mark.parametrize("count", [2, 15, 16, 17, 4096, 20_000])
def test_a_repeated_name_is_found_among_few_and_many(table: ForwardingTable, count: int) -> None:
    members = [b'"n%d": null' % n for n in range(count)]
    assert names_of(table, b"{" + b",".join(members) + b"}") == []
    for first in (0, count // 2, count - 1):
        with pytest.raises(MessageError, match="occurs twice") as raised:
            table.match_json(b"{" + b",".join([*members, members[first]]) + b"}")
        assert raised.value.attribute == f"n{first}"


@pytest.mark.parametrize(
    "make",
    [bytes, bytearray, memoryview, bytes.decode, lambda data: np.frombuffer(data, np.uint8)],
    ids=["bytes", "bytearray", "memoryview", "str", "numpy"],
)
def test_a_text_comes_as_bytes_or_str(table: ForwardingTable, make: Any) -> None:
    found = table.match_json(make('{"s": "é😀", "price": 1}'.encode()))
    assert found.dtype == np.uint32
    assert found.tolist() == table.match_ids({"price": 1}).tolist()
    assert names_of(table, b'\xef\xbb\xbf{"price": 1}\r\n') == ["bob"]
    assert names_of(table, memoryview(b'..{"price": 1}..')[2:-2]) == ["bob"]  # type: ignore[arg-type]


@pytest.mark.parametrize("data", [None, 5, {"price": 1}, ["{}"], object()])
def test_anything_else_is_a_type_error(table: ForwardingTable, data: Any) -> None:
    with pytest.raises(TypeError, match="match_json takes bytes, bytearray, memoryview or str, not "):
        table.match_json(data)
    with pytest.raises(BufferError):
        table.match_json(memoryview(b'{"price": 1}')[::2])


def test_a_bytearray_can_be_changed_again_afterwards(table: ForwardingTable) -> None:
    data = bytearray(b'{"price": 1}')
    table.match_json(data)
    data.clear()
    data += b'{"price": '
    with pytest.raises(MessageError):
        table.match_json(data)
    data += b"1}"
    assert names_of(table, bytes(data)) == ["bob"]
