"""Lines of subscriptions: every line is read, passed over or refused with a reason; none stops the others."""

import json
from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.cli.filter_file import read_filters
from penstock.pipeline.subscription_line import line_parser

Parsed = tuple[str | None, str | None, str | None]


def parse(format_: str, lines: Sequence[bytes]) -> list[Parsed]:
    texts = pa.array(lines, pa.binary()).view(pa.string())  # as Spark hands them over: unchecked
    numbers = pa.array(range(len(lines)), pa.int64())
    batch = pa.RecordBatch.from_arrays([numbers, texts], ["row", "text"])
    (found,) = line_parser(format_)(iter([batch]))
    assert found.column(0).equals(numbers)
    return list(zip(*(found.column(place).to_pylist() for place in (2, 3, 4)), strict=True))


@pytest.mark.parametrize(
    ("format_", "line", "result"),
    [
        ("filters", b"alice\tprice < 5\r", ("alice", "price < 5", None)),
        ("filters", b"alice\ta = 'x\ty'", ("alice", "a = 'x\ty'", None)),
        ("filters", b"alice", (None, None, "expected an interface, a tab and a filter, found no tab")),
        ("filters", b"\xff\tx", (None, None, "not valid UTF-8: byte 0xff at offset 0")),
        ("filters", b"# alice\tx", (None, None, None)),
        ("filters", b" \t \r", (None, None, None)),
        ("jsonl", b'{"interface": "a", "filter": "b"}', ("a", "b", None)),
        ("jsonl", b'{"interface": 7, "filter": "b", "id": 1}', ("7", "b", None)),
        ("jsonl", b'{"interface": "a"}', (None, None, "attribute 'filter': is missing")),
        ("jsonl", b'{"filter": "a"}', (None, None, "attribute 'interface': is missing")),
        (
            "jsonl",
            b'{"interface": true, "filter": "b"}',
            (None, None, "attribute 'interface': needs a string or an int"),
        ),
        ("jsonl", b'{"interface": "a", "filter": 5}', (None, None, "attribute 'filter': needs a string")),
        ("jsonl", b"[]", (None, None, "expected a JSON object")),
    ],
)
def test_a_line_is_read_or_refused_in_words(format_: str, line: bytes, result: Parsed) -> None:
    ((interface, text, fault),) = parse(format_, [line])
    assert (interface, text) == result[:2]
    assert (fault or "").startswith(result[2] or "")
    assert (fault is None) == (result[2] is None)


@given(st.sampled_from(["jsonl", "filters"]), st.lists(st.binary() | st.text().map(str.encode)))
def test_hostile_lines_cost_only_themselves(format_: str, lines: list[bytes]) -> None:
    good = b'{"interface": "a", "filter": "b"}' if format_ == "jsonl" else b"a\tb"
    found = parse(format_, [good, *lines, good])
    assert len(found) == len(lines) + 2
    assert found[0] == found[-1] == ("a", "b", None)
    for interface, text, fault in found:
        assert (interface is None) == (text is None)
        assert fault is None or interface is None


names = st.text(st.characters(exclude_characters="\t\n\r'", exclude_categories=["Cs"]), min_size=1)


@given(rows=st.lists(st.tuples(names, names)))
def test_check_and_compile_read_the_same_lines(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    file = tmp_path_factory.mktemp("lines") / "wishes.jsonl"
    lines = [json.dumps({"interface": name, "filter": f"a = '{text}'"}) for name, text in rows]
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    checked = read_filters(str(file))
    parsed = parse("jsonl", [line.encode() for line in lines])
    assert [row.interface for row in checked.rows] == [interface for interface, _, _ in parsed]
    assert not checked.problems
