"""Errors are data, print a caret under the fault, and survive pickling."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock import ForwardingTable, errors, parse
from penstock.errors import (
    ArrowError,
    CapacityError,
    ExperimentError,
    FilterError,
    FilterLimitError,
    FilterSyntaxError,
    FilterTypeError,
    FilterUnsupportedError,
    InputError,
    MessageError,
    PenstockError,
    PointsError,
    SchemaError,
    TableFileError,
    UnknownInterfaceError,
    UnknownSubscriptionError,
)

SYNTAX = FilterSyntaxError("expected a value after '<'", text="price  <  ", at=8, expected="a value")


def caret_of(error: FilterError) -> tuple[str, int]:
    """The excerpt's line and the index of its caret."""
    line, caret = error.excerpt.split("\n")
    return line, caret.index("^")


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_is_a_penstock_error(name: str) -> None:
    assert issubclass(getattr(errors, name), PenstockError)


WRONG_CALLS: dict[str, Callable[[], object]] = {
    "no filter": lambda: ForwardingTable().subscribe("north", None),  # type: ignore[arg-type]
    "no interface": lambda: ForwardingTable().subscribe(5, "a = 1"),  # type: ignore[arg-type]
    "other lengths": lambda: ForwardingTable().subscribe_many(["north"], []),
    "no engine": lambda: ForwardingTable("magic"),  # type: ignore[arg-type]
    "no message": lambda: ForwardingTable().match(5),  # type: ignore[arg-type]
    "no text": lambda: parse(5),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("call", WRONG_CALLS.values(), ids=WRONG_CALLS)
def test_a_call_that_is_wrong_in_itself_is_an_error_of_python(call: Callable[[], object]) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        call()
    assert not isinstance(raised.value, PenstockError)


@pytest.mark.parametrize("kind", [ArrowError, FilterError, MessageError, SchemaError, TableFileError])
def test_bad_values_are_value_errors(kind: type[Exception]) -> None:
    assert issubclass(kind, ValueError)


@pytest.mark.parametrize("kind", [UnknownSubscriptionError, UnknownInterfaceError])
def test_unknown_things_are_key_errors(kind: type[Exception]) -> None:
    assert issubclass(kind, KeyError)


def test_filter_errors_have_stable_codes() -> None:
    kinds = [FilterSyntaxError, FilterTypeError, FilterLimitError, FilterUnsupportedError]
    assert [kind.code for kind in kinds] == ["syntax", "type", "limit", "unsupported"]
    assert all(issubclass(kind, FilterError) for kind in kinds)


def test_a_filter_error_prints_column_line_caret_and_hint() -> None:
    error = FilterSyntaxError("expected a value after '<'", text="price <", at=7, hint="write a number")
    assert str(error) == "\n".join(
        ["column 8: expected a value after '<'", "  price <", "         ^", "hint: write a number"]
    )


def test_a_text_of_several_lines_names_the_line() -> None:
    error = FilterSyntaxError("no", text="a = 1\nAND b !\nAND c", at=12)
    assert (error.line, error.column) == (2, 7)
    assert str(error) == "line 2, column 7: no\n  AND b !\n        ^"


def test_an_error_without_a_text_is_its_message_and_hint() -> None:
    assert (
        str(FilterTypeError("bool has no order", hint="use = or !="))
        == "bool has no order\nhint: use = or !="
    )
    error = FilterTypeError("bool has no order")
    assert (error.line, error.column, error.excerpt) == (None, None, "")


def test_an_empty_text_shows_no_line() -> None:
    assert str(FilterSyntaxError("expected a filter", text=" ", at=0)) == "column 1: expected a filter"


def test_a_bulk_error_names_its_row() -> None:
    error = FilterSyntaxError("no", text="a !", at=2)
    error.row = 41
    assert str(error).startswith("row 41, column 3: no\n")


@pytest.mark.parametrize("at", [0, 3, 30, 500, 980, 999, 1000])
def test_a_long_line_is_clipped_around_the_caret(at: int) -> None:
    text = "".join(chr(ord("a") + index % 26) for index in range(1000))
    line, caret = caret_of(FilterSyntaxError("no", text=text, at=at))
    assert len(line) < 85
    assert line[caret : caret + 1] == (text[at] if at < len(text) else "")
    assert line.startswith("  …") == (at > 100)
    assert line.endswith("…") == (at < 900)


def test_tabs_and_control_characters_do_not_move_the_caret() -> None:
    line, caret = caret_of(FilterSyntaxError("no", text="\ta\x1b[2J\u202e!", at=7))
    assert line == "   a\ufffd[2J\ufffd!"
    assert line[caret] == "!"


def test_wide_characters_take_two_cells_before_the_caret() -> None:
    _, caret = caret_of(FilterSyntaxError("no", text="名前 !", at=3))
    assert caret == len("  ") + 2 * len("名前") + len(" ")


def test_combining_characters_take_no_cell() -> None:
    _, caret = caret_of(FilterSyntaxError("no", text="e\u0301 !", at=3))
    assert caret == len("  ") + len("e ")


@given(st.text(max_size=200), st.data())
def test_any_text_and_position_can_be_printed(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    error = FilterSyntaxError("no", text=text, at=at)
    str(error).encode()  # no lone surrogates, whatever the text
    assert error.line is not None
    assert error.column is not None
    lines = text.split("\n")
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1


def test_lone_surrogates_are_not_printed() -> None:
    str(FilterSyntaxError("no", text="a = '\ud800'", at=5)).encode()


def test_a_message_error_names_the_attribute() -> None:
    error = MessageError("price", "an integer outside 64 bits")
    assert (error.attribute, error.message) == ("price", "an integer outside 64 bits")
    assert str(error) == "attribute 'price': an integer outside 64 bits"
    assert str(MessageError(None, "not valid JSON")) == "not valid JSON"


def test_a_message_of_a_batch_names_its_row() -> None:
    error = with_row(MessageError("price", "is too long"), 41)
    assert str(error) == "row 41, attribute 'price': is too long"
    assert str(with_row(MessageError(None, "no"), 0)) == "row 0: no"


def test_a_very_long_name_is_shortened_in_print() -> None:
    assert len(str(MessageError("x" * 70_000, "no"))) < 120


def test_unknown_things_are_named_in_a_sentence() -> None:
    assert str(UnknownSubscriptionError(7)) == "no subscription has the id 7"
    assert str(UnknownInterfaceError("north")) == "no interface is named 'north'"
    assert str(UnknownInterfaceError(3)) == "no interface has the id 3"


def test_an_input_error_names_file_and_line() -> None:
    assert str(InputError("f.tsv", 3, "no tab")) == "f.tsv:3: no tab"
    assert str(InputError("f.tsv", None, "no such file or directory")) == "f.tsv: no such file or directory"


def test_a_table_file_error_names_the_file() -> None:
    error = TableFileError("t.table", "is truncated: 4 of 64 bytes of its header")
    assert (error.path, error.message) == ("t.table", "is truncated: 4 of 64 bytes of its header")
    assert str(error) == "t.table: is truncated: 4 of 64 bytes of its header"


def test_points_that_failed_are_named_with_their_reasons() -> None:
    assert str(PointsError([("n=10", "no room")])) == "1 point failed: n=10: no room"
    assert str(PointsError([("a", "b"), ("c", "d")])) == "2 points failed: a: b; c: d"
    assert str(ExperimentError("was measured twice")) == "was measured twice"


def with_row(error: FilterError | MessageError, row: int) -> FilterError | MessageError:
    error.row = row
    return error


@pytest.mark.parametrize(
    "error",
    [
        SYNTAX,
        with_row(FilterTypeError("no", hint="write 5"), 3),
        FilterLimitError("too long"),
        FilterUnsupportedError("no arithmetic", text="a = 1 + 1", at=6),
        MessageError("price", "no"),
        MessageError(None, "no"),
        with_row(MessageError("price", "no"), 3),
        ArrowError("broken"),
        SchemaError("price", "is not there"),
        TableFileError("t.table", "is truncated"),
        UnknownSubscriptionError(7),
        UnknownInterfaceError("north"),
        CapacityError("full"),
        InputError("f.tsv", 3, "no tab"),
        ExperimentError("was measured twice", "a.csv:3"),
        PointsError([("n=10", "no room"), ("n=20", "no time")]),
        PenstockError("root"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling(error: Any) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert copy.args == error.args
    assert vars(copy) == vars(error)
    assert str(copy) == str(error)
