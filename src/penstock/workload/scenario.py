"""The parameters of the papers' experiments, by the papers' own symbols and with the papers' defaults.

The two papers parameterise the same idea differently. Each scenario keeps its paper's fields and says in
`shape()` what they mean; the generator knows only shapes.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from penstock.workload.distribution import Distribution, Floats, Law, Linear, Mix, Uniform, Zipf
from penstock.workload.shape import Kind, Shape
from penstock.workload.words import names, strings

__all__ = ["Scenario", "Scenario2001", "Scenario2002"]


class Scenario(Protocol):
    """A set of parameters that reduces to a shape."""

    def shape(self) -> Shape:
        """What the parameters mean to the generator."""
        ...


def _named(distribution: Distribution) -> tuple[tuple[str, ...], Floats]:
    return names(distribution.count), distribution.weights()


def _kinds(types: Mix[str], known: dict[str, Kind]) -> tuple[Kind, ...]:
    strange = set(types.choices()) - set(known)
    if strange:
        raise ValueError(f"this scenario has no values of type {', '.join(sorted(strange))}")
    return tuple(replace(known[type_], share=share) for type_, share in types.shares)


_ORDERED = Mix((("=", 60), ("<", 20), (">", 20)))
_EQUALITY = Mix((("=", 100),))

_TYPES_2002 = Mix((("string", 50), ("int", 50)))
_TEXTUAL_2002 = Mix(
    (("=", 35), ("STARTS WITH", 15), ("ENDS WITH", 15), ("CONTAINS", 15), ("<", 10), (">", 10))
)
_NAMES_2002 = Distribution(1000, Zipf())
_STRINGS_2002 = Distribution(1000, Uniform())
_INTS_2002 = Distribution(100, Uniform())


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario2002:
    """The 2002 paper, section 5.1 and table 1; all ranges are half-open, so c is 1 to 9 and 5 on average.

    The paper gives an average of 10 attributes, which is that of 1 to 19; its table is followed instead.
    Integers are 0 .. D_i-1. Constraint names are drawn with replacement, attribute names without.
    """

    M: int = 100  # messages
    a_l: int = 1  # attributes per message, uniform in [a_l, a_h)
    a_h: int = 19
    I: int  # interfaces, which is also the number of predicates  # noqa: E741 - the paper's symbol
    f_l: int = 1  # filters per interface, uniform in [f_l, f_h)
    f_h: int = 2
    c_l: int = 1  # constraints per filter, uniform in [c_l, c_h)
    c_h: int = 10
    D_a: Distribution = _NAMES_2002  # attribute names: 1000, Zipf
    D_c: Distribution | None = None  # constraint names; None: D_c = D_a, the hardest case
    D_t: Mix[str] = _TYPES_2002  # types, in filters and messages: 50/50
    D_os: Mix[str] = _TEXTUAL_2002  # operators of string constraints: 35/15/15/15/10/10
    D_oi: Mix[str] = _ORDERED  # operators of integer constraints: 60/20/20
    D_s: Distribution = _STRINGS_2002  # string values, in filters and messages: 1000, uniform
    D_i: Distribution = _INTS_2002  # integer values, in filters and messages: 100, uniform

    def shape(self) -> Shape:
        """The paper's generator: each interface draws its number of filters."""
        known = {
            "string": Kind("string", 0, self.D_os, strings(self.D_s.count), self.D_s.weights()),
            "int": Kind("int", 0, self.D_oi, tuple(range(self.D_i.count)), self.D_i.weights()),
        }
        return Shape(
            messages=self.M,
            attributes=range(self.a_l, self.a_h),
            interfaces=self.I,
            filters=range(self.f_l, self.f_h),
            constraints=range(self.c_l, self.c_h),
            attribute_names=_named(self.D_a),
            constraint_names=_named(self.D_c or self.D_a),
            kinds=_kinds(self.D_t, known),
        )


_TYPES_2001 = Mix((("string", 40), ("int", 40), ("bool", 20)))
_BOOLS_2001 = Mix(((True, 50), (False, 50)))
_FALLING = Linear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario2001:
    """The 2001 report, section 4.1 and table 1; AN and CN are closed ranges, as it prints them.

    It leaves open SV and IV (here the sizes of the 2002 paper), how names are weighted (here: not at all),
    which way the linear distribution runs (here: falling), and how F filters fall to I interfaces (here:
    evenly). Integers are 0 .. IV-1. DO asks for order on booleans too, which they do not have: whatever
    operator is drawn, a boolean constraint tests equality, so of all constraints 0.8 x 60% + 20% = 68% do.
    """

    N: int = 1000  # messages
    I: int | None = None  # interfaces; None: I = F, one filter each  # noqa: E741 - the paper's symbol
    F: int  # filters
    AN: tuple[int, int] = (3, 10)  # attributes per message, uniform, both ends included
    CN: tuple[int, int] = (1, 5)  # constraints per filter, uniform, both ends included
    A: int = 1000  # distinct attribute names in messages
    C: int | None = None  # distinct constraint names in filters; None: C = A
    DT: Mix[str] = _TYPES_2001  # types, in filters and messages: 40/40/20
    DO: Mix[str] = _ORDERED  # operators of string and integer constraints: 60/20/20
    SV: int = 1000  # distinct string values
    DSV: Law = _FALLING  # distribution of string values
    IV: int = 100  # distinct integer values
    DIV: Law = _FALLING  # distribution of integer values
    DBV: Mix[bool] = _BOOLS_2001  # distribution of boolean values: 50/50

    def shape(self) -> Shape:
        """The report's generator: a given number of filters in all."""
        known = {
            "string": Kind("string", 0, self.DO, strings(self.SV), self.DSV.weights(self.SV)),
            "int": Kind("int", 0, self.DO, tuple(range(self.IV)), self.DIV.weights(self.IV)),
            "bool": Kind("bool", 0, _EQUALITY, self.DBV.choices(), self.DBV.weights()),
        }
        return Shape(
            messages=self.N,
            attributes=range(self.AN[0], self.AN[1] + 1),
            interfaces=self.F if self.I is None else self.I,
            filters=self.F,
            constraints=range(self.CN[0], self.CN[1] + 1),
            attribute_names=_named(Distribution(self.A)),
            constraint_names=_named(Distribution(self.A if self.C is None else self.C)),
            kinds=_kinds(self.DT, known),
        )
