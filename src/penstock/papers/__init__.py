"""The papers' figures and tables, measured anew and put beside the printed numbers.

Each paper has a package of its own whose experiments know their sweep, how a point is measured and what the
paper claims; everything here is alike for all: running on Spark, comparing, drawing, telling.
"""

from penstock.papers.catalogue import EXPERIMENTS, PAPERS, Paper
from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale

__all__ = [
    "EXPERIMENTS", "PAPERS", "Claim", "Experiment", "Paper", "Plot", "Point", "Reading", "Readings", "Scale",
]  # fmt: skip
