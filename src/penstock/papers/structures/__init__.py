"""Match structures: both tables of the paper."""

from penstock.papers.experiment import Experiment
from penstock.papers.structures.table1 import TABLE1
from penstock.papers.structures.table2 import TABLE2

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment, ...] = (TABLE1, TABLE2)
