"""The options of the comparison."""

import argparse
import typing
from pathlib import Path

from peers.peer import PEERS
from peers.workload import WORKLOADS
from penstock.table import Engine

__all__ = ["arguments", "sizes"]


def arguments(description: str | None) -> argparse.Namespace:
    """Read and check them."""
    parser = argparse.ArgumentParser(prog="peers", description=(description or "").partition("\n")[0])
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
