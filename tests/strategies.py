"""What the tests draw from: few names, so that constraints hit; values at every edge; messages close by.

`messages_near` is the important one: a message drawn blindly almost never matches, so it takes the constants
of the filters themselves, nudged a little.
"""

import math
import struct
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from penstock.model import Constraint, Filter, Message, Operator, Predicate, Type

Value = str | int | float | bool

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

COMMON_NAMES = ["a", "b", "price"]
ODD_NAMES = ["detail.state", "détail", "名", "and", "two words", "tick`ed", "A"]
names = st.sampled_from(COMMON_NAMES) | st.sampled_from(COMMON_NAMES + ODD_NAMES)

# Shared prefixes and suffixes, every length of UTF-8, quotes, wildcards, topics, and the characters on
# which UTF-16 order (U+FFFF after U+10000) and code point order part ways.
EDGE_STRINGS = [
    "", "a", "ab", "abc", "abcd", "bc", "c", "aba", "abab", "ABC", "b", "é", "éa", "名", "名前", "😀", "a😀",
    "😀b", "\x00", "a\x00b", "\uffff", "\U00010000", "\ue000", "it's", 'say "x"', "%", "_", "a%b", "abc\n",
    "5", "true", "x", "x/y", "x/y/z", "x//z", "/", "x/", "x/*", "y/x/z",
]  # fmt: skip
EDGE_INTS = [
    0, 1, -1, 2, 5, 6, 499, 500, 501, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 513,
    INT64_MAX, INT64_MAX - 1, INT64_MIN, INT64_MIN + 1,
]  # fmt: skip
EDGE_FLOATS = [
    0.0, -0.0, 1.0, 0.5, -0.5, 0.1, 5.0, 5.5, 499.5, 500.0, 2.0**53 - 1, 2.0**53, 2.0**53 + 2, -(2.0**53),
    2.0**62, 2.0**63, -(2.0**63), 1e308, -1e308, 5e-324, math.inf, -math.inf,
]  # fmt: skip

strings = st.sampled_from(EDGE_STRINGS) | st.text("ab\x00é😀/", max_size=6) | st.text(max_size=6)
ints = st.sampled_from(EDGE_INTS) | st.integers(INT64_MIN, INT64_MAX)
floats = st.sampled_from(EDGE_FLOATS) | st.floats(allow_nan=False)
bools = st.booleans()
numbers: st.SearchStrategy[int | float] = ints | floats

like_patterns = st.text("ab%_é😀", max_size=7)
topic_patterns = st.builds(
    lambda head, tail: "/".join([head, *tail]),
    st.sampled_from(["x", "y", "名"]),
    st.lists(st.sampled_from(["x", "y", "z", "*"]), max_size=4),
)

EQUALITY = [Operator.EQ, Operator.NE]
SETS = [Operator.IN, Operator.NOT_IN]
ORDER = [*EQUALITY, Operator.LT, Operator.LE, Operator.GT, Operator.GE]
TEXT_PARTS = [
    Operator.PREFIX, Operator.NOT_PREFIX, Operator.SUFFIX, Operator.NOT_SUFFIX, Operator.SUBSTRING,
    Operator.NOT_SUBSTRING,
]  # fmt: skip


def _form(operators: list[Operator], types: list[Type | None], values: st.SearchStrategy[Any]) -> Any:
    return st.builds(Constraint, names, st.sampled_from(operators), values, st.sampled_from(types))


def _typed(types: list[Type | None], operators: list[Operator], values: st.SearchStrategy[Any]) -> Any:
    """One value, or a set of them."""
    sets = st.lists(values, min_size=1, max_size=5)
    return _form(operators, types, values) | _form(SETS, types, sets)


# A float constraint takes an int only if a float can be that int; the others are an error, tested elsewhere.
_float_operands = floats | ints.filter(lambda value: float(value) == value)

