"""
The native core of penstock. Use the names that penstock itself exports.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
import enum
import os
from typing import Any, SupportsIndex, overload

import numpy
import numpy.typing

import penstock.arrow

class Type(enum.Enum):
    """
    The type that a constraint asks for; NUMBER is int or float, compared exactly.
    """

    ANY = 0

    STRING = 1

    NUMBER = 2

    INT = 3

    FLOAT = 4

    BOOL = 5

class Operator(enum.Enum):
    """What a constraint demands of the attribute's value."""

    EQ = 0

    NE = 1

    LT = 2

    GE = 3

    GT = 4

    LE = 5

    PREFIX = 6

    NOT_PREFIX = 7

    SUFFIX = 8

    NOT_SUFFIX = 9

    SUBSTRING = 10

    NOT_SUBSTRING = 11

    IN = 12

    NOT_IN = 13

    LIKE = 14

    NOT_LIKE = 15

    TOPIC = 16

    NOT_TOPIC = 17

    EXISTS = 18

    NOT_EXISTS = 19

class Limits:
    """Bounds on filters, checked before any work is done."""

    def __init__(
        self,
        *,
        text_bytes: int = 65536,
        depth: int = 64,
        filters: int = 1024,
        constraints: int = 256,
        set_values: int = 10000,
    ) -> None: ...
    @property
    def text_bytes(self) -> int:
        """bytes of UTF-8 in a text"""

    @property
    def depth(self) -> int:
        """nesting of parentheses and NOT"""

    @property
    def filters(self) -> int:
        """filters in a predicate, after expansion"""

    @property
    def constraints(self) -> int:
        """constraints in a filter"""

    @property
    def set_values(self) -> int:
        """values in an IN list"""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getstate__(self) -> tuple[int, ...]: ...
    def __setstate__(self, state: tuple[int, ...], /) -> None: ...
    def __repr__(self) -> str: ...

class Constraint:
    """One condition on one attribute. Immutable, in canonical form."""

    def __init__(
        self, name: str, operator: Operator, value: object | None = None, type: Type | None = None
    ) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __str__(self) -> str:
        """The text that parses back to this."""

    def __repr__(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> Type: ...
    @property
    def operator(self) -> Operator: ...
    @property
    def value(self) -> str | int | float | bool | tuple[str | int | float | bool, ...] | None:
        """None for EXISTS and NOT EXISTS, a tuple for IN and NOT IN."""

    def __reduce__(self) -> tuple[object, ...]: ...

class Filter:
    """A conjunction of constraints; empty, it matches every message."""

    def __init__(self, constraints: Iterable[Constraint] = ()) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __str__(self) -> str:
        """The text that parses back to this."""

    def __repr__(self) -> str: ...
    @property
    def constraints(self) -> tuple[Constraint, ...]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Constraint]: ...
    def covers(self, other: Filter) -> bool:
        """
        True only if every message that matches other matches this; False may also mean not sure.
        """

    def __reduce__(self) -> tuple[object, ...]: ...

class Predicate:
    """A disjunction of filters; empty, it matches no message."""

    def __init__(self, filters: Iterable[Filter] = ()) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __str__(self) -> str:
        """The text that parses back to this."""

    def __repr__(self) -> str: ...
    @property
    def filters(self) -> tuple[Filter, ...]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Filter]: ...
    def covers(self, other: Predicate) -> bool:
        """
        True only if every message that matches other matches this; False may also mean not sure.
        """

    def __reduce__(self) -> tuple[object, ...]: ...

def parse(text: str, limits: Limits = ...) -> Predicate:
    """Read a filter in the text language: `dest = 'MXP' AND price < 500`."""

def parse_siena(text: str, limits: Limits = ...) -> Predicate:
    """
    Read a predicate in Siena's notation: `[string dest = MXP; int price < 500]`.
    """

def print_siena(predicate: Predicate) -> str:
    """Write a predicate in Siena's notation."""

