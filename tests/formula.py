"""Formulas as trees that know their meaning and can be spelled as text: a second opinion on the language.

Plain Python, from the definition alone: nothing here becomes a value of the core. `truth` says what a tree
means for a message, in three-valued logic; `Speller` writes the tree in one of the many ways there are.
"""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

Value = str | int | float | bool
Truth = bool | None  # None: unknown


@dataclass(frozen=True)
class Condition:
    """`operands` stand after the word, `type` before the name unless it is empty."""

    name: str
    word: str
    operands: tuple[Value, ...] = ()
    type: str = ""


@dataclass(frozen=True)
class Negation:
    """NOT."""

    inside: "Formula"


@dataclass(frozen=True)
class Conjunction:
    """AND; without parts, TRUE."""

    parts: "tuple[Formula, ...]"


@dataclass(frozen=True)
class Disjunction:
    """OR; without parts, FALSE."""

    parts: "tuple[Formula, ...]"


Formula: TypeAlias = Condition | Negation | Conjunction | Disjunction

# What a tree means.

CLASSES = {"string": (str,), "int": (int,), "float": (float,), "number": (int, float), "bool": (bool,)}


def truth(formula: Formula, message: Mapping[str, Value | None]) -> Truth:
    """Three-valued logic as textbooks have it."""
    match formula:
        case Condition():
            return truth_of_condition(formula, message.get(formula.name))
        case Negation(inside):
            found = truth(inside, message)
            return None if found is None else not found
        case Conjunction(parts):
            every = [truth(part, message) for part in parts]
            return False if False in every else None if None in every else True
        case Disjunction(parts):
            every = [truth(part, message) for part in parts]
            return True if True in every else None if None in every else False


def truth_of_condition(condition: Condition, value: Any) -> Truth:
    if condition.word == "NOT EXISTS":
        return value is None
    if condition.word == "EXISTS":
        return value is not None and (not condition.type or type(value) in CLASSES[condition.type])
    if type(value) not in CLASSES[condition.type or type_of(condition.operands[0])] or is_nan(value):
        return None
    if condition.word == "IN":
        return value in condition.operands
    if condition.word == "BETWEEN":
        return bool(condition.operands[0] <= value <= condition.operands[1])
    return COMPARISONS[condition.word](value, condition.operands[0])


def type_of(operand: Value) -> str:
    return {str: "string", bool: "bool", int: "number", float: "number"}[type(operand)]


def is_nan(value: Value) -> bool:
    return isinstance(value, float) and math.isnan(value)


def is_like(text: str, pattern: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "%":
        return is_like(text, pattern[1:]) or (text != "" and is_like(text[1:], pattern))
    return text != "" and pattern[0] in ("_", text[0]) and is_like(text[1:], pattern[1:])


def is_on_branch(topic: str, pattern: str) -> bool:
    while pattern.endswith("/*"):
        pattern = pattern.removesuffix("/*")
    wanted, levels = pattern.split("/"), topic.split("/")
    return len(wanted) <= len(levels) and all(wanted[i] in ("*", levels[i]) for i in range(len(wanted)))


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "STARTS WITH": str.startswith,
    "ENDS WITH": str.endswith,
    "CONTAINS": operator.contains,
    "LIKE": is_like,
    "TOPIC": is_on_branch,
}


# How a tree is written.

BARE_NAMES = ["a", "b", "x.y", "é", "like", "topic"]  # these may stand without backticks
AFTER_NOT = ["BETWEEN", "IN", "LIKE", "STARTS WITH", "ENDS WITH", "CONTAINS", "TOPIC"]  # a NOT LIKE '…'


def crooked(word: str) -> str:
    """Such as bETWEEN."""
    return word.title().swapcase()


class Speller:
    """Writes a tree in one of its many spellings."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def text(self, formula: Formula) -> str:
        match formula:
            case Condition():
                text = self.condition(formula)
            case Negation(Condition() as inside) if inside.word in AFTER_NOT and self.chance(2):
                text = self.condition(inside, negated=True)
            case Negation(inside):
                text = self.words("NOT", self.within(inside, Conjunction, Disjunction))
            case Conjunction(()):
                text = self.keyword("TRUE")
            case Disjunction(()):
                text = self.keyword("FALSE")
            case Conjunction(parts):
                text = self.joined("AND", [self.within(part, Disjunction) for part in parts])
            case Disjunction(parts):
                text = self.joined("OR", [self.text(part) for part in parts])
        return f"({text})" if self.chance(5) else text

    def within(self, formula: Formula, *looser: type[Formula]) -> str:
        """In parentheses where what is inside would fall apart without them."""
        text = self.text(formula)
        return f"({text})" if isinstance(formula, looser) else text

    def joined(self, word: str, parts: list[str]) -> str:
        between = self.gap() + self.keyword(word) + self.gap()
        return between.join(parts)

    def condition(self, condition: Condition, *, negated: bool = False) -> str:
        name = self.name(condition.name)
        if condition.type:
            name = self.words(condition.type, name)
        match condition.word, [self.literal(operand, condition.type) for operand in condition.operands]:
            case "EXISTS", _:
                forms = [self.words("EXISTS", name), self.words("EXISTS", f"({name})")]
                return self.random.choice([*forms, name + self.gap() + self.keyword("IS NOT NULL")])
            case "NOT EXISTS", _:
                return self.random.choice(
                    [self.words("NOT EXISTS", name), name + self.gap() + self.keyword("IS NULL")]
                )
            case "BETWEEN", [low, high]:
                rest = self.words("BETWEEN", low) + self.gap() + self.words("AND", high)
            case "IN", values:
                rest = self.words("IN", f"({self.gap()}{','.join(values)})")
            case word, [operand]:
                rest = self.words(word, operand)
        return name + self.gap() + (self.words("NOT", rest) if negated else rest)

    def words(self, words: str, rest: str) -> str:
        return self.keyword(words) + self.gap() + rest

    def keyword(self, words: str) -> str:
        case = self.random.choice([str.upper, str.lower, str.title, crooked])
        return self.gap().join(case(word) for word in words.split())

    def name(self, name: str) -> str:
        bare = name in BARE_NAMES and not self.chance(4)
        return name if bare else f"`{name.replace('`', '``')}`"

    def literal(self, operand: Value, declared: str) -> str:
        if isinstance(operand, str):
            quote = self.random.choice("'\"")
            return quote + operand.replace(quote, quote * 2) + quote
        if isinstance(operand, bool):
            return self.keyword(str(operand))
        if math.isinf(operand):
            return ("-" if operand < 0 else "") + self.keyword(self.random.choice(["INFINITY", "inf"]))
        forms = [str(operand)]
        if operand == int(operand) and abs(operand) < 2**53 and declared != "int":
            forms += [f"{int(operand)}.0", f"{int(operand)}e0", f"{int(operand)}"]
        return self.random.choice(forms)

    def gap(self) -> str:
        return self.random.choice([" ", " ", "  ", "\t", "\n"])

    def chance(self, of: int) -> bool:
        return self.random.randrange(of) == 0
