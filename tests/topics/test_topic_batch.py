"""Topics from Arrow data: every layout of strings, every library, and what is wrong in it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from topic_world import every_scheme, expected, filled, rows, topics

from penstock.errors import ArrowError, MessageError
from penstock.topics import Scheme

HELD = [("a", "x"), ("a/*/c", "y"), ("b", "z")]
SENT = ["a/b/c", None, "b", "q", "a/b/c", "a"]
WANTED = [["x", "y"], None, ["z"], [], ["x", "y"], ["x"]]

LAYOUTS = {
    "string": pa.array(SENT, pa.string()),
    "large_string": pa.array(SENT, pa.large_string()),
    "string_view": pa.array(SENT, pa.string_view()),
    "dictionary": pa.array(SENT).dictionary_encode(),
    "dictionary of large strings": pa.array(SENT).cast(pa.dictionary(pa.int8(), pa.large_string())),
    "chunks": pa.chunked_array([SENT[:2], [], SENT[2:]], pa.string()),
    "slice": pa.array(["skipped", *SENT])[1:],
    "polars": pl.Series(SENT),
    "polars categorical": pl.Series(SENT, dtype=pl.Categorical),
    "table of one column": pa.table({"topic": SENT}),
}


def answers(result: pa.ListArray[Any]) -> list[list[str] | None]:
    return [None if row is None else sorted(row) for row in result.to_pylist()]


@every_scheme
@pytest.mark.parametrize("data", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_every_layout_of_strings_is_read(scheme: Scheme, data: Any) -> None:
    assert answers(filled(scheme, HELD).match_batch(data, names=True)) == WANTED


@every_scheme
@given(held=rows, sent=st.lists(st.none() | topics, max_size=80))
def test_a_batch_answers_like_single_matches(
    scheme: Scheme, held: list[tuple[str, str]], sent: list[str | None]
) -> None:
    table = filled(scheme, held)
    array = pa.array(sent, pa.string())
    wanted = [None if topic is None else expected(held, topic) for topic in sent]
    for data in (array, array.dictionary_encode()):
        result = table.match_batch(data)
        assert result.type == pa.list_(pa.uint32())
        result.validate(full=True)
        named = [
            None if row is None else sorted(map(table.destinations.name_of, row))
            for row in result.to_pylist()
        ]
        assert named == wanted == answers(table.match_batch(data, names=True))


@every_scheme
def test_a_column_of_a_table_is_chosen_by_its_name(scheme: Scheme) -> None:
    table = filled(scheme, HELD)
    data = pa.table({"n": range(6), "topic": SENT})
    assert answers(table.match_batch(data, column="topic", names=True)) == WANTED
    assert answers(table.match_batch(pl.DataFrame(data), column="topic", names=True)) == WANTED
    with pytest.raises(ArrowError, match="a table of 2 columns: name the one that holds the topics"):
        table.match_batch(data)
    with pytest.raises(ArrowError, match="no column is named 'x'"):
        table.match_batch(data, column="x")
    with pytest.raises(ArrowError, match="column 'n' is of type int64; a column of strings is needed"):
        table.match_batch(data, column="n")


@every_scheme
def test_a_row_that_is_no_topic_is_told(scheme: Scheme) -> None:
    table = filled(scheme, HELD)
    data = pa.chunked_array([["a", None], ["b", "a//b"]])
    with pytest.raises(MessageError, match="row 3: a topic has no empty levels") as raised:
        table.match_batch(data)
    assert raised.value.row == 3
    broken = pa.array([b"a", b"\xff"]).view(pa.string())
    with pytest.raises(MessageError, match="row 1, attribute 'topic': is a string that is not valid UTF-8"):
        table.match_batch(broken)


@every_scheme
def test_what_is_no_array_of_strings_is_refused(scheme: Scheme) -> None:
    table: Any = filled(scheme, HELD)
    with pytest.raises(ArrowError, match="is of type int64"):
        table.match_batch(pa.array([1]))
    with pytest.raises(TypeError, match="Arrow data is needed"):
        table.match_batch(["a"])
    assert table.match_batch(pa.nulls(2)).to_pylist() == [None, None]
    assert table.match_batch(pa.array([], pa.string())).to_pylist() == []
