"""A drawing as a file of its own: it brings the colours of the report's style sheet, light and dark.

Viewers that know whether their reader wants dark say so to the picture; its background goes along, so that it
is readable on any page.
"""

import re
from importlib.resources import files
from pathlib import Path

from penstock.papers.story import Figure, Story

__all__ = ["MARK", "picture_name", "to_picture", "write_pictures"]

MARK = "<!-- drawn by penstock papers -->"  # by which a later report knows its own
STYLE = files("penstock.report").joinpath("templates").joinpath("style.css")
VARIABLES = re.compile(r":root \{(.*?)\}", re.S)


def to_picture(svg: str) -> str:
    """A whole SVG file from what a page would hold."""
    head, rest = svg.split(">", 1)
    box = re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"', head)
    size = f' width="{box[1]}" height="{box[2]}"' if box else ""
    light, dark = (" ".join(found.split()) for found in VARIABLES.findall(STYLE.read_text("utf-8"))[:2])
    style = (
        f":root {{ {light} font-family: system-ui, 'Segoe UI', Arial, sans-serif; }} "
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    )
    back = '<rect width="100%" height="100%" style="fill: var(--paper)"/>'
    return f"{head}{size}>{MARK}<style>{style}</style>{back}{rest}"


def picture_name(figure: Figure, number: int) -> str:
    """The file of one of a figure's drawings."""
    return f"{figure.experiment.key}-{number + 1}.svg"


def write_pictures(story: Story, directory: Path) -> list[Path]:
    """Write all drawings; those of an earlier report that are not drawn any more go."""
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for figure in story.figures:
        for number, (_, svg) in enumerate(figure.drawings):
            written.append(directory / picture_name(figure, number))
            written[-1].write_text(to_picture(svg), encoding="utf-8")
    for old in set(directory.glob("*.svg")) - set(written):
        if MARK in old.read_text(encoding="utf-8", errors="replace"):
            old.unlink()
    return written
