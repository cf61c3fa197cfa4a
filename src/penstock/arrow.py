"""What counts as Arrow data, and the way of a result into pyarrow.

Data comes and goes through the Arrow PyCapsule protocol, so no library but pyarrow, which holds the results,
is ever named. pyarrow is loaded at the first result: importing it takes a while.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ArrowArray", "ArrowData", "ArrowStream", "import_batch", "import_list"]


class ArrowStream(Protocol):
    """A table in chunks: of pyarrow, polars, duckdb, or any other library that speaks the protocol."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A capsule with a stream of arrays."""


class ArrowArray(Protocol):
    """A table in one piece, such as an array of structs."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """A pair of capsules: the schema and the array."""


ArrowData: TypeAlias = ArrowStream | ArrowArray


@dataclass(frozen=True, slots=True)
class _Exported:
    schema: object
    array: object

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.schema, self.array


def import_list(schema: object, array: object) -> pa.ListArray[Any]:
    """The pyarrow array of lists in a pair of capsules."""
    import pyarrow as pa  # noqa: PLC0415

    exported: Any = _Exported(schema, array)
    imported: pa.ListArray[Any] = pa.array(exported)
    return imported


def import_batch(schema: object, array: object) -> pa.RecordBatch:
    """The pyarrow record batch in a pair of capsules."""
    import pyarrow as pa  # noqa: PLC0415

    exported: Any = _Exported(schema, array)
    return pa.record_batch(exported)
