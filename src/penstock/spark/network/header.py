"""Headers of the messages that are looked at together, each by a number: equal ones are forwarded once.

A header is rising ids, whatever the structure. Of a message that is sent in copies, one for each id, all
copies are at the same routers at the same time, so that one row with the ids of all stands for them.
"""

from array import array
from typing import Any

import numpy as np
import pyarrow as pa

from penstock.spark.network.hold import HeldRouter, Ints
from penstock.structures.rising import merged
from penstock.structures.wire import read_ids, write_ids

__all__ = ["Header", "Headers"]

Header = tuple[int, ...]


class Headers:
    """Distinct headers; numbers rise from 0."""

    __slots__ = ("_all", "_merged", "_numbers", "_sizes")

    def __init__(self) -> None:
        self._all: list[Header] = []
        self._numbers: dict[Header, int] = {}
        self._sizes = array("i")
        self._merged: dict[tuple[int, int], int] = {}

    @classmethod
    def read(cls, column: Any) -> "tuple[Headers, Ints]":
        """The headers of rows, as `write` has left them, and the number of each."""
        headers = cls()
        encoded: Any = column.dictionary_encode()
        numbers = [headers.number(read_ids(data)) for data in encoded.dictionary.to_pylist()]
        return headers, np.array(numbers, np.int32)[np.asarray(encoded.indices)]

    def write(self, numbers: Ints) -> Any:
        """These headers as bytes."""
        distinct, place = np.unique(numbers, return_inverse=True)
        encoded: Any = pa.array([write_ids(self._all[number]) for number in distinct.tolist()], pa.binary())
        return encoded.take(place)

    def number(self, header: Header) -> int:
        """The number of a header."""
        number = self._numbers.get(header)
        if number is None:
            number = self._numbers[header] = len(self._all)
            self._all.append(header)
            self._sizes.append(len(header))
        return number

    def sizes(self, numbers: Ints) -> Ints:
        """How many ids these headers have."""
        return np.frombuffer(self._sizes, np.int32)[numbers]

    def forward(self, router: HeldRouter[Any], numbers: Ints) -> tuple[Ints, Ints, Ints]:
        """Which of the messages leave a router by which interfaces, and under which headers."""
        distinct, place = np.unique(numbers, return_inverse=True)
        counts, links, onward = [], array("i"), array("i")
        for number in distinct.tolist():
            answer = router.table.forward(self._all[number])
            counts.append(len(answer))
            links.extend(answer)
            onward.extend(map(self.number, answer.values()))
        count = np.array(counts)
        many = count[place]
        which = np.repeat(np.arange(len(numbers), dtype=np.int32), many)
        # Of each message, the first place of its answer; and from there on one after the other.
        first = (np.cumsum(count) - count)[place] - (np.cumsum(many) - many)
        at = np.repeat(first, many) + np.arange(len(which))
        return which, np.array(links, np.int32)[at], np.array(onward, np.int32)[at]

    def unite(self, keys: Any, numbers: Ints) -> tuple[Any, Ints]:
        """Each key once, with all that its headers say."""
        order = np.argsort(keys, kind="stable")
        keys, numbers = keys[order], numbers[order]
        is_first = np.diff(keys, prepend=-1) != 0
        united = numbers[is_first]
        group = np.cumsum(is_first) - 1
        for again in np.flatnonzero(~is_first).tolist():
            pair = int(united[group[again]]), int(numbers[again])
            if pair not in self._merged:
                self._merged[pair] = self.number(merged(self._all[pair[0]], self._all[pair[1]]))
            united[group[again]] = self._merged[pair]
        return keys[is_first], united
