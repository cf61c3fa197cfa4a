"""One line of a file of subscriptions: an interface, a tab and a filter, or a JSON object with both.

The same forms as `penstock check` reads. Runs on the executors, on bytes: a line may be anything.
"""

from collections.abc import Callable, Iterator

import pyarrow as pa

from penstock._core import read_json
from penstock.errors import MessageError

__all__ = ["PARSED", "line_parser"]

PARSED = "interface string, filter string, __fault string"
Parsed = tuple[str | None, str | None, str | None]


def line_parser(format: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:  # noqa: A002
    """For mapInArrow: batches whose last column is the text come out with three columns in its place."""
    parse = _parse_json if format == "jsonl" else _parse_tab

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts = batch.column(batch.num_columns - 1).cast(pa.binary()).to_pylist()
            rows = [_parse(text or b"", parse) for text in texts]
            columns = [pa.array([row[place] for row in rows], pa.string()) for place in range(3)]
            names = [str(place) for place in range(batch.num_columns + 3)]
            yield pa.RecordBatch.from_arrays([*batch.columns, *columns], names)

    return run


def _parse(line: bytes, parse: Callable[[bytes], tuple[str, str]]) -> Parsed:
    if not line.strip() or line.startswith(b"#"):
        return None, None, None
    try:
        interface, text = parse(line)
    except MessageError as error:
        return None, None, str(error)
    except UnicodeDecodeError as error:
        return None, None, f"not valid UTF-8: byte 0x{line[error.start]:02x} at offset {error.start}"
    return interface, text, None


def _parse_tab(line: bytes) -> tuple[str, str]:
    interface, tab, text = line.decode().removesuffix("\r").partition("\t")
    if not tab:
        raise MessageError(None, "expected an interface, a tab and a filter, found no tab")
    return interface, text


def _parse_json(line: bytes) -> tuple[str, str]:
    found = read_json(line)
    for key in ("interface", "filter"):
        if key not in found:
            raise MessageError(key, "is missing")
    interface, text = found["interface"], found["filter"]
    if isinstance(interface, bool) or not isinstance(interface, (str, int)):
        raise MessageError("interface", "needs a string or an int")
    if not isinstance(text, str):
        raise MessageError("filter", "needs a string")
    return str(interface), text
