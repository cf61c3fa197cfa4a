"""The peers: what each can say, what it is built with, and how it is run.

A runner refuses an operator that is not declared here, so nothing is ever approximated.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from peers.workload import COMPARISONS

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "build" / "peers"

Command = list[str]


@dataclass(frozen=True, slots=True)
class Peer:
    """An engine with a runner; the functions get its folders and the memory limit."""

    name: str
    operators: frozenset[str]
    bytes_are: str  #: how its memory is measured
    run: Callable[[Path, int], Command]
    build: Callable[[Path, Path], Command] | None = None
    tools: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_ours(self) -> bool:
        """Whether it is penstock itself."""
        return self.name.startswith("penstock ")

    @property
    def source(self) -> Path:
        """The folder with its runner."""
        return HERE / self.name.replace("-", "_")

    @property
    def built(self) -> Path:
        """The folder that its runner is built into."""
        return BUILD / self.name

    def command(self, limit: int) -> Command:
        """How to start the runner."""
        return self.run(self.built, limit)


def penstock(engine: str) -> Peer:
    """Our own table with one of its engines; nothing to build, since this program runs on it."""
    return Peer(
        name=f"penstock {engine}",
        operators=frozenset(("=", "prefix", *COMPARISONS)),
        bytes_are="growth of the resident set",
        run=lambda _built, _limit: [sys.executable, "-m", "peers.penstock.runner", engine],
        environment={"PYTHONPATH": str(HERE.parent)},
    )


PEERS = (
    Peer(
        name="event-ruler",
        operators=frozenset(("=", "prefix", *COMPARISONS)),
        bytes_are="growth of the live heap",
        tools=("java", "mvn"),
        build=lambda source, built: [
            *("mvn", "-q", "-B", "-f", f"{source}/pom.xml"),
            *(f"-Doutput={built}", "compile"),
        ],
        run=lambda built, limit: [
            *("java", f"-Xmx{limit >> 20}m"),
            *("-cp", f"{built}/classes:{built}/lib/*", "peers.Runner"),
        ],
    ),
    Peer(
        name="a-tree",
        operators=frozenset(("=", *COMPARISONS)),
        bytes_are="growth of the resident set",
        tools=("cargo",),
        build=lambda source, built: [
            *("cargo", "build", "-q", "--release"),
            *("--manifest-path", f"{source}/Cargo.toml", "--target-dir", str(built)),
        ],
        run=lambda built, _limit: [f"{built}/release/a-tree-runner"],
    ),
    Peer(
        name="rule-engine",
        operators=frozenset(("=", "prefix", *COMPARISONS)),
        bytes_are="growth of the resident set",
        build=lambda source, built: [
            *(sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"),
            *("--upgrade", "--target", f"{built}/site", "-r", f"{source}/requirements.txt"),
        ],
        run=lambda _built, _limit: [sys.executable, "-m", "peers.rule_engine.runner"],
        environment={"PYTHONPATH": f"{HERE.parent}{os.pathsep}{BUILD / 'rule-engine' / 'site'}"},
    ),
)


# Peers whose libraries could not be had where this was written: a runner that nobody has run is not kept.
ABSENT = {
    "quamina": "no runner: its Go module could not be fetched when the others were written",
    "hypermatch": "no runner: its Go module could not be fetched when the others were written",
}


def prepare(peer: Peer) -> str | None:
    """Build the runner unless it is up to date; what stands in the way, if anything does."""
    if peer.build is None:
        return None
    missing = [tool for tool in peer.tools if shutil.which(tool) is None]
    if missing:
        return f"needs {' and '.join(missing)}"
    stamp, wanted = peer.built / "built", _fingerprint(peer.source)
    if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return None
    # A copy is built, since build tools write beside their sources.
    copy, log = peer.built / "source", peer.built / "build.log"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(peer.source, copy)
    with log.open("wb") as output:
        done = subprocess.run(peer.build(copy, peer.built), stdout=output, stderr=output, check=False)
    if done.returncode != 0:
        return f"the build failed, see {log.relative_to(BUILD.parent.parent)}"
    stamp.write_text(wanted, encoding="ascii")
    return None


def _fingerprint(source: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(file for file in source.rglob("*") if file.is_file() and file.suffix != ".pyc"):
        digest.update(str(file.relative_to(source)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
