"""The examples in the documents run, in order, in one namespace a page, and print what they say they print.

Promises come in three forms: a line `print(…)  # output` (or `code  # -> value`), a ```text block right after
a ```python block (the end of what it prints), and the lines below `$ penstock …` in a ```console block.
"""

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from processes import clean_environment

ALIAS = f'penstock() {{ {shlex.quote(sys.executable)} -m penstock "$@"; }}'  # installed as a script or not
ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(
    r"^```(?P<kind>python|console)\n(?P<code>.*?)^```\n(?:\n```text\n(?P<text>.*?)^```)?", re.S | re.M
)
PROMISE = re.compile(r"^(?P<code>(?P<print>print\(.*\))|\S.*?)\s+# (?P<arrow>-> )?(?P<promise>\S.*)$")
SUMMARY = re.compile(r"^[\d,]+ messages?, .* s$")  # on standard error, and with a time that varies

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def blocks(page: Path, kind: str) -> list[re.Match[str]]:
    return [block for block in BLOCK.finditer(page.read_text("utf-8")) if block["kind"] == kind]


def run(block: str, namespace: dict[str, Any]) -> str:
    """Run a Python block, hold each line to its own promise, and give all that was printed."""
    everything, pending = "", ""
    for line in block.splitlines(keepends=True):
        promise = PROMISE.match(line)
        pending += line
        if promise is None or not (promise["print"] or promise["arrow"]):
            continue
        if promise["arrow"] and not promise["print"]:
            pending = pending.removesuffix(line) + f"print(repr({promise['code']}))\n"
        printed = execute(pending, namespace)
        assert printed.endswith(promise["promise"] + "\n"), line
        everything, pending = everything + printed, ""
    return everything + execute(pending, namespace)


def execute(code: str, namespace: dict[str, Any]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


@every_page
def test_python_examples_run_and_print_what_they_say(page: Path) -> None:
    namespace: dict[str, Any] = {"__name__": "example"}
    found = blocks(page, "python")
    assert found, "the page shows no Python"
    for block in found:
        printed = run(block["code"], namespace)
        if block["text"] is not None:
            assert printed.endswith(block["text"]), block["code"]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "console")], ids=lambda page: page.name
)
def test_commands_print_what_they_say(page: Path) -> None:
    for block in blocks(page, "console"):
        for example in re.split(r"^\$ ", block["code"], flags=re.M)[1:]:
            command, _, promised = example.partition("\n")
            shell = ["bash", "-c", f"{ALIAS}; {command}"]
            printed = subprocess.run(
                shell, cwd=ROOT, env=clean_environment(), stdout=subprocess.PIPE, text=True, check=False
            ).stdout
            shown = [line for line in promised.splitlines() if not SUMMARY.match(line)]
            assert printed.splitlines() == shown, command
