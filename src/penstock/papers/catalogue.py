"""The catalogue: every paper, and every figure and table of theirs that is measured."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from penstock.errors import ExperimentError
from penstock.papers import fast2001, fast2002, streams, structures
from penstock.papers.experiment import Experiment

__all__ = ["EXPERIMENTS", "PAPERS", "Paper", "choose"]


@dataclass(frozen=True, slots=True)
class Paper:
    """What a reader needs to find it."""

    key: str
    title: str
    authors: str
    year: int | None  #: as it says; None if it does not
    venue: str


PAPERS = (
    Paper(
        "fast-2001",
        "Fast Forwarding for Content-Based Networking",
        "Antonio Carzaniga, Jing Deng, Alexander L. Wolf",
        2001,
        "technical report CU-CS-922-01, University of Colorado, November 2001",
    ),
    Paper(
        "fast-2002",
        "Fast Forwarding for Content-Based Networking (revised), and Forwarding in a Content-Based Network",
        "Antonio Carzaniga, Alexander L. Wolf",
        2002,
        "technical report CU-CS-922-01, revised September 2002; SIGCOMM 2003",
    ),
    Paper(
        "structures",
        "Fast and Flexible Forwarding for Internet Subscription Systems",
        "Joanna Kulik",
        2003,
        "MIT Laboratory for Computer Science; workshop on Distributed Event-Based Systems, 2003",
    ),
    Paper(
        "streams",
        "Hierarchical Dissemination of Streams in Content Distribution Networks",
        "Shrideep Pallickara, Geoffrey Fox",
        None,
        "Community Grids Lab, Indiana University",
    ),
)

EXPERIMENTS: tuple[Experiment, ...] = (
    *fast2001.EXPERIMENTS,
    *fast2002.EXPERIMENTS,
    *structures.EXPERIMENTS,
    *streams.EXPERIMENTS,
)


def choose(keys: Iterable[str], experiments: Sequence[Experiment] = EXPERIMENTS) -> tuple[Experiment, ...]:
    """Those with these keys, or of these papers, in the order of the catalogue; `all` is all of them."""
    known = {each.key for each in experiments} | {each.paper for each in experiments}
    asked = set(keys)
    for key in sorted(asked - known - {"all"}):
        near = get_close_matches(key, known, 1)
        hint = f"did you mean {near[0]}?" if near else "`penstock papers` lists them"
        raise ExperimentError(f"no experiment has the key {key!r}; {hint}")
    return tuple(each for each in experiments if "all" in asked or each.key in asked or each.paper in asked)
