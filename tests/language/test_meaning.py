"""Every text means what its tree says, to both engines and to the oracle.

Trees never become the core's canonical values. So mistakes in reading a text, in carrying NOT inwards, in
reducing LIKE or in canonical form show here; the oracle starts only after all that.
"""

import math
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from engines import MAKERS
from formula import (
    BARE_NAMES,
    CLASSES,
    Condition,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    Speller,
    Value,
    truth,
)
from penstock.language import parse
from penstock.oracle import matches
from strategies import neighbours

# What is drawn: few names and values, so that they meet.

NAMES = [*BARE_NAMES, "and", "int", "two words", "tick`ed", "A"]
INTS = [0, 1, 2, -1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 0.5, 1.0, 2.0, 2.0**53, 2.0**63, math.inf, -math.inf]
# U+FFFF and 😀 are in another order in UTF-16.
STRINGS = ["", "a", "b", "aa", "ab", "ba", "é", "😀", "\uffff", "it's", '"', "%", "_", "a/b", "a/b/a", "a//b"]
VALUES: list[Value | None] = [*INTS, *FLOATS, *STRINGS, True, False, math.nan, None]

names = st.sampled_from(["a", "b"]) | st.sampled_from(NAMES)
ints = st.sampled_from(INTS)
floats = st.sampled_from(FLOATS)
exact_floats = floats | st.sampled_from([value for value in INTS if float(value) == value])
strings = st.sampled_from(STRINGS) | st.text("ab", max_size=4)
patterns = st.text("ab%_", max_size=4) | st.text("a%", max_size=4) | st.text("_%", max_size=3)
topics = st.sampled_from(["a", "b", "a/b", "a/*", "a/*/a", "a/*/*", "a/*/b"])

EQUALITY = ["=", "==", "!=", "<>"]
ORDER = ["<", "<=", ">", ">="]
PARTS = ["STARTS WITH", "ENDS WITH", "CONTAINS"]

Drawn: TypeAlias = st.SearchStrategy[Formula]


def drawn(
    words: list[str], types: list[str], operands: st.SearchStrategy[Value], least: int, most: int
) -> Drawn:
    several = st.lists(operands, min_size=least, max_size=most).map(tuple)
    return st.builds(Condition, names, st.sampled_from(words), several, st.sampled_from(types))


def ordered(types: list[str], operands: st.SearchStrategy[Value]) -> Drawn:
    one = drawn(ORDER, types, operands, 1, 1)
    return st.one_of(one, equated(types, operands), drawn(["BETWEEN"], types, operands, 2, 2))


def equated(types: list[str], operands: st.SearchStrategy[Value]) -> Drawn:
    return drawn(EQUALITY, types, operands, 1, 1) | drawn(["IN"], types, operands, 1, 3)


conditions: Drawn = st.one_of(
    ordered(["", "number"], ints | floats),
    ordered(["int"], ints),
    ordered(["float"], exact_floats),
    ordered(["", "string"], strings),
    equated(["", "bool"], st.booleans()),
    drawn(PARTS, ["", "string"], strings, 1, 1),
    drawn(["LIKE"], ["", "string"], patterns, 1, 1),
    drawn(["TOPIC"], ["", "string"], topics, 1, 1),
    drawn(["EXISTS"], ["", *CLASSES], st.nothing(), 0, 0),
    drawn(["NOT EXISTS"], [""], st.nothing(), 0, 0),
)
leaves = st.one_of(*[conditions] * 5, st.sampled_from([Conjunction(()), Disjunction(())]))


def combined(inside: Drawn) -> Drawn:
    parts = st.lists(inside, min_size=2, max_size=2).map(tuple)
    return st.one_of(
        st.builds(Negation, inside), st.builds(Conjunction, parts), st.builds(Disjunction, parts)
    )


def sayable(formula: Formula, positive: bool = True) -> Formula:
    """The same without types on an EXISTS that a NOT reaches: absence has no type, and is refused one."""
    match formula:
        case Condition(name, "EXISTS") if not positive:
            return Condition(name, "EXISTS")
        case Condition():
            return formula
        case Negation(inside):
            return Negation(sayable(inside, not positive))
        case Conjunction(parts):
            return Conjunction(tuple(sayable(part, positive) for part in parts))
        case Disjunction(parts):
            return Disjunction(tuple(sayable(part, positive) for part in parts))


bushes = combined(leaves)
formulas = combined(bushes | combined(bushes)).map(sayable)


def values_beside(trees: list[Formula]) -> list[Value]:
    """Values at and just beside the operands, so that every match is a close call."""
    return [near for tree in trees for operand in operands_of(tree) for near in neighbours(operand)]


def operands_of(formula: Formula) -> tuple[Value, ...]:
    match formula:
        case Condition():
            return formula.operands
        case Negation(inside):
            return operands_of(inside)
        case Conjunction(parts) | Disjunction(parts):
            return tuple(operand for part in parts for operand in operands_of(part))


def check(trees: list[Formula], random: Random, messages: list[dict[str, Value | None]]) -> None:
    texts = [Speller(random).text(tree) for tree in trees]
    predicates = [parse(text) for text in texts]
    tables = [make() for make in MAKERS.values()]
    for table in tables:
        table.subscribe_many([str(number) for number in range(len(texts))], texts)
    for message in messages:
        expected = {str(number) for number, tree in enumerate(trees) if truth(tree, message)}
        oracle = {str(number) for number, predicate in enumerate(predicates) if matches(predicate, message)}
        assert oracle == expected, (texts, message)
        for table in tables:
            assert set(table.match(message)) == expected, (table, texts, message)


def test_every_comparison_with_every_value_means_what_it_says() -> None:
    forms: list[tuple[list[str], str, Sequence[Value]]] = [
        (EQUALITY + ORDER, "", [*INTS, *FLOATS]),
        (EQUALITY + ORDER, "int", INTS),
        (EQUALITY + ORDER, "float", FLOATS),
        (EQUALITY + ORDER + PARTS, "", STRINGS),
        (EQUALITY, "", [True, False]),
    ]
    trees = [
        Condition("a", word, (operand,), kind)
        for words, kind, operands in forms
        for word in words
        for operand in operands
    ]
    check([*trees, *map(Negation, trees)], Random(1), [{"a": value} for value in VALUES])


def test_every_short_pattern_means_what_it_says() -> None:
    def texts(letters: str, size: int) -> list[str]:
        return ["".join(each) for length in range(size + 1) for each in product(letters, repeat=length)]

    trees = [Condition("a", "LIKE", (pattern,)) for pattern in texts("ab%_", 4)]
    check([*trees, *map(Negation, trees)], Random(1), [{"a": text} for text in texts("ab", 4)])


@given(st.lists(conditions | conditions.map(Negation).map(sayable), min_size=5, max_size=10), st.randoms())
def test_every_condition_means_what_it_says(trees: list[Formula], random: Random) -> None:
    everything = [*VALUES, *values_beside(trees)]
    check(trees, random, [dict.fromkeys(NAMES, value) for value in everything])


@given(st.lists(formulas, min_size=3, max_size=6), st.randoms(), st.data())
def test_every_formula_means_what_it_says(trees: list[Formula], random: Random, data: st.DataObject) -> None:
    values = st.sampled_from(VALUES) | st.sampled_from([*VALUES, *values_beside(trees)])
    messages = st.fixed_dictionaries(
        dict.fromkeys(["a", "b"], values), optional=dict.fromkeys(NAMES[2:], values)
    )
    check(trees, random, data.draw(st.lists(messages, min_size=8, max_size=8)))
