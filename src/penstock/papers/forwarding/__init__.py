"""What the experiments of both forwarding papers share: engines side by side on the same filters."""

from penstock.papers.forwarding.census import Census
from penstock.papers.forwarding.contender import ACCESS, COUNTING, SELECTIVITY, Contender, together
from penstock.papers.forwarding.effort import Effort, agreed, timed, work
from penstock.papers.forwarding.shape import abreast, growth, largest

__all__ = [
    "ACCESS",
    "COUNTING",
    "SELECTIVITY",
    "Census",
    "Contender",
    "Effort",
    "abreast",
    "agreed",
    "growth",
    "largest",
    "timed",
    "together",
    "work",
]
