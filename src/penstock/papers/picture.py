"""A drawing as a file of its own: it brings the colours of the report's style sheet, light and dark.

Viewers that know whether their reader wants dark say so to the picture; its background goes along, so that it
is readable on any page.
"""

import re
from importlib.resources import files

__all__ = ["MARK", "to_picture"]

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
