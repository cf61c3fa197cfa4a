"""Hierarchical streams: figures 1 to 8."""

from penstock.papers.experiment import Experiment
from penstock.papers.streams.flux import FLUX
from penstock.papers.streams.latency import LATENCY
from penstock.papers.streams.overheads import HASH, REGEX, TREE
from penstock.papers.streams.schemes import SCHEMES
from penstock.papers.streams.tree_size import TREE_SIZE

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment, ...] = (LATENCY, TREE, HASH, REGEX, SCHEMES, TREE_SIZE, FLUX)
