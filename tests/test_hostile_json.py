"""Whatever bytes are offered as JSON, the answer is that of the Python reader: a match, or a MessageError.

Errors must be printable, too: they quote names that the text chose.
"""

from hypothesis import example, given
from hypothesis import strategies as st

from json_text import read_strictly, renderings, texts_of
from penstock import ForwardingTable
from penstock.errors import MessageError
from strategies import messages_near, predicates

TABLE = ForwardingTable()
TABLE.subscribe_many(
    ["one", "two", "three", "four"],
    [
        "a = 1 AND NOT EXISTS b",
        "a.b LIKE '%x_' OR a != 'x' OR EXISTS `é`",
        "NOT (a < 5 OR b CONTAINS 'x')",
        "NOT EXISTS a",
    ],
)


def answer_of(data: bytes) -> list[int] | None:
    try:
        return sorted(TABLE.match_json(data).tolist())
    except MessageError as error:
        str(error).encode()
        return None


def check(data: bytes) -> None:
    expected: list[int] | None
    try:
        expected = sorted(TABLE.match_ids(read_strictly(data)).tolist())
    except ValueError:
        expected = None
    assert answer_of(data) == expected, data


# Pieces that JSON is made of, and some that it is not.
PIECES = [
    b"{", b"}", b"[", b"]", b":", b",", b'"', b"\\", b"\\u", b"d800", b"\\udc00", b'"a"', b'"a":', b'"b.c":',
    b"1", b"-", b"0", b".", b"e", b"E+", b"9" * 20, b"true", b"null", b"NaN", b"Infinity", b" ", b"\n", b"\0",
    "é".encode(), "😀".encode(), b"\xef\xbb\xbf", b"\xff", b"\xed\xa0\x80", b"x" * 64, b'{"a":1}',
]  # fmt: skip
pieces = st.sampled_from(PIECES)


@given(st.binary(max_size=200) | st.lists(pieces, max_size=30).map(b"".join))
@example(b"\xef\xbb\xbf{}")
@example(b'{"a":1}\0')
def test_any_bytes_are_answered(data: bytes) -> None:
    check(data)


documents = st.lists(predicates, max_size=2).flatmap(lambda wanted: texts_of(messages_near(wanted)))


@given(documents, st.data())
def test_a_damaged_document_is_answered(document: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(document)))
        end = data.draw(st.integers(at, min(at + 3, len(document))))
        document = document[:at] + data.draw(pieces | st.binary(max_size=3)) + document[end:]
    check(document)


@given(documents)
def test_a_document_cut_short_is_refused_at_every_byte(document: bytes) -> None:
    whole = document.rstrip()
    for end in range(len(whole)):
        assert answer_of(whole[:end]) is None
    check(whole)


@given(st.integers(0, 70), st.data())
def test_nesting_of_any_depth_is_answered(depth: int, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(["a", "b", "", "a.b"]), min_size=depth, max_size=depth))
    core = data.draw(renderings(data.draw(st.sampled_from([1, {}, None, "x"]))))
    text = "".join(f'{{"{name}":' for name in names) + core + "}" * depth
    check(text.encode())
