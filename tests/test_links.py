"""Every link between the pages leads to a file that is there, and to a heading that it has."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOREIGN = {"build", "dist"}  # made, not written
PAGES = sorted(
    page
    for top in ROOT.iterdir()
    if top.name not in FOREIGN and not top.name.startswith(".")
    for page in (top.rglob("*.md") if top.is_dir() else [top])
    if page.suffix == ".md"
)

FENCED = re.compile(r"^```.*?^```", re.S | re.M)
CODE = re.compile(r"(`+).+?\1")
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+ +(?P<title>.+?) *$", re.M)
ELSEWHERE = re.compile(r"[a-z]+:", re.I)  # https://…, mailto:…


def anchors(page: Path) -> set[str]:
    """The headings as a link writes them: small letters, hyphens for spaces, no punctuation."""
    prose = FENCED.sub("", page.read_text("utf-8"))
    titles = (heading["title"].lower() for heading in HEADING.finditer(prose))
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def links(page: Path) -> list[str]:
    prose = CODE.sub("", FENCED.sub("", page.read_text("utf-8")))
    return [link["target"] for link in LINK.finditer(prose) if not ELSEWHERE.match(link["target"])]


def is_broken(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    file = page.parent / path if path else page
    return not file.exists() or (anchor != "" and anchor not in anchors(file))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert [target for target in links(page) if is_broken(page, target)] == []


def test_there_are_links_to_follow() -> None:
    targets = {target for page in PAGES for target in links(page)}
    assert {"DESIGN.md", "docs/language.md", "LICENSE"} <= targets


@pytest.mark.parametrize(
    "target", ["missing.md", "#missing", "page.md#missing", "page.md#code", "docs/page.md"]
)
def test_links_that_lead_nowhere_are_found(tmp_path: Path, target: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Where `to` go, next?\n```\n# code\n```\nSee [there]({target}), not `[here](x)`.\n")
    assert [found for found in links(page) if is_broken(page, found)] == [target]
    assert not is_broken(page, "page.md#where-to-go-next")
