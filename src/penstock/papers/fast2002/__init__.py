"""Fast Forwarding, revised in 2002: figures 7 to 9, the network effect, memory, exclusion."""

from penstock.papers.experiment import Experiment

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment, ...] = ()
