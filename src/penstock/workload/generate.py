"""Filters and messages from a scenario and a seed: the same texts for the same pair, always.

All drawing is done on whole arrays; a text is then the concatenation of ready-made fragments (a head such as
`int price < ` and a tail such as `42 AND `), gathered by the drawn indices. No loop runs over constraints.
"""

import numpy as np
from numpy.typing import NDArray

from penstock.workload.distribution import Floats, Ints, draw, draw_range
from penstock.workload.scenario import Scenario, Scenario2002
from penstock.workload.shape import Kind, Shape

__all__ = ["filters", "messages", "sized"]

Objects = NDArray[np.object_]

# Filters and messages of one seed come from separate streams: neither depends on the size of the other.
_FILTERS, _MESSAGES = 0, 1
# Fragments held at once while texts are joined; bounds the memory beyond the result itself.
_FILTERS_AT_ONCE = 1 << 16


def filters(scenario: Scenario, seed: int) -> tuple[list[str], list[str]]:
    """The interface and the text of every filter, in step; interfaces are i0, i1, ..."""
    shape = scenario.shape()
    rng = _stream(seed, _FILTERS)
    owned = _filters_per_interface(shape, rng)
    interfaces: list[str] = np.repeat(_objects([f"i{n}" for n in range(shape.interfaces)]), owned).tolist()
    lengths = draw_range(rng, shape.constraints, len(interfaces))
    total = int(lengths.sum())
    words, weights = shape.constraint_names
    name = draw(rng, weights, total)
    forms = [(kind, operator) for kind in shape.kinds for operator in kind.operators.choices()]
    heads = _objects([f"{kind.type} {word} {operator} " for kind, operator in forms for word in words])
    kind = draw(rng, _kind_weights(shape), total)
    form = _draw_by_kind(rng, kind, [k.operators.weights() for k in shape.kinds])
    value = _draw_by_kind(rng, kind, [k.weights for k in shape.kinds])
    return interfaces, _texts(heads, form * len(words) + name, _literals(shape.kinds), value, lengths)


def messages(scenario: Scenario, seed: int) -> list[dict[str, str | int | bool]]:
    """The messages; names are distinct within one, and the type of a name is drawn anew in each."""
    shape = scenario.shape()
    rng = _stream(seed, _MESSAGES)
    lengths = draw_range(rng, shape.attributes, shape.messages)
    words, weights = shape.attribute_names
    name = _distinct_ranks(rng, weights, lengths)
    kind = draw(rng, _kind_weights(shape), len(name))
    value = _draw_by_kind(rng, kind, [k.weights for k in shape.kinds])
    named = _objects(words)[name].tolist()
    valued = _objects([v for k in shape.kinds for v in k.values])[value].tolist()
    ends = np.cumsum(lengths).tolist()
    return [
        dict(zip(named[end - length : end], valued[end - length : end], strict=True))
        for end, length in zip(ends, lengths.tolist(), strict=True)
    ]


def sized(constraints: int, interfaces: int | None, seed: int) -> Scenario2002:
    """The 2002 scenario of about so many constraints in all, on so many interfaces; None: one filter each.

    As in the paper, f_l stays 1 and f_h varies. With few interfaces their filter counts would miss the total
    by a tenth or more, so f_h is solved for the very draws that `filters` makes with this seed.
    """
    each = Scenario2002(I=1)
    wanted = constraints * 2 / (each.c_l + each.c_h - 1)
    if interfaces is None:
        return Scenario2002(I=max(1, round(wanted)))
    # A count is f_l plus the whole part of a draw times the width; the whole part loses a half on average.
    draws = _stream(seed, _FILTERS).random(interfaces)
    width = round((wanted - interfaces / 2) / float(draws.sum()))
    return Scenario2002(I=interfaces, f_h=each.f_l + max(1, width))


def _stream(seed: int, purpose: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([seed, purpose]))


def _filters_per_interface(shape: Shape, rng: np.random.Generator) -> Ints:
    if isinstance(shape.filters, int):
        base, left = divmod(shape.filters, shape.interfaces)
        return base + (np.arange(shape.interfaces) < left).astype(np.int64)
    return draw_range(rng, shape.filters, shape.interfaces)


def _kind_weights(shape: Shape) -> Floats:
    return np.array([kind.share for kind in shape.kinds], dtype=np.float64)


def _draw_by_kind(rng: np.random.Generator, kind: Ints, weights: list[Floats]) -> Ints:
    """One draw for each element by the weights of its kind, as a rank in the concatenation of all kinds."""
    ranks = np.empty_like(kind)
    first = 0
    for number, own in enumerate(weights):
        chosen = np.flatnonzero(kind == number)
        ranks[chosen] = first + draw(rng, own, len(chosen))
        first += len(own)
    return ranks


def _distinct_ranks(rng: np.random.Generator, weights: Floats, lengths: Ints) -> Ints:
    """For each message its number of ranks, none twice.

    The smallest of exponential variates with these rates, in order, are distributed exactly as ranks drawn
    one after the other, a repeated one being drawn again; and need no loop.
    """
    rows = max(1, (1 << 20) // len(weights))
    parts = [np.empty(0, np.int64)]
    for start in range(0, len(lengths), rows):
        wanted = lengths[start : start + rows]
        arrival = -np.log1p(-rng.random((len(wanted), len(weights)))) / weights
        order = np.argsort(arrival, axis=1, kind="stable")
        parts.append(order[np.arange(len(weights)) < wanted[:, None]])
    return np.concatenate(parts)


def _literals(kinds: tuple[Kind, ...]) -> list[str]:
    return [_literal(value) for kind in kinds for value in kind.values]


def _literal(value: str | int | bool) -> str:
    if isinstance(value, str):
        return f"'{value}'"
    return str(value).lower()


def _texts(heads: Objects, head: Ints, literals: list[str], value: Ints, lengths: Ints) -> list[str]:
    """One text for each filter: its heads and tails in turn, the last tail ending the text."""
    tails = _objects([f"{literal} AND " for literal in literals] + [f"{literal}\n" for literal in literals])
    ends = np.cumsum(lengths)
    tail = value.copy()
    tail[ends - 1] += len(literals)
    texts: list[str] = []
    start = 0
    for last in range(_FILTERS_AT_ONCE, len(ends) + _FILTERS_AT_ONCE, _FILTERS_AT_ONCE):
        end = int(ends[min(last, len(ends)) - 1])
        fragments = np.empty(2 * (end - start), dtype=np.object_)
        fragments[0::2] = heads[head[start:end]]
        fragments[1::2] = tails[tail[start:end]]
        # One join and one split for many filters: the same texts as a join for each, in half the time.
        texts += "".join(fragments.tolist()).splitlines()
        start = end
    return texts


def _objects(items: list[str] | list[str | int | bool] | tuple[str, ...]) -> Objects:
    array = np.empty(len(items), dtype=np.object_)
    array[:] = items
    return array