class Reason(enum.Enum):
    """Why a constraint holds for a message, or does not."""

    HOLDS = 0
    """it does hold"""

    ABSENT = 1
    """the message has no such attribute"""

    PRESENT = 2
    """it has one, and NOT EXISTS asks that it have none"""

    TYPE = 3
    """the attribute is of another type"""

    NAN = 4
    """it is NaN, which satisfies nothing but EXISTS"""

    VALUE = 5
    """its value does not satisfy the operator"""

class Engine(enum.Enum):
    """How a table finds what matches."""

    ACCESS = 0
    """each filter under its least likely constraint"""

    COUNTING = 1
    """counting the constraints that hold"""

    SELECTIVITY = 2
    """counting, after the most selective names"""

class Table:
    """The native part of ForwardingTable."""

    @overload
    def __init__(self, engine: Engine, rounds: int, limits: Limits) -> None: ...
    @overload
    def __init__(self, path: str | os.PathLike[str]) -> None: ...
    def _match_batch(self, data: object, names: bool, threads: int) -> tuple[object, object]: ...
    def subscribe_batch(
        self, data: penstock.arrow.ArrowData, interface: str = "interface", filter: str = "filter"
    ) -> numpy.typing.NDArray[numpy.int64]:
        """
        Add the rows of an Arrow table, all or nothing, from a column of interface names and one of filter texts; returns their ids. An error carries the `row` that caused it.
        """

    def _match_json_batch(
        self, data: object, names: bool, threads: int, json: str
    ) -> tuple[object, object]: ...
    def match_json(self, data: bytes | bytearray | memoryview | str) -> numpy.typing.NDArray[numpy.uint32]:
        """
        Like match_ids, for a message as JSON text in UTF-8; many times faster than reading it in Python first.
        """

    def observe(self, data: penstock.arrow.ArrowData | Iterable[Mapping[str, Any]]) -> None:
        """
        Learn from messages like those to come, an iterable of them or the rows of an Arrow table, and rearrange the table: later matches find the same with less work. The counting engines have nothing to learn.
        """

    def subscribe(self, interface: str, filter: str | Predicate | Filter | Constraint) -> int:
        """
        Add a filter to an interface's predicate; returns the subscription's id.
        """

    def subscribe_many(
        self, interfaces: Sequence[str], filters: Sequence[str | Predicate | Filter | Constraint]
    ) -> numpy.typing.NDArray[numpy.int64]:
        """
        Add many, all or nothing; returns their ids. An error carries the `row` that caused it.
        """

    def unsubscribe(self, id: SupportsIndex) -> None:
        """Remove a subscription; the interface goes with its last one."""

    def match(self, message: Mapping[str, Any], *, only: Iterable[str] | None = None) -> list[str]:
        """
        Names of the interfaces that the message goes to, each once, in no particular order; `only` restricts them to those it names, and passes over names that no interface has.
        """

    def match_ids(
        self, message: Mapping[str, Any], *, only: Iterable[str] | None = None
    ) -> numpy.typing.NDArray[numpy.uint32]:
        """
        The same as ids, which `interfaces` translates: much cheaper when there are many.
        """

    def build(self) -> None:
        """
        Give back memory that growth has set aside; the counting engines also build their index, which they do at the next match otherwise.
        """

    def trace(self, message: Mapping[str, Any]) -> dict[str, int]:
        """Match, and tell how much work it was, in the engine's own terms."""

    def time_matches(
        self, messages: Sequence[Mapping[str, Any]], repeat: int = 1
    ) -> numpy.typing.NDArray[numpy.float64]:
        """
        Seconds of each native match, passes x messages, without the conversion from Python.
        """

    def selectivity_table(self) -> list[tuple[str, int]]:
        """
        Determinant names and how many interfaces each excludes, as far as the rounds go.
        """

    @property
    def _engine(self) -> Engine: ...
    @property
    def _rounds(self) -> int: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: object) -> bool: ...
    def _interface_id(self, name: object) -> int | None: ...
    def _interface_at(self, id: int) -> str | None: ...
    def _interface_names(self) -> list[str]: ...
    def _interface_count(self) -> int: ...
    def _subscription_ids(self) -> numpy.typing.NDArray[numpy.int64]: ...
    def _subscription(self, id: SupportsIndex) -> tuple[str, Predicate]: ...
    def _weigh(self) -> tuple[dict[str, int], list[tuple[str, int, bool]]]: ...
    def _explain(
        self, message: Mapping[str, Any], interface: object, limit: int
    ) -> (
        tuple[
            int,
            int,
            list[
                tuple[
                    tuple[int, ...], Filter, list[tuple[Constraint, Reason, str | int | float | bool | None]]
                ]
            ],
        ]
        | None
    ):
        """
        How many of the interface's filters match, how many there are, and verdicts on the best; None if there is no such interface.
        """

    def save(self, path: str | os.PathLike[str]) -> None:
        """
        Write the table to a file, which takes the place of an older one only when it is complete; a change that is made meanwhile may have to wait.
        """

