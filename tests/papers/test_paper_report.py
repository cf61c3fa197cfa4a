"""The report: claims first, then every number beside the printed one; as a page and as Markdown."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fake_papers import RUN, experiment, printed, reading, result
from html_balance import Balance
from penstock.errors import InputError
from penstock.papers import Claim, Experiment, Plot, Readings
from penstock.papers.chart import draw
from penstock.papers.markdown import write_markdown
from penstock.papers.page import render
from penstock.papers.picture import MARK
from penstock.papers.published import Disagreement
from penstock.papers.report import summarise, tell_results
from penstock.papers.story import Story, tell
from penstock.report.drawing import VARIABLES

HOSTILE = "<script>alert('x')</script> | `a`"
HOLDS = Claim("§5: It grows.", holds=True, found="it does, by 2")
FAILS = Claim("§6: It shrinks.", holds=False, found="it grows", because="of the moon")
OURS = Claim("Ours is faster.", holds=True, found="by 30", ours=True)
BARS = Plot("time", "Dots", "n", "µs", log_y=True, bars=True)


def story(*claims: Claim, made: Experiment | None = None) -> Story:
    of = made or experiment(claims=claims)
    readings = [
        reading(),
        reading(x="20", value=4.0),
        reading("b", value=9.0),
        reading("b", x="20", value=5.0),
    ]
    why = Disagreement("fake", "b", "10", "time", "the moon was full")
    return tell([result(of, readings)], [printed(), printed(series="b", value=2.0)], [why])


def test_claims_are_sorted_by_whether_they_hold_and_whose_they_are() -> None:
    told = story(FAILS, HOLDS, OURS)
    (chapter,) = told.chapters
    assert [claim for _, claim in chapter.claims(holds=True, ours=False)] == [HOLDS]
    assert [claim for _, claim in chapter.claims(holds=False, ours=False)] == [FAILS]
    assert [claim for _, claim in chapter.moved] == [OURS]
    assert chapter.outcome == "1 of 2 claims hold."
    assert (told.count_claims(holds=True), told.count_claims(holds=False), told.problems) == (1, 1, [])
    assert told.figures[0].verdict == "1 of 2 printed numbers agree, 1 disagree."


def test_the_page_says_all_of_it_and_is_well_formed() -> None:
    page = render(story(FAILS, HOLDS, OURS))
    for said in (
        "It grows.", "It does, by 2.", "It grows; of the moon.", "Ours is faster.", "the moon was full",
        "p. 1", "a remark", "a cpu", "commit abc", "All 4 readings", "penstock papers run fake",
    ):  # fmt: skip
        assert said in page, said
    assert page.index("Which claims hold today") < page.index('id="fake"')
    assert page.count("<svg ") == 1
    balance = Balance(page)
    assert all(each.startswith("#") for each in balance.fetched)
    assert not {"script", "link", "img"} & set(balance.tags)


def test_nothing_that_is_said_gets_out_of_place(tmp_path: Path) -> None:
    told = story(Claim(HOSTILE, holds=False, found=HOSTILE, because=HOSTILE))
    assert "<script>" not in render(told)
    write_markdown(told, tmp_path / "papers.md")
    text = (tmp_path / "papers.md").read_text()
    assert "<script>" not in text
    (row,) = [line for line in text.splitlines() if "alert" in line]
    assert len(re.findall(r"(?<!\\)\|", row)) == 5


def test_markdown_has_its_plots_beside_it(tmp_path: Path) -> None:
    pictures = tmp_path / "papers"
    pictures.mkdir()
    (pictures / "old-1.svg").write_text(f"<svg>{MARK}</svg>")
    (pictures / "mine.svg").write_text("<svg/>")
    written = write_markdown(story(HOLDS, FAILS, OURS), tmp_path / "papers.md")
    assert [place.name for place in written] == ["papers.md", "fake-1.svg"]
    assert sorted(place.name for place in pictures.iterdir()) == ["fake-1.svg", "mine.svg"]
    text = (tmp_path / "papers.md").read_text()
    assert "![Times](papers/fake-1.svg)" in text
    assert "| ✓ | §5: It grows. | it does, by 2 | Figure 1 |" in text
    assert "| ✗ | §6: It shrinks. | it grows; of the moon | Figure 1 |" in text
    assert "| time | b | 10 | 9 µs | 4.5 – 18 | 2 µs | 4.5 | disagrees, because the moon was full |" in text
    assert "commit abc" in text
    assert "a machine" in text
    (root,) = [ET.fromstring((pictures / "fake-1.svg").read_text())]
    assert float(root.attrib["width"]) > 500
    assert "prefers-color-scheme: dark" in (pictures / "fake-1.svg").read_text()


@pytest.mark.parametrize(
    "plot", [BARS, Plot("time", "Lines", "n", "µs", log_x=True), Plot("time", "L", "n", "µs")]
)
def test_drawings_take_their_colours_from_the_page_and_mark_what_was_printed(plot: Plot) -> None:
    found = Readings([reading(series, x) for series in "ab" for x in ("10", "20")])
    plain, marked = draw(plot, found, []), draw(plot, found, [printed(), printed(x="15")])
    assert set(re.findall(r"var\((--\w+)\)", marked)) <= set(VARIABLES.values())
    assert not re.search(r"#[0-9a-f]{6}", marked)
    assert "printed in the paper" in marked
    assert "printed in the paper" not in plain
    ET.fromstring(marked)


def test_series_are_named_at_their_ends_and_chosen_in_order() -> None:
    found = Readings([reading(name, x) for name in ("one", "two", "three") for x in ("10", "20")])
    svg = draw(Plot("time", "Lines", "n", "µs", series=("three", "one", "four")), found, [])
    assert ["three" in svg, "one" in svg, "two" in svg] == [True, True, False]
    assert draw(Plot("space", "Nothing", "n", "bytes"), found, []) == ""


def test_names_and_nothing_can_be_drawn_along_an_axis() -> None:
    named = Readings([reading(x="few"), reading(x="many", value=3.0)])
    assert "many" in draw(Plot("time", "Names", "n", "µs", log_x=True), named, [printed(x="none")])
    nothing = Readings([reading(value=0.0)])
    for plot in (BARS, Plot("time", "Zero", "n", "µs", log_x=True, log_y=True)):
        assert draw(plot, nothing, [])
    many = Readings([reading(f"series {number}", x) for number in range(11) for x in ("1", "2")])
    assert draw(Plot("time", "Many", "n", "µs"), many, []).count("series ") == 11


def test_points_that_failed_are_told_and_cost_only_the_claims_that_need_them() -> None:
    def judge(found: Readings) -> list[Claim]:
        return [Claim("x", found.get("time", "a", 20) > 1, "y")]

    made = Experiment("fake", "streams", "Figure 1", "s", False, lambda _: [], lambda _: [], judge, ())
    told = tell([result(made, [reading()], [("n=20", "no room")])], [], [])
    assert (told.figures[0].claims, told.failures) == ([], [("fake, n=20", "no room")])
    assert "fake, n=20: no room" in render(told)
    assert "prints no numbers" in told.figures[0].verdict
    (problem,) = told.problems
    assert problem.startswith("fake: its claims cannot be judged: ")
    assert problem.endswith("no x '20'; there are '10'\"; run it again")


def test_what_is_left_to_explain_is_told(tmp_path: Path) -> None:
    told = tell([result(experiment(), [reading(value=9.0)])], [printed()], [])
    assert told.problems == ["fake, time of a at 10: disagrees, and no row says why"]
    assert "Left to explain" in render(told)
    write_markdown(told, tmp_path / "papers.md")
    assert "- fake, time of a at 10: disagrees, and no row says why" in (tmp_path / "papers.md").read_text()


def test_the_summary_is_data() -> None:
    summary = summarise(story(HOLDS, OURS))
    (one,) = summary["experiments"]
    assert one["verdicts"] == {"agrees": 1, "disagrees": 1, "not printed": 2}
    assert [claim["ours"] for claim in one["claims"]] == [False, True]
    assert summary["runs"][0]["commit"] == RUN.commit


def test_a_directory_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no results"):
        tell_results(tmp_path)
