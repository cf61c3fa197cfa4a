"""Where rows come from: a file, a directory or a pattern, and what format it is in.

What lies on this machine's file system is listed here, once, so that all passes over the input see the same
files; what lies elsewhere (`s3a://…`) is left to Spark.
"""

import glob
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from penstock.errors import InputError

__all__ = ["FORMATS", "Source", "pattern_of", "spark_path"]

FORMATS = ("parquet", "jsonl", "csv", "tsv", "filters")
SUFFIXES = {
    ".parquet": "parquet", ".pq": "parquet",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".csv": "csv", ".tsv": "tsv", ".filters": "filters",
}  # fmt: skip
PACKED = {".gz", ".bz2", ".zst", ".snappy", ".lz4", ".deflate"}
PARQUET = (b"PAR1", b"PARE")  # the second where names are encrypted, too
KNOWN = "Parquet (.parquet), JSON lines (.jsonl, .ndjson, .json) or CSV (.csv, .tsv)"
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]+:/", re.I)


@dataclass(frozen=True, slots=True)
class Source:
    """An input as it was named, its format, and what Spark is told to read."""

    path: str
    format: str
    files: tuple[str, ...]  #: as Spark takes them
    root: str | None  #: the directory, where there is one; partitions are named below it
    alias: str | None = None  #: what a single file will be called when the run is over

    @classmethod
    def find(cls, path: str, format: str | None = None, *, is_stream: bool = False) -> "Source":  # noqa: A002
        """Look at what is there; InputError when there is nothing to read, or no telling how.

        A stream is a directory, and may start with nothing in it.
        """
        if ELSEWHERE.match(path) and not path.startswith("file:"):
            return cls(path, format or _format_of(path, [path]), (path,), None)
        local = Path(path.removeprefix("file://").removeprefix("file:")).absolute()
        if local.is_dir():
            found = list(_below(local))
            format = format or _format_of(path, [str(each) for each in found])  # noqa: A001
            files = [each for each in found if _suffix_of(each) == format]
            if not files:  # told the format, one need not go by the names
                files = found
            root = spark_path(local)
        else:
            files = [local] if local.exists() else _matching(path)
            format = format or _format_of(path, [str(each) for each in files])  # noqa: A001
            root = None
        if is_stream and root is None:
            raise InputError(path, None, "a stream is read from a directory")
        if not files and not is_stream:
            raise InputError(path, None, "is a directory without files")
        for file in files:
            _check_name(path, file)
            if format == "parquet":
                _check_parquet(file)
        return cls(path, format, tuple(map(spark_path, files)), root)

    def show(self, url: str) -> str:
        """A file's name as a person would write it who wrote `path`."""
        if self.alias is not None:
            return self.alias
        if not url.startswith("file:"):
            return url
        full = "/" + unquote(url.removeprefix("file:")).lstrip("/")
        given = self.path.removeprefix("file://").removeprefix("file:")
        base = Path(given).absolute()
        if full == str(base):
            return given
        if Path(full).is_relative_to(base):
            return str(Path(given) / Path(full).relative_to(base))
        return os.path.relpath(full) if not Path(given).is_absolute() else full


def _check_name(path: str, file: Path) -> None:
    """What Hadoop's file systems cannot open, or pass over without a word."""
    if file.name.startswith((".", "_")):
        raise InputError(path, None, "Spark passes over names that begin with . or _; rename it")
    if ":" in str(file):
        raise InputError(path, None, f"Spark cannot read a path with a colon: {file}; rename it")


def _check_parquet(file: Path) -> None:
    """Spark would say as much, but at length."""
    try:
        with file.open("rb") as stream:
            start = stream.read(4)
            stream.seek(-min(4, file.stat().st_size), os.SEEK_END)
            end = stream.read(4)
    except OSError as error:
        raise InputError(str(file), None, str(error.strerror).lower()) from None
    if not (start == end and start in PARQUET):
        raise InputError(str(file), None, "is not a Parquet file, or not a whole one")


def _below(directory: Path) -> Iterator[Path]:
    """Every file in it that does not hide, in order."""
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith((".", "_")))


def _matching(pattern: str) -> list[Path]:
    found = map(Path, glob.iglob(pattern, recursive=True))  # noqa: PTH207  (Path.glob is for relative ones)
    return sorted(each.absolute() for each in found if each.is_file())


def _format_of(path: str, files: list[str]) -> str:
    """What all files are, by their names."""
    found = sorted({known for file in files if (known := _suffix_of(Path(file))) is not None})
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(path, None, f"holds {' and '.join(found)} files; choose one kind with --format")
    if not files:
        there = Path(path).is_dir()
        raise InputError(path, None, "is a directory without files" if there else "no such file or directory")
    raise InputError(path, None, f"is not named like {KNOWN}; say what it is with --format")


def _suffix_of(file: Path) -> str | None:
    suffixes = [suffix.lower() for suffix in file.suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return SUFFIXES.get(suffixes[-1]) if suffixes else None


def pattern_of(format: str) -> str:  # noqa: A002
    """What the files of a format are called, for Spark to look for."""
    names = [f"*{suffix}" for suffix, known in SUFFIXES.items() if known == format]
    return "{" + ",".join([*names, *(name + packed for name in names for packed in sorted(PACKED))]) + "}"


def spark_path(path: Path) -> str:
    """Of this machine whatever the cluster's file system is, and taken literally."""
    return "file://" + re.sub(r"([\\{}\[\]*?])", r"\\\1", str(path))
