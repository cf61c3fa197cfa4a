"""Hierarchical streams: figures 1 to 8."""

from penstock.papers.experiment import Experiment

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment, ...] = ()