def read_json(data: bytes | bytearray | memoryview | str) -> dict[str, str | int | float | bool]:
    """
    The message in a JSON text, as match_json reads it: flat, and without what is null.
    """

class TopicScheme(enum.Enum):
    """How a table of topics finds what matches."""

    RADIX = 0
    """a trie that ends where a pattern is alone"""

    TREE = 1
    """a tree of levels"""

    HASH = 2
    """patterns as keys, constructed from the topic"""

    REGEX = 3
    """one regular expression after the other"""

MAX_TOPIC_LEVELS: int = 30

def canonical_topic(pattern: str) -> str:
    """
    The pattern without its trailing wildcards; raises FilterError for what is none.
    """

class TopicTable:
    """The native part of penstock.topics.TopicTable."""

    @overload
    def __init__(self, scheme: TopicScheme, levels: int) -> None: ...
    @overload
    def __init__(self, path: str | os.PathLike[str]) -> None: ...
    def save(self, path: str | os.PathLike[str]) -> None:
        """
        Write the table to a file, which takes the place of an older one only when it is complete.
        """

    def subscribe(self, pattern: str, destination: str) -> int:
        """
        Send what lies on or below the pattern to the destination; returns the subscription's id.
        """

    def subscribe_many(
        self, patterns: Sequence[str], destinations: Sequence[str]
    ) -> numpy.typing.NDArray[numpy.int64]:
        """
        Add many, all or nothing; returns their ids. An error carries the `row` that caused it.
        """

    def unsubscribe(self, id: SupportsIndex) -> None:
        """Remove a subscription; the destination goes with its last one."""

    def match(self, topic: str) -> tuple[str, ...]:
        """
        Names of the destinations that the topic goes to, each once, in no particular order.
        """

    def match_ids(self, topic: str) -> numpy.typing.NDArray[numpy.uint32]:
        """The same as ids, which `destinations` translates."""

    def _match_batch(self, data: object, column: str | None, names: bool) -> tuple[object, object]: ...
    def _match_batch_by(
        self, data: object, column: str | None, names: bool, matcher: Callable[[str], list[int]]
    ) -> tuple[object, object]: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: object) -> bool: ...
    @property
    def _scheme(self) -> TopicScheme: ...
    @property
    def _levels(self) -> int: ...
    def _check_topic(self, topic: str) -> None: ...
    def _destination_id(self, name: object) -> int | None: ...
    def _destination_at(self, id: int) -> str | None: ...
    def _destination_names(self) -> list[str]: ...
    def _destination_count(self) -> int: ...
    def _subscription_ids(self) -> numpy.typing.NDArray[numpy.int64]: ...
    def _subscription(self, id: SupportsIndex) -> tuple[str, str]: ...
    def _weigh(self) -> tuple[dict[str, int], dict[str, int], list[tuple[str, int, bool]]]: ...
    def time_matches(self, topics: list[str], repeat: int = 1) -> numpy.typing.NDArray[numpy.float64]:
        """
        Seconds of each pass of native matches over the topics, without the conversion from Python.
        """

    def time_updates(
        self, patterns: list[str], destinations: list[str]
    ) -> numpy.typing.NDArray[numpy.float64]:
        """
        Seconds of each native subscribe(), and then of each unsubscribe(): two rows. The table ends as it was.
        """
