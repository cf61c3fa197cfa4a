"""A scenario cut into stretches of time, for plots: as many as can be told apart, and no more."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from penstock.network import Result
from penstock.network.metric import Latencies, latencies

__all__ = ["Timeline", "cut_time"]

MOST: Final = 240


@dataclass(frozen=True, slots=True)
class Timeline:
    """What happened between each two edges."""

    edges: Sequence[float]  #: seconds, one more than there are stretches
    delivered: Sequence[int]
    missed: Sequence[int]
    control: Sequence[int]
    table_mean: Sequence[float]
    table_largest: Sequence[int]
    latencies: Sequence[Latencies | None]  #: of what was published in the stretch


def cut_time(result: Result) -> Timeline:
    """Samples in groups; what came after the end, while all came to rest, belongs to the last of them."""
    samples = result.samples
    is_rest = len(samples) > 1 and samples[-2].at >= result.scenario.duration
    whole = samples[:-1] if is_rest else samples
    size = -(-len(whole) // MOST)
    groups = [list(whole[start : start + size]) for start in range(0, len(whole), size)]
    edges = [0.0, *(group[-1].at / 1e6 for group in groups)]
    if is_rest:
        groups[-1].append(samples[-1])
    times = np.array([each.at / 1e6 for each in result.publications])
    starts = np.searchsorted(times, [*edges[:-1], np.inf])
    return Timeline(
        edges=edges,
        delivered=[sum(each.gained.delivered for each in group) for group in groups],
        missed=[sum(each.missed for each in group) for group in groups],
        control=[sum(each.gained.control for each in group) for group in groups],
        table_mean=[group[-1].tables.mean for group in groups],
        table_largest=[group[-1].tables.largest for group in groups],
        latencies=[latencies(result.publications[start:end]) for start, end in pairwise(starts.tolist())],
    )
