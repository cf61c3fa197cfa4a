"""penstock beside other engines: the same subscriptions and events, each engine in a process of its own.

Workloads: `equality` (three labels), `prefix` (labels and the beginning of a path), `ranges` (a label and two
to four intervals over 20 attributes), `ten` (a key and a bound, about ten matches an event). One thread.
`x ours` is the time over the best of our rows named in `against`: `json` where text is read, else `dict`.
Above 1, we are faster; `ahead` says whether by as much as we want.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from common import Cell, Report, Spread, progress
from peers.agreement import ask_oracle, disagreement
from peers.bounds import Bounds, run_bounded
from peers.options import arguments
from peers.peer import ABSENT, BUILD, PEERS, Peer, penstock, prepare
from peers.verdict import best, comparable, is_reached, wanted
from peers.workload import WORKLOADS, Drawn, draw
from penstock import ForwardingTable

CHECK, WARM, SLICE = 10.0, 4.0, 0.2
BASELINE = f"penstock {ForwardingTable().engine}"


@dataclass(slots=True)
class Run:
    """What has been measured, and what there is to say about it."""

    options: argparse.Namespace
    bounds: Bounds
    rows: list[dict[str, Cell]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)

    def note(self, text: str) -> str:
        """The number of a footnote."""
        if text not in self.notes:
            self.notes.append(text)
        return str(self.notes.index(text) + 1)


def main() -> int:
    """Build, run, compare; 1 if any two engines disagree."""
    options = arguments(__doc__)
    report = Report(__doc__ or "", options)
    run = Run(options, Bounds(options.limit_seconds, int(options.limit_gib * 2**30)))
    peers = [peer for peer in chosen(options) if ready(peer)]
    for name, reason in ABSENT.items():
        print(f"{name}: skipped, {reason}")
    for size in options.sizes:
        for workload in WORKLOADS:
            if workload.name in options.workloads:
                compare(run, draw(workload, size, options.seed, BUILD / "data"), peers)
    measures = "; ".join(f"{peer.name}: {peer.bytes_are}" for peer in peers)
    report.add("Peers; µs/event over the repeats, bytes of everything that loading added", run.rows)
    print(f"\nbytes are, for {measures}")
    for number, text in enumerate(run.notes, start=1):
        print(f"{number:>3} {text}")
    for text in run.behind:
        print(f"NOT AHEAD: {text}")
    for text in run.disagreements:
        print(f"DISAGREES: {text}")
    report.run |= {f"note {number}": text for number, text in enumerate(run.notes, start=1)}
    report.run |= {f"not ahead {number}": text for number, text in enumerate(run.behind, start=1)}
    report.run |= {f"disagreement {number}": text for number, text in enumerate(run.disagreements, start=1)}
    report.finish()
    return 1 if run.disagreements else 0


def compare(run: Run, drawn: Drawn, peers: list[Peer]) -> None:
    """One workload at one size, through every engine; the baseline comes first."""
    label = f"{drawn.workload.name}, {drawn.size:,} subscriptions"
    expected: list[tuple[int, list[int]]] = list(ask_oracle(drawn).items())
    measured: list[tuple[Peer, dict[str, Any] | None, dict[str, Cell]]] = []
    for peer in peers:
        unsaid = drawn.workload.operators - peer.operators
        if unsaid:
            note = run.note(f"{peer.name} has no {', '.join(sorted(unsaid))}")
            measured.append((peer, None, {"input": "", "note": note}))
            continue
        progress(f"{label}: {peer.name}")
        result, reason = measure(run, drawn, peer)
        if result is None:
            note = run.note(f"{peer.name}, {label}: {reason}")
            measured.append((peer, None, {"input": "", "note": note}))
            continue
        if peer.name == BASELINE:
            expected += enumerate(result["matches"])
        differs = disagreement(drawn, expected, result["matches"])
        if differs:
            run.disagreements.append(f"{peer.name}, {label}: {differs}")
        measured.append((peer, result, {"sets": "DIFFER" if differs else "agree"}))
    ours = best(result for peer, result, _ in measured if peer.is_ours and result is not None)
    for peer, result, tail in measured:
        head: dict[str, Cell] = {"workload": drawn.workload.name, "size": drawn.size, "engine": peer.name}
        for row in rows(run, drawn, peer, result, ours) if result else [{}]:
            run.rows.append(head | row | tail)


def measure(run: Run, drawn: Drawn, peer: Peer) -> tuple[dict[str, Any] | None, str | None]:
    """Run one peer in a process of its own: what it hands in, or why it does not."""
    output = BUILD / "result.json"
    output.unlink(missing_ok=True)
    job = (drawn.subscription_file, drawn.event_file, output, CHECK, WARM, SLICE, run.options.repeats)
    command = [*peer.command(run.bounds.bytes), *map(str, job)]
    reason = run_bounded(command, peer.environment, BUILD / "runner.log", run.bounds)
    return (None, reason) if reason else (json.loads(output.read_text(encoding="utf-8")), None)


def rows(
    run: Run, drawn: Drawn, peer: Peer, result: dict[str, Any], ours: dict[str, float]
) -> Iterator[dict[str, Cell]]:
    """One for each form in which the engine takes an event."""
    found = result["matches"]
    for way, timing in result["ways"].items():
        spread = Spread.of(timing["seconds"])
        against = comparable(way)
        ratio = spread.median / ours[against] if ours else None
        yield {
            "input": way,
            "µs/event": spread.times(1e6),
            "against": against,
            "x ours": ratio,
            "ahead": "" if peer.is_ours or ratio is None else judge(run, drawn, f"{peer.name} {way}", ratio),
            "build s": result["build"],
            "bytes/subscription": result["bytes"] / drawn.size,
            "events timed": timing["events"],
            "matches/event": sum(map(len, found)) / len(found),
            "events checked": len(found),
        }


def judge(run: Run, drawn: Drawn, who: str, ratio: float) -> str:
    """Whether we are as far ahead as we want to be; where not, that is said once more at the end."""
    if is_reached(ratio, drawn.size):
        return "yes"
    text = f"{who}, {drawn.workload.name}, {drawn.size:,} subscriptions: {ratio:.2f}x"
    run.behind.append(f"{text}, {wanted(drawn.size):g}x wanted")
    return "NO"


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
