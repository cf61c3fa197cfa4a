"""Fast Forwarding, the report of 2001: its parameters, and figures 9 to 12."""

from penstock.papers.experiment import Experiment
from penstock.papers.fast2001.matches import FIGURE_10, FIGURE_11
from penstock.papers.fast2001.parameters import TABLE_1
from penstock.papers.fast2001.scale import FIGURE_9
from penstock.papers.fast2001.settled import FIGURE_12

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment, ...] = (TABLE_1, FIGURE_9, FIGURE_10, FIGURE_11, FIGURE_12)
