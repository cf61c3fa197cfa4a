"""CSV: values have types, lines that do not fit are rejected in words, and places are those of the file."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from trial import forward_files, small_blocks

from penstock.errors import InputError
from penstock.pipeline.csv import Dialect

# In the second file, every number is one, every code an int, and there are no quotes.
MESSAGES = """\
dest,price,code,paid,note
MXP,420,007,true,plain
MXP,5e2,008,false,"not less than 500"

ZRH,1500,007,true,"a, ""quoted"" note"
MXP,NA,007,false,NA
ZRH,cheap,007,true,wrong price
ZRH,1,007,true
ZRH,1,007,true,too,many
ZRH,1,007,true,"never closed
ZRH,1,007,maybe,wrong bool
dest,price,code,paid,note
ZRH,-1.5,,,
"""
TYPES = {"price": "float", "code": "string", "paid": "bool"}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_lines_are_delivered_unmatched_or_rejected_in_words(spark: SparkSession) -> None:
    Path("in").mkdir()
    Path("in/a.csv").write_bytes(MESSAGES.replace("\n", "\r\n").encode())
    with gzip.open("in/b.csv.gz", "wb") as packed:
        packed.write(b"dest,price,code,paid,note\nMXP,1,007,true,packed")
    with small_blocks(spark):
        trial = forward_files(spark, "in", types=TYPES, dialect=Dialect(null="NA"))
    assert trial.deliveries == [
        ("in/a.csv", 2, "alice"), ("in/a.csv", 2, "dave"), ("in/a.csv", 5, "bob"), ("in/a.csv", 5, "dave"),
        ("in/b.csv.gz", 2, "alice"), ("in/b.csv.gz", 2, "dave"),
    ]  # fmt: skip
    assert [(file, line) for file, line, _ in trial.unmatched] == [
        ("in/a.csv", line) for line in sorted((3, 6, 13), key=str)
    ]
    assert {line: error for _, _, line, _, error in trial.rejected} == {
        7: "column 'price': 'cheap' is not a float",
        8: "expected 5 values, as the first line has",
        9: "expected 5 values, as the first line has",
        10: "a quote is not closed on its line; values with line breaks cannot be read",
        11: "column 'paid': 'maybe' is not a bool",
        12: "column 'price': 'price' is not a float",
    }
    assert trial.rejected[0][:4] == ("messages", "in/a.csv", 10, 'ZRH,1,007,true,"never closed\r')
    assert trial.result.ledger.skipped == 3  # a blank line, and the names in both files


def test_types_are_inferred_and_dates_are_strings(spark: SparkSession) -> None:
    Path("m.tsv").write_text(
        "dest\tprice\tseen\tbig\tok\nMXP\t420\t2013-01-01\t99999999999999999999\ttrue\nZRH\t1\t\t1\t\n"
    )
    trial = forward_files(spark, "m.tsv", ids=("dest",))
    assert trial.result.intake.types == {
        "dest": "string",
        "price": "int",
        "seen": "string",
        "big": "int",
        "ok": "bool",
    }
    assert trial.rejected == [
        ("messages", "m.tsv", 2, "MXP\t420\t2013-01-01\t99999999999999999999\ttrue",
         "column 'big': '99999999999999999999' is not an int"),
    ]  # fmt: skip
    trial = forward_files(spark, "m.tsv", ids=("dest",), types={"big": "string"})
    assert trial.deliveries == [("MXP", "alice"), ("MXP", "bob")]


@pytest.mark.parametrize(
    ("files", "reading", "says"),
    [
        ({"a.csv": "x,y\n1,2", "b.csv": "y,x\n1,2"}, {}, "begin with different columns"),
        ({"a.csv": "x,x\n1,2"}, {}, "two columns are named 'x'"),
        ({"a.csv": "x,\n1,2"}, {}, "column 2 has no name"),
        ({"a.csv": "x,__file\n1,2"}, {}, "__file is reserved"),
        ({"a.csv": "x,y\n1,2"}, {"ids": ("z",)}, "has no column 'z'; it has x, y"),
        ({"a.csv": "x,y\n1,2"}, {"types": {"z": "int"}}, "has no column 'z'; it has x, y"),
    ],
)
def test_files_that_make_no_sense_stop_the_run(
    spark: SparkSession, files: dict[str, str], reading: dict[str, Any], says: str
) -> None:
    Path("in").mkdir()
    for name, text in files.items():
        Path("in", name).write_text(text)
    with pytest.raises(InputError, match=says):
        forward_files(spark, "in", **reading)
    assert not Path("out").exists()


def test_names_alone_are_no_messages(spark: SparkSession) -> None:
    Path("in").mkdir()
    Path("in/a.csv").write_text("dest,price\n")
    Path("in/b.csv").touch()
    trial = forward_files(spark, "in", wishes="all\tTRUE\n")
    assert (trial.result.ledger.messages, trial.result.ledger.skipped) == (0, 1)
