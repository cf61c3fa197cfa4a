"""Fast Forwarding, the report of 2001: figures 9 to 12."""

from penstock.papers.experiment import Experiment

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment, ...] = ()
