// The parts of covering, one per kind of attribute: what do constraints on one name say about another one?
//
// Every function answers whether each value of that kind that satisfies all of `known` also satisfies
// `wanted`; where `wanted` is null nothing satisfies it, so the question is whether `known` leaves no value
// at all. Precondition: the constraints look at attributes of that type, and none is `not exists`.
#pragma once

#include <span>
#include <string_view>

#include "penstock/constraint.hpp"

namespace penstock {

using Known = std::span<const ConstraintPtr>;

// Exact: `type` is int_ or float_ (without NaN).
bool numbers_imply(Known known, const Constraint* wanted, Type type);

// A yes is a proof. A no to a single constraint is one too, but for LIKE against a range and for topics with
// wildcards against LIKE, suffix or substring.
bool strings_imply(Known known, const Constraint* wanted);

// A textual operator with its value; all that is needed to compare two of them.
struct TextTest {
    Operator op;
    std::string_view text;
};

// Does every string that passes `given` pass `wanted`? For textual operators only, negated ones included.
// A yes is a proof.
bool text_implies(const TextTest& given, const TextTest& wanted);

}  // namespace penstock
