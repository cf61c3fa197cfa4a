"""Where to draw routers: near each other if linked, apart if not; the same network always lies the same way.

Distances to a few far-apart routers, seen along their two widest directions, give the large shape without
ever comparing all pairs; springs then pull links short and push routers apart, so that none hides another.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from penstock.network.frame import RouterId
from penstock.network.topology import Topology

__all__ = ["MOST", "lay_out"]

MOST: Final = 2_000  # routers: pushing compares all pairs
PIVOTS: Final = 40
ROUNDS: Final = 150
PUSHES: Final = 90_000  # fewer rounds where each takes longer
RANGE: Final = 6  # ideal lengths of a link, within which routers push each other in full
BEYOND: Final = 0.15  # how strongly further away; in full, the crowd in the middle would stretch all branches
GRAVITY: Final = 0.3  # towards the middle, so that parts without a link between them stay in the picture

Points: TypeAlias = NDArray[np.float64]


def lay_out(topology: Topology) -> dict[RouterId, tuple[float, float]]:
    """A place for each router, from 0 to 1 in both directions."""
    routers = topology.routers
    if len(routers) < 3:
        return {router: ((number + 1) / (len(routers) + 1), 0.5) for number, router in enumerate(routers)}
    places = {router: number for number, router in enumerate(routers)}
    ends = np.array([(places[link.one], places[link.other]) for link in topology.links], dtype=np.intp)
    ends = ends.reshape(-1, 2)
    points = _spring(_spread(len(routers), ends), ends)
    low, high = points.min(axis=0), points.max(axis=0)
    points = (points - low) / np.maximum(high - low, 1e-9)
    return {router: (float(x), float(y)) for router, (x, y) in zip(routers, points, strict=True)}


def _spread(count: int, ends: NDArray[np.intp]) -> Points:
    """The large shape: distances to the pivots, along their two principal directions."""
    near: list[list[int]] = [[] for _ in range(count)]
    for one, other in ends.tolist():
        near[one].append(other)
        near[other].append(one)
    distances: list[NDArray[np.float64]] = []
    pivot, nearest = 0, np.full(count, np.inf)
    for _ in range(min(PIVOTS, count)):
        found = _hops(near, pivot)
        distances.append(found)
        nearest = np.minimum(nearest, found)
        pivot = int(nearest.argmax())  # the next one is far from all before it
    square = np.stack(distances, axis=1) ** 2
    centred = square - square.mean(axis=0) - square.mean(axis=1, keepdims=True) + square.mean()
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    points: Points = left[:, :2] * np.sqrt(values[:2])
    points *= np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1, 1)  # a direction has no sign
    points /= max(float(np.abs(points).max()), 1e-9)
    points += np.random.default_rng(0).normal(0, 0.02, points.shape)  # leaves of one router part ways
    return points


def _hops(near: Sequence[Sequence[int]], start: int) -> NDArray[np.float64]:
    """The distance of each router in links; what cannot be reached is a little further than all else."""
    known = {start: 0}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        for there in near[here]:
            if there not in known:
                known[there] = known[here] + 1
                todo.append(there)
    far = max(known.values()) + 3
    return np.array([known.get(number, far) for number in range(len(near))], dtype=np.float64)


def _spring(points: Points, ends: NDArray[np.intp]) -> Points:
    """Push all apart and pull links together, in ever smaller steps."""
    ideal = 1.6 / np.sqrt(len(points))
    for step in np.linspace(0.12, 0.003, min(ROUNDS, PUSHES // len(points))):
        forces = _push(points, ideal) - GRAVITY * points
        apart = points[ends[:, 0]] - points[ends[:, 1]]
        pull = apart * np.hypot(apart[:, :1], apart[:, 1:]) / ideal
        np.subtract.at(forces, ends[:, 0], pull)
        np.add.at(forces, ends[:, 1], pull)
        strength = np.maximum(np.hypot(forces[:, :1], forces[:, 1:]), 1e-9)
        points = points + forces / strength * np.minimum(strength, step)
    return points


def _push(points: Points, ideal: float) -> Points:
    """How strongly each is pushed by all others."""
    x, y = points.T.astype(np.float32)
    weight: Any = x[:, None] - x
    weight *= weight
    along = y[:, None] - y
    along *= along
    weight += along
    np.maximum(weight, np.float32(1e-6), out=weight)
    far = weight > (RANGE * ideal) ** 2
    np.divide(np.float32(ideal * ideal), weight, out=weight)
    weight[far] *= np.float32(BEYOND)
    total = weight.sum(axis=1)  # the sum of w (p - q) over all q is p times the sum of w, less that of w q
    return np.stack([x * total - weight @ x, y * total - weight @ y], axis=1).astype(np.float64)
