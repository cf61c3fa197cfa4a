"""The table of a content graph: nodes of what lies beyond the links, and for each the lowest ids a link.

A node keeps all ids of the table that are above and below it, not only its neighbours in the graph: no edge
is ever walked, and taking a node out leaves those around it connected. For each id that a header has named, a
row remembers which links want it and the lowest ids that say so there, and so do answers for whole headers; a
change drops those that it can change, which name an id at or below it, and no other.
"""

from bisect import bisect_right, insort
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from penstock.structures.format import Link
from penstock.structures.identifier import Holders
from penstock.structures.place import Place

__all__ = ["GraphTable", "Node"]

Row = Mapping[Link, tuple[int, ...]]

# Places of ids that are gone: a header under way may still name one where it should name what is above it.
REMEMBERED = 1024

# Headers whose answers are kept; applications have far fewer combinations of lowest ids than messages.
ANSWERS = 1024
LONGEST = 256  # ids of such a header: memory is bounded by the product


@dataclass(slots=True)
class Node:
    """An id of the table, the ids of the table around it, and the links that hold it."""

    place: Place
    above: set[int]
    below: set[int]
    links: dict[Link, int] = field(default_factory=dict)  # how often: once, unless somebody lies


class GraphTable:
    """Places to links, with the order among them."""

    __slots__ = ("_answers", "_gone", "_holders", "_named", "_nodes", "_rising", "_rows")

    def __init__(self) -> None:
        self._holders: Holders[Place] = Holders()
        self._nodes: dict[int, Node] = {}
        self._rising: list[int] = []
        self._rows: dict[int, Row] = {}
        self._answers: dict[tuple[int, ...], Row] = {}
        self._named: dict[int, set[tuple[int, ...]]] = {}  # in which headers of the answers each id is
        self._gone: dict[int, Place] = {}

    def add(self, link: Link, entry: Place) -> None:
        """Let a link hold a place; a new id finds its own among those of the table."""
        self._holders.hold(link, entry)
        node = self._nodes.get(entry.id) or self._insert(entry)
        node.links[link] = node.links.get(link, 0) + 1
        self._drop_rows(node)

    def remove(self, link: Link, entry: Place) -> None:
        """Take a place from a link; the node goes with its last link."""
        self._holders.release(link, entry)
        node = self._nodes[entry.id]
        node.links[link] -= 1
        if not node.links[link]:
            del node.links[link]
        self._drop_rows(node)
        if not node.links:
            self._take_out(node)

    def forward(self, header: tuple[int, ...]) -> Row:
        """For each link, the lowest of the ids it holds that are in the header or above."""
        if len(header) == 1:
            return self._rows.get(header[0]) or self._row(header[0])
        answer = self._answers.get(header)
        if answer is None:
            answer = self._merge(header)
            # What becomes of ids that are not there, no change tells.
            if len(header) <= LONGEST and all(id_ in self._nodes for id_ in header):
                self._remember(header, answer)
        return answer

    def ids(self) -> int:
        """Distinct places held."""
        return len(self._holders)

    def edges(self) -> Iterator[tuple[int, int]]:
        """The graph as one would draw it: pairs of ids, one right above the other."""
        for id_, node in self._nodes.items():
            for parent in self._lowest(node.above) if node.above else ():
                yield parent, id_

    def _merge(self, header: tuple[int, ...]) -> Row:
        """The rows of several ids as one: what is lowest in one row may be above what another says."""
        found: dict[Link, set[int]] = {}
        for id_ in header:
            for link, lowest in (self._rows.get(id_) or self._row(id_)).items():
                found.setdefault(link, set()).update(lowest)
        return {link: self._lowest(ids) for link, ids in found.items()}

    def _remember(self, header: tuple[int, ...], answer: Row) -> None:
        if len(self._answers) == ANSWERS:
            self._answers.clear()
            self._named.clear()
        self._answers[header] = answer
        for id_ in header:
            self._named.setdefault(id_, set()).add(header)

    def _row(self, id_: int) -> Row:
        """The links that want what an id wants: those that hold it, or something above."""
        node = self._nodes.get(id_)
        if node is None:
            gone = self._gone.get(id_)
            return {} if gone is None else self._project(self._around(gone)[0], {})
        row = self._rows[id_] = self._project(node.above, dict.fromkeys(node.links, (id_,)))
        return row

    def _project(self, above: Set[int], row: dict[Link, tuple[int, ...]]) -> Row:
        """Complete a row by the links that hold only what is above."""
        held: dict[Link, set[int]] = {}
        for id_ in above:
            for link in self._nodes[id_].links:
                if link not in row:
                    held.setdefault(link, set()).add(id_)
        for link, ids in held.items():
            row[link] = self._lowest(ids)
        return row

    def _lowest(self, ids: Set[int]) -> tuple[int, ...]:
        """Those with none of the others below; all of them if liars have bent the order to a ring."""
        nodes = self._nodes
        return tuple(sorted([id_ for id_ in ids if nodes[id_].below.isdisjoint(ids)] or ids))

    def _drop_rows(self, node: Node) -> None:
        if self._rows:  # without them there are no answers either
            for id_ in (node.place.id, *node.below):
                self._rows.pop(id_, None)
                for header in self._named.pop(id_, ()):
                    self._forget(header, id_)

    def _forget(self, header: tuple[int, ...], under: int) -> None:
        del self._answers[header]
        for id_ in header:
            if id_ != under:
                self._named[id_].discard(header)

    def _around(self, place: Place) -> tuple[set[int], set[int]]:
        """The ids of the table above and below: known to the place, or to places that were made after it."""
        known = self._nodes.keys()
        above, below = set(place.above & known), set(place.below & known)
        for id_ in self._rising[bisect_right(self._rising, place.id) :]:
            later = self._nodes[id_].place
            if place.id in later.below:
                above.add(id_)
            elif place.id in later.above:
                below.add(id_)
        return above, below

    def _insert(self, place: Place) -> Node:
        above, below = self._around(place)
        node = self._nodes[place.id] = Node(place, above, below)
        for id_ in above:
            self._nodes[id_].below.add(place.id)
        for id_ in below:
            self._nodes[id_].above.add(place.id)
        insort(self._rising, place.id)
        self._gone.pop(place.id, None)
        return node

    def _take_out(self, node: Node) -> None:
        id_ = node.place.id
        del self._nodes[id_]
        del self._rising[bisect_right(self._rising, id_) - 1]
        for other in node.above:
            self._nodes[other].below.discard(id_)
        for other in node.below:
            self._nodes[other].above.discard(id_)
        self._gone[id_] = node.place
        if len(self._gone) > REMEMBERED:
            del self._gone[next(iter(self._gone))]
