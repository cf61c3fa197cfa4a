"""What a message may be from Python, and that everything else is refused by name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from engines import every_engine
from penstock import ForwardingTable
from penstock.errors import MessageError
from penstock.model import Constraint, Operator

Maker = Callable[[], ForwardingTable]


@pytest.fixture
def table() -> ForwardingTable:
    table = ForwardingTable()
    table.subscribe("bob", "price < 300")
    return table


BAD_MESSAGES: dict[str, tuple[Any, str | None]] = {
    "integer above 64 bits": ({"good": 1, "price": 2**63}, "price"),
    "integer below 64 bits": ({"price": -(2**63) - 1}, "price"),
    "enormous integer": ({"price": 2**20_000}, "price"),
    "long string": ({"s": "x" * 65_537}, "s"),
    "string long in UTF-8": ({"s": "é" * 32_769}, "s"),
    "lone surrogate": ({"s": "\ud800"}, "s"),
    "list": ({"l": [1, 2]}, "l"),
    "tuple": ({"l": (1,)}, "l"),
    "bytes": ({"b": b"x"}, "b"),
    "object": ({"o": object()}, "o"),
    "nested complex": ({"d": {"e": {"f": 1j}}}, "d.e.f"),
    "name twice after flattening": ({"a.b": 1, "a": {"b": 2}}, "a.b"),
    "4,097 attributes": ({f"n{number}": 1 for number in range(4097)}, None),
    "4,097 nested attributes": ({"d": {f"n{number}": 1 for number in range(4097)}}, None),
}


@every_engine
@pytest.mark.parametrize(("message", "attribute"), BAD_MESSAGES.values(), ids=BAD_MESSAGES)
def test_a_message_that_cannot_be_used_is_refused_by_name(
    make_table: Maker, message: Any, attribute: str | None
) -> None:
    table = make_table()
    table.subscribe("all", "TRUE")
    with pytest.raises(MessageError) as raised:
        table.match(message)
    if attribute is not None:
        assert raised.value.attribute == attribute
    with pytest.raises(MessageError):
        table.match_ids(message)
    assert table.match({"price": 1}) == ["all"]


@pytest.mark.parametrize("message", [{1: "x"}, {"a": {None: 1}}, {"\ud800": 1}, {b"a": 1}])
def test_names_of_a_message_are_text(table: ForwardingTable, message: Any) -> None:
    with pytest.raises(MessageError):
        table.match(message)


@pytest.mark.parametrize("message", [None, 5, "a", [("a", 1)], [], b""])
def test_a_message_is_a_mapping(table: ForwardingTable, message: Any) -> None:
    with pytest.raises((MessageError, TypeError)):
        table.match(message)


def test_a_message_that_contains_itself_is_refused(table: ForwardingTable) -> None:
    loop: dict[str, Any] = {"price": 1}
    loop["again"] = loop
    with pytest.raises(MessageError):
        table.match(loop)


class Broken(Mapping[str, int]):
    def __getitem__(self, name: str) -> int:
        raise RuntimeError("broken")

    def __iter__(self) -> Iterator[str]:
        return iter(["price"])

    def __len__(self) -> int:
        return 1


def test_a_mapping_that_fails_passes_its_failure_on(table: ForwardingTable) -> None:
    with pytest.raises(RuntimeError, match="broken"):
        table.match(Broken())
    with pytest.raises(RuntimeError, match="broken"):
        table.match({"nested": Broken()})
    assert table.match({"price": 1}) == ["bob"]


class Vandal(Mapping[str, int]):
    """Empties the message that it is part of, while that is being read."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.message = message

    def __getitem__(self, name: str) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        self.message.clear()
        return iter(["a"])

    def __len__(self) -> int:
        return 1


@every_engine
def test_a_message_that_changes_while_it_is_read_does_no_harm(make_table: Maker) -> None:
    table = make_table()
    table.subscribe("it", "s ENDS WITH 'end'")
    for size in range(1, 2000, 50):
        message: dict[str, Any] = {"s": "x" * size + "end"}
        message["vandal"] = Vandal(message)
        message |= {f"n{number}": "y" * number for number in range(50)}
        assert table.match(message) in ([], ["it"])
    assert table.match({"s": "the end"}) == ["it"]


def test_an_empty_name_is_a_name_like_any_other(table: ForwardingTable) -> None:
    table.subscribe("dotted", Constraint(".price", Operator.EXISTS))
    assert table.match({"": {"price": 5}}) == ["dotted"]
    assert table.match({"": 5}) == []


def test_the_largest_message_fits(table: ForwardingTable) -> None:
    message: dict[str, Any] = {f"n{number}": number for number in range(4095)}
    message["price"] = 5
    assert table.match(message) == ["bob"]
    table.subscribe("long", Constraint("s", Operator.SUFFIX, "yx"))
    assert table.match({"s": "x" * 65_534 + "yx"}) == ["long"]
    assert table.match({"s": "é" * 32_767 + "yx"}) == ["long"]
    assert table.match({"s": "é" * 32_768}) == []


def test_numpy_scalars_and_other_mappings_are_values_of_a_message(table: ForwardingTable) -> None:
    assert table.match(MappingProxyType({"price": np.float64(250.0)})) == ["bob"]
    assert table.match({"price": True}) == []


def test_names_are_refused_before_they_are_put_together(table: ForwardingTable) -> None:
    assert table.match({"n" * 65_000: {f"k{n}": {} for n in range(20_000)}}) == []
    with pytest.raises(MessageError, match="bytes in all"):
        table.match({"n" * 65_000: {f"k{n}": n for n in range(4_000)}})
    with pytest.raises(MessageError, match="holds a name of 65538 bytes"):
        table.match({"n" * 65_530: {"seventy": 1}})


def test_messages_of_a_lazy_sequence_stay_alive_while_they_are_timed(table: ForwardingTable) -> None:
    class Lazy(Sequence[Any]):
        def __len__(self) -> int:
            return 50

        def __getitem__(self, at: Any) -> Any:
            if at >= 50:
                raise IndexError
            return {"".join(["x"] * 100) + str(at): "".join(["y"] * 100)}

    assert table.time_matches(Lazy(), 2).shape == (2, 50)