# Every operator with every type that has it; None leaves the type to be inferred from the value.
constraints: st.SearchStrategy[Constraint] = st.one_of(
    _typed([None, Type.STRING], ORDER, strings),
    _typed([None, Type.NUMBER], ORDER, numbers),
    _typed([Type.INT], ORDER, ints),
    _typed([Type.FLOAT], ORDER, _float_operands),
    _typed([None, Type.BOOL], EQUALITY, bools),
    _form(TEXT_PARTS, [None, Type.STRING], strings),
    _form([Operator.LIKE, Operator.NOT_LIKE], [None, Type.STRING], like_patterns),
    _form([Operator.TOPIC, Operator.NOT_TOPIC], [None, Type.STRING], topic_patterns),
    _form([Operator.EXISTS], [None, *Type], st.none()),
    _form([Operator.NOT_EXISTS], [None, Type.ANY], st.none()),
)
filters = st.builds(Filter, st.lists(constraints, max_size=4))
predicates = st.builds(Predicate, st.lists(filters, max_size=3))

interfaces = st.sampled_from(["north", "south", "east", "wëst", "名"])

# A message may hold what a filter may not: NaN.
values: st.SearchStrategy[Value] = strings | ints | floats | bools | st.just(math.nan)


def constraints_of(condition: Predicate | Filter | Constraint) -> list[Constraint]:
    """All constraints that occur in it."""
    if isinstance(condition, Predicate):
        return [constraint for each in condition.filters for constraint in each.constraints]
    return list(condition.constraints) if isinstance(condition, Filter) else [condition]


@st.composite
def messages_near(draw: st.DrawFn, conditions: Iterable[Predicate | Filter | Constraint]) -> Message:
    """A message about the constants of the conditions, so that matching is a close call."""
    wanted: dict[str, list[Constraint]] = {}
    for condition in conditions:
        for constraint in constraints_of(condition):
            wanted.setdefault(constraint.name, []).append(constraint)
    message: dict[str, Any] = {}
    for name in sorted(wanted.keys() | {"a"}):
        what = draw(st.sampled_from(["near"] * 6 + ["any", "none", "absent"]))
        if what == "near" and name in wanted:
            message[name] = draw(near(draw(st.sampled_from(wanted[name]))))
        elif what != "absent":
            message[name] = None if what == "none" else draw(values)
    return draw(nestings(message))


messages = messages_near([])


def near(constraint: Constraint) -> st.SearchStrategy[Value]:
    """Values at, just below and just above what the constraint speaks of."""
    operands: Any = constraint.value
    if operands is None:
        return values
    candidates: list[Value] = []
    for operand in operands if isinstance(operands, tuple) else [operands]:
        candidates += neighbours(operand)
    return st.sampled_from(candidates)


def neighbours(operand: Value) -> list[Value]:
    """The operand itself, and what lies just beside it."""
    if isinstance(operand, bool):
        return [True, False]
    if isinstance(operand, str):
        filled = operand.replace("%", "ab").replace("_", "é").replace("*", "y")
        bare = operand.replace("%", "").replace("_", "a")
        return [
            operand, operand, operand + "a", "b" + operand, "b" + operand + "a", operand[:-1], operand[1:],
            operand + "\x00", operand + "/z", filled, filled + "/z", bare, "a" + bare + "b",
        ]  # fmt: skip
    found: list[Value] = [operand, operand, float(operand), math.nextafter(operand, math.inf)]
    found.append(math.nextafter(operand, -math.inf))
    if math.isfinite(operand):
        whole = int(operand)
        found += [near for near in (whole - 1, whole, whole + 1) if INT64_MIN <= near <= INT64_MAX]
    return found


def nestings(message: dict[str, Any]) -> st.SearchStrategy[Message]:
    """The message as it is, or with its dotted names folded into nested mappings."""
    folded: dict[str, Any] = {}
    for name, value in message.items():
        head, dot, rest = name.partition(".")
        if dot and head not in message:
            folded.setdefault(head, {})[rest] = value
        else:
            folded[name] = value
    return st.sampled_from([message, folded])


def is_same_value(a: object, b: object) -> bool:
    """Equal in type and, for floats, in bits: what `==` blurs (1 and True, 0.0 and -0.0)."""
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("d", a) == struct.pack("d", b)
    return type(a) is type(b) and a == b
