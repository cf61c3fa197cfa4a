"""Inputs by name: what is read, as what, and what is refused before Spark is started."""

from pathlib import Path

import pytest

from penstock.errors import InputError
from penstock.pipeline.source import Source


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(b"PAR1" if Path(name).suffix in (".parquet", ".pq") else b"")


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("a.parquet", "parquet"), ("a.pq", "parquet"), ("a.JSONL", "jsonl"), ("a.ndjson", "jsonl"),
        ("a.json", "jsonl"), ("a.csv", "csv"), ("a.csv.gz", "csv"), ("2013.01.tsv", "tsv"),
        ("a.jsonl.bz2", "jsonl"), ("a.filters", "filters"),
    ],
)  # fmt: skip
def test_the_name_tells_the_format(name: str, format_: str) -> None:
    put(name)
    assert Source.find(name).format == format_


def test_what_was_said_counts_more_than_the_name(here: Path) -> None:
    put("a.txt", "b.csv")
    assert Source.find("a.txt", "jsonl").format == "jsonl"
    assert Source.find("b.csv", "jsonl").format == "jsonl"
    assert Source.find(str(here), "jsonl").files == (f"file://{here}/a.txt", f"file://{here}/b.csv")


def test_a_directory_is_its_files_of_one_kind_however_deep(here: Path) -> None:
    put(
        "d/b.csv", "d/a.csv", "d/README.md", "d/year=2013/c.csv", "d/_SUCCESS", "d/.b.csv.crc", "d/_tmp/x.csv"
    )
    source = Source.find("d")
    assert source.format == "csv"
    assert source.files == tuple(f"file://{here}/d/{name}" for name in ("a.csv", "b.csv", "year=2013/c.csv"))
    assert source.root == f"file://{here}/d"


def test_a_pattern_is_the_files_that_fit(here: Path) -> None:
    put("x/1.jsonl", "x/2.jsonl", "x/3.csv")
    assert Source.find("x/*.jsonl").files == (f"file://{here}/x/1.jsonl", f"file://{here}/x/2.jsonl")


def test_a_name_that_looks_like_a_pattern_is_taken_literally(here: Path) -> None:
    put("we[i]rd {a}*?.jsonl")
    assert Source.find("we[i]rd {a}*?.jsonl").files == (f"file://{here}/we\\[i\\]rd \\{{a\\}}\\*\\?.jsonl",)


def test_what_lies_elsewhere_is_left_to_spark() -> None:
    source = Source.find("s3a://bucket/day-*.parquet")
    assert (source.format, source.files) == ("parquet", ("s3a://bucket/day-*.parquet",))
    assert Source.find("hdfs:///events", "jsonl").format == "jsonl"
    with pytest.raises(InputError, match="--format"):
        Source.find("hdfs:///events")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing.csv", "no such file or directory"),
        ("*.none", "no such file or directory"),
        ("empty", "is a directory without files"),
        ("mixed", "holds csv and jsonl files; choose one kind with --format"),
        ("notes.txt", "is not named like Parquet"),
        ("notes", "is not named like Parquet"),
        ("_hidden.csv", "begin with . or _"),
        ("a:b.csv", "colon"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(name: str, says: str) -> None:
    put("mixed/a.csv", "mixed/b.jsonl", "notes.txt", "notes", "_hidden.csv", "a:b.csv")
    Path("empty").mkdir()
    with pytest.raises(InputError) as raised:
        Source.find(name)
    assert says in str(raised.value)
    assert str(raised.value).startswith(f"{name}: ")


@pytest.mark.parametrize("content", [b"", b"PAR", b"PAR1 and no end", b"no start but PAR1"])
def test_a_parquet_file_looks_like_one(content: bytes) -> None:
    Path("a.parquet").write_bytes(content)
    with pytest.raises(InputError, match="is not a Parquet file"):
        Source.find("a.parquet")


@pytest.mark.parametrize(
    ("given", "url", "shown"),
    [
        ("d", "file:/HERE/d/x%20y/%C3%A9%25.csv", "d/x y/é%.csv"),
        ("d/a.csv", "file:///HERE/d/a.csv", "d/a.csv"),
        ("/HERE/d", "file:/HERE/d/a.csv", "/HERE/d/a.csv"),
        ("d/*.csv", "file:/HERE/d/a.csv", "d/a.csv"),
        ("d/*.csv", "s3a://bucket/a%20b.csv", "s3a://bucket/a%20b.csv"),
    ],
)
def test_files_are_shown_as_their_reader_wrote_them(here: Path, given: str, url: str, shown: str) -> None:
    put("d/a.csv", "d/x y/é%.csv")
    source = Source.find(given.replace("/HERE", str(here)))
    assert source.show(url.replace("/HERE", str(here))) == shown.replace("/HERE", str(here))
