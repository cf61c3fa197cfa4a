"""penstock beside other engines: the same subscriptions and events, each engine in a process of its own.

Workloads: `equality` (three labels), `prefix` (labels and the beginning of a path), `ranges` (a label and two
to four intervals over 20 attributes), `ten` (a key and a bound, about ten matches an event). One thread.
`x penstock` is the time over that of penstock's default engine called from Python: above 1, we are faster.
"""

import argparse
import json
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common import Cell, Report, Spread, progress
from peers.agreement import ask_oracle, disagreement
from peers.bounds import Bounds, run_bounded
from peers.peer import BUILD, PEERS, Peer, penstock, prepare
from peers.workload import WORKLOADS, Drawn, draw
from penstock import ForwardingTable
from penstock.table import Engine

CHECK, WARM, SLICE = 10.0, 4.0, 0.2
BASELINE = f"penstock {ForwardingTable().engine}"
BASELINE_WAY = "dict"


@dataclass(slots=True)
class Run:
    """What has been measured, and what there is to say about it."""

    options: argparse.Namespace
    bounds: Bounds
    rows: list[dict[str, Cell]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)

    def note(self, text: str) -> str:
        """The number of a footnote."""
        if text not in self.notes:
            self.notes.append(text)
        return str(self.notes.index(text) + 1)


def main() -> int:
    """Build, run, compare; 1 if any two engines disagree."""
    options = arguments()
    report = Report(__doc__ or "", options)
    run = Run(options, Bounds(options.limit_seconds, int(options.limit_gib * 2**30)))
    peers = [peer for peer in chosen(options) if ready(peer)]
    for size in options.sizes:
        for workload in WORKLOADS:
            if workload.name in options.workloads:
                compare(run, draw(workload, size, options.seed, BUILD / "data"), peers)
    measures = "; ".join(f"{peer.name}: {peer.bytes_are}" for peer in peers)
    report.add("Peers; µs/event over the repeats, bytes of everything that loading added", run.rows)
    print(f"\nbytes are, for {measures}")
    for number, text in enumerate(run.notes, start=1):
        print(f"{number:>3} {text}")
    for text in run.disagreements:
        print(f"DISAGREES: {text}")
    report.run |= {f"note {number}": text for number, text in enumerate(run.notes, start=1)}
    report.run |= {f"disagreement {number}": text for number, text in enumerate(run.disagreements, start=1)}
    report.finish()
    return 1 if run.disagreements else 0


def compare(run: Run, drawn: Drawn, peers: list[Peer]) -> None:
    """One workload at one size, through every engine; the baseline comes first."""
    label = f"{drawn.workload.name}, {drawn.size:,} subscriptions"
    truth = ask_oracle(drawn)
    baseline: dict[str, Any] | None = None
    for peer in peers:
        head: dict[str, Cell] = {"workload": drawn.workload.name, "size": drawn.size, "engine": peer.name}
        unsaid = drawn.workload.operators - peer.operators
        if unsaid:
            text = f"{peer.name} has no {', '.join(sorted(unsaid))}"
            run.rows.append(head | {"input": "", "note": run.note(text)})
            continue
        progress(f"{label}: {peer.name}")
        result, reason = measure(run, drawn, peer)
        if result is None:
            run.rows.append(head | {"input": "", "note": run.note(f"{peer.name}, {label}: {reason}")})
            continue
        if peer.name == BASELINE:
            baseline = result
        expected = [*truth.items(), *enumerate(baseline["matches"] if baseline else ())]
        differs = disagreement(drawn, expected, result["matches"])
        if differs:
            run.disagreements.append(f"{peer.name}, {label}: {differs}")
        measured = rows(result, baseline, drawn.size)
        run.rows += [head | row | {"sets": "DIFFER" if differs else "agree"} for row in measured]


def measure(run: Run, drawn: Drawn, peer: Peer) -> tuple[dict[str, Any] | None, str | None]:
    """Run one peer in a process of its own: what it hands in, or why it does not."""
    output = BUILD / "result.json"
    output.unlink(missing_ok=True)
    job = (drawn.subscription_file, drawn.event_file, output, CHECK, WARM, SLICE, run.options.repeats)
    command = [*peer.command(run.bounds.bytes), *map(str, job)]
    reason = run_bounded(command, peer.environment, BUILD / "runner.log", run.bounds)
    return (None, reason) if reason else (json.loads(output.read_text(encoding="utf-8")), None)


def rows(result: dict[str, Any], baseline: dict[str, Any] | None, size: int) -> Iterator[dict[str, Cell]]:
    """One for each form in which the peer takes an event."""
    base = Spread.of(baseline["ways"][BASELINE_WAY]["seconds"]).times(1e6) if baseline else None
    found = result["matches"]
    for way, timing in result["ways"].items():
        spread = Spread.of(timing["seconds"]).times(1e6)
        yield {
            "input": way,
            "µs/event": spread,
            "x penstock": spread.median / base.median if base else None,
            "build s": result["build"],
            "bytes/subscription": result["bytes"] / size,
            "events timed": timing["events"],
            "matches/event": sum(map(len, found)) / len(found),
            "events checked": len(found),
        }


def ready(peer: Peer) -> bool:
    """Whether the peer can be run here; one line if not."""
    if peer.build:
        progress(f"{peer.name}: building")
    obstacle = prepare(peer)
    if obstacle:
        print(f"{peer.name}: skipped, {obstacle}", flush=True)
    return obstacle is None


def chosen(options: argparse.Namespace) -> list[Peer]:
    """The baseline, and what was asked for."""
    engines = [BASELINE.removeprefix("penstock "), *options.engines]
    ours = [penstock(engine) for engine in dict.fromkeys(engines)]
    wanted = options.only or ["penstock", *(peer.name for peer in PEERS)]
    others = [peer for peer in PEERS if peer.name in wanted]
    return [*(ours if "penstock" in wanted else ours[:1]), *others]


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="peers", description=(__doc__ or "").partition("\n")[0])
    names = ["penstock", *(peer.name for peer in PEERS)]
    engines = ",".join(typing.get_args(Engine))
    workloads = ",".join(workload.name for workload in WORKLOADS)
    add = parser.add_argument
    add("--only", action="append", choices=names, help="this one beside the baseline; may be repeated")
    add("--sizes", type=sizes, default="1k,10k,100k", help="subscriptions (default: %(default)s)")
    add("--workloads", type=words, default=workloads, help="(default: %(default)s)")
    add("--engines", type=words, default=engines, help="of penstock (default: %(default)s)")
    add("--seed", type=int, default=2002, help="of the workloads (default: %(default)s)")
    add("--repeats", type=int, default=7, help="measurements of each figure (default: %(default)s)")
    add("--limit-seconds", type=float, default=600, help="for one process (default: %(default)s)")
    add("--limit-gib", type=float, default=4, help="of memory, likewise (default: %(default)s)")
    add("--json", type=Path, metavar="FILE", help="also write the report to FILE")
    options = parser.parse_args()
    unknown = set(options.workloads).difference(words(workloads)) | set(options.engines).difference(
        words(engines)
    )
    if unknown:
        parser.error(f"there is no {' or '.join(sorted(unknown))}")
    if min(options.repeats, *options.sizes) < 1:
        parser.error("repeats and sizes start at one")
    options.scale = ",".join(map(str, options.sizes))
    return options


def words(text: str) -> list[str]:
    """A list with commas."""
    return text.split(",")


def sizes(text: str) -> list[int]:
    """`1k,500` and the like."""
    return [int(word.removesuffix("k")) * (1000 if word.endswith("k") else 1) for word in words(text)]
