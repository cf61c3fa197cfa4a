"""Fast Forwarding, revised in 2002, and its successor: figures 7 to 9, and what the text says in figures."""

from penstock.papers.experiment import Experiment
from penstock.papers.fast2002.constraints import FIGURE_7A, FIGURE_7B
from penstock.papers.fast2002.example import SECTION_1, SPACE
from penstock.papers.fast2002.excluded import SECTION_3
from penstock.papers.fast2002.network import SECTION_5_4
from penstock.papers.fast2002.parameters import TABLE_1
from penstock.papers.fast2002.ratio import FIGURE_8
from penstock.papers.fast2002.rounds import FIGURE_9

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment, ...] = (
    TABLE_1,
    SECTION_1,
    SPACE,
    SECTION_3,
    FIGURE_7A,
    FIGURE_7B,
    FIGURE_8,
    FIGURE_9,
    SECTION_5_4,
)
