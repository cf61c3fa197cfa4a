"""The report as one HTML page that needs nothing else."""

from penstock.papers.comparison import Verdict
from penstock.papers.label import exactly, place, precise
from penstock.papers.story import Story
from penstock.report import Fact
from penstock.report.page import render_template

__all__ = ["TITLE", "facts", "lead", "render"]

TITLE = "The papers, measured anew"
SMALL = " This is the small scale, which shows that everything works; sizes and times are not the papers'."


def render(story: Story) -> str:
    """The page."""
    return render_template(
        "papers.html",
        filters={"figure": precise, "place": place, "printed": exactly, "capital": _capital},
        title=TITLE,
        lead=lead(story),
        facts=[Fact(value, label) for value, label in facts(story)],
        story=story,
    )


def lead(story: Story) -> str:
    """What this is, in two sentences."""
    papers, figures = len(story.chapters), len(story.figures)
    text = (
        f"{figures} figures and tables of {papers} {'paper' if papers == 1 else 'papers'} on content-based"
        " forwarding, with the papers' own engines and with ours on the same workloads. Printed numbers stand"
        " beside ours, as diamonds in the plots; curves that survive only in pictures are measured without"
        " them. Bands and bars go from the lowest to the highest of the repeats."
    )
    return text + (SMALL if any(run.scale == "small" for run in story.runs) else "")


def facts(story: Story) -> list[tuple[str, str]]:
    """Figures at a glance, and what they are."""
    return [
        (f"{story.count_claims(holds=True)}", "claims of the papers hold"),
        (f"{story.count_claims(holds=False)}", "do not"),
        (f"{story.count(Verdict.AGREES)}", "printed numbers agree"),
        (f"{story.count(Verdict.DISAGREES)}", "disagree, with the reason"),
        (f"{story.count(Verdict.OTHER_MACHINE)}", "are of other machines"),
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
