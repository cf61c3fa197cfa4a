"""Printed numbers are read strictly: a row that could never be compared is an error with its place."""

from pathlib import Path

import pytest

from fake_papers import experiment, printed
from penstock.errors import ExperimentError
from penstock.papers.published import Disagreement, read_disagreements, read_published

HEAD = "experiment,series,x,quantity,unit,value,page,place,words\n"
ROW = "fake,a,10,time,µs,2.0,p. 1,Table 1,a remark\n"
WHY = "experiment,series,x,quantity,reason\n"
KNOWN = [experiment()]


def test_rows_become_numbers_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text(HEAD + ROW)
    (tmp_path / "disagreements-b.csv").write_text(WHY + 'fake,a,10,time,"because, so"\n')
    (tmp_path / "notes.txt").write_text("not a table")
    assert read_published(tmp_path, KNOWN) == [printed()]
    found = read_disagreements(tmp_path, KNOWN)
    assert found == [Disagreement("fake", "a", "10", "time", "because, so")]
    assert found[0].cell == printed().cell


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a.csv:1: must begin with the columns experiment,series"),
        (ROW, "a.csv:1: must begin with the columns"),
        (HEAD + "fake,a\n", "a.csv:2: has 2 values for 9 columns"),
        (HEAD + ROW + ROW, "a.csv:3: fake / time / a / 10 was there before"),
        (HEAD + ROW.replace("fake", "other"), "a.csv:2: no experiment has the key 'other'"),
        (HEAD + ROW.replace("2.0", "two"), "a.csv:2: 'two' is no number that was measured"),
        (HEAD + ROW.replace("2.0", "nan"), "a.csv:2: 'nan' is no number that was measured"),
        (HEAD + ROW.replace("2.0", "-1"), "a.csv:2: '-1' is no number that was measured"),
        (HEAD + ROW.replace("p. 1", ""), "a.csv:2: does not say the page"),
        (HEAD + ROW.replace("Table 1", ""), "a.csv:2: does not say the place"),
        (HEAD + 'fake,"a"b,10\n', "a.csv:2: is no CSV"),
    ],
)
def test_a_row_that_makes_no_sense_is_an_error_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ExperimentError) as raised:
        read_published(tmp_path, KNOWN)
    assert str(raised.value).startswith(says)


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(HEAD.encode() + b"fake,\xff\n")
    with pytest.raises(ExperimentError, match="is no CSV"):
        read_published(tmp_path, KNOWN)


def test_a_disagreement_has_a_reason_and_an_experiment(tmp_path: Path) -> None:
    place = tmp_path / "disagreements-a.csv"
    place.write_text(WHY + "fake,a,10,time,\n")
    with pytest.raises(ExperimentError, match=r"disagreements-a\.csv:2: gives no reason"):
        read_disagreements(tmp_path, KNOWN)
    place.write_text(WHY + "other,a,10,time,why\n")
    with pytest.raises(ExperimentError, match="no experiment has the key 'other'"):
        read_disagreements(tmp_path, KNOWN)


def test_what_is_shipped_can_be_read_and_every_disagreement_is_about_a_printed_number() -> None:
    cells = {row.cell for row in read_published()}
    assert len(cells) >= 120
    assert {row.cell for row in read_disagreements()} <= cells
