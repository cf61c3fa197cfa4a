"""The report as Markdown, with its plots as files in a directory of the same name."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from penstock.papers.comparison import Compared
from penstock.papers.experiment import Claim
from penstock.papers.label import exactly, place, precise
from penstock.papers.page import TITLE, facts, lead
from penstock.papers.picture import picture_name, write_pictures
from penstock.papers.story import Chapter, Figure, Story

__all__ = ["write_markdown"]

EXAMPLE = """\
Printed numbers are data, with the place that each was read from:

```python
from penstock.papers.published import read_published

rows = [row for row in read_published() if row.experiment == "structures-table1"]
print(len(rows), rows[0].quantity, rows[0].value, rows[0].place)  # 64 notifications per link 312.7 Table 1
```
"""


def write_markdown(story: Story, path: Path) -> list[Path]:
    """Write the report and its plots."""
    pictures = path.with_suffix("")
    written = write_pictures(story, pictures)
    path.write_text("\n".join(_lines(story, pictures.name)) + "\n", encoding="utf-8")
    return [path, *written]


def _lines(story: Story, pictures: str) -> Iterator[str]:
    yield from (f"# {TITLE}", "", lead(story), "")
    for run in story.runs:
        yield f"- Measured {run.when} at scale {run.scale}: {run.cpu}; {run.machine}; Python {run.python};"
        yield f"  Spark {run.spark}; penstock {run.penstock}, commit {run.commit}; `{run.command}`"
    yield "- " + ", ".join(f"{value} {label}" for value, label in facts(story))
    yield from ("", EXAMPLE)
    left = [*story.problems, *[f"{point}: {why}" for point, why in story.failures]]
    if left:
        yield from ("## Left to explain", "", *[f"- {_cell(each)}" for each in left], "")
    yield from ("## Which claims hold today", "")
    for chapter in story.chapters:
        yield from _claims(chapter)
    for chapter in story.chapters:
        yield from (f"## {chapter.paper.title}", "", f"{chapter.paper.authors}; {chapter.paper.venue}", "")
        for figure in chapter.figures:
            yield from _figure(figure, pictures)


def _claims(chapter: Chapter) -> Iterator[str]:
    year = f" ({chapter.paper.year})" if chapter.paper.year else ""
    yield from (f"### {chapter.paper.title}{year}", "", chapter.outcome, "")
    theirs = [*chapter.claims(holds=True, ours=False), *chapter.claims(holds=False, ours=False)]
    for heading, pairs in (("claim", theirs), ("how far our engines move it", chapter.moved)):
        if pairs:
            yield from (f"| | {heading} | found | |", "|---|---|---|---|")
            for figure, claim in pairs:
                yield _row(["✓" if claim.holds else "✗", claim.text, _found(claim), figure.experiment.figure])
            yield ""


def _found(claim: Claim) -> str:
    return f"{claim.found}; {claim.because}" if claim.because and not claim.holds else claim.found


def _figure(figure: Figure, pictures: str) -> Iterator[str]:
    experiment = figure.experiment
    yield from (f"### {experiment.figure}: {experiment.shows}", "")
    yield from (f"{figure.verdict} `penstock papers run {experiment.key}` measures it again.", "")
    for number, (title, _) in enumerate(figure.drawings):
        yield from (f"**{title}**", "", f"![{title}]({pictures}/{picture_name(figure, number)})", "")
    if figure.printed:
        yield from _table(figure.printed, with_printed=True)
    if len(figure.measured) > len(figure.printed) or not figure.printed:
        yield from (f"<details><summary>All {len(figure.measured)} readings</summary>", "")
        yield from _table(figure.measured, with_printed=False)
        yield from ("</details>", "")


def _table(rows: Sequence[Compared], *, with_printed: bool) -> Iterator[str]:
    head = ["what", "series", "at", "ours", "lowest – highest"]
    aligned = ["---", "---", "---", "---:", "---:"]
    if with_printed:
        head += ["printed", "ours / printed", "verdict", "where"]
        aligned += ["---:", "---:", "---", "---"]
    yield from (_row(head), f"|{'|'.join(aligned)}|")
    for row in rows:
        yield _row(_cells(row, with_printed=with_printed))
    yield ""


def _cells(row: Compared, *, with_printed: bool) -> list[str]:
    reading, number = row.reading, row.published
    cells = [row.quantity, row.series, place(row.x), "–", ""]
    if reading is not None:
        cells[3] = f"{precise(reading.value)} {reading.unit}".strip()
        cells[4] = "" if reading.low == reading.high else f"{precise(reading.low)} – {precise(reading.high)}"
    if with_printed and number is not None:
        ratio = "" if row.ratio is None else precise(row.ratio)
        where = "; ".join(filter(None, [f"{number.place}, {number.page}", number.words]))
        cells += [f"{exactly(number.value)} {number.unit}".strip(), ratio, row.told, where]
    return cells


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())
