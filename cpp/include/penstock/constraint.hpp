// The model: constraint, filter (conjunction), predicate (disjunction). Immutable, canonical values:
// two that mean the same by construction (order, repetition, 5 and 5.0, IN with one value) are equal.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "penstock/limits.hpp"
#include "penstock/value.hpp"

namespace penstock {

struct Constraint {
    std::string name;
    Type type;
    Operator op;
    // None for exists / not exists, several (sorted, distinct) for in / not in, one otherwise.
    // In the number family a whole value is kept as an int; a float constraint keeps doubles only.
    std::vector<Scalar> values;
};

// Shared, since one constraint may stand in a thousand filters of the same expanded predicate.
using ConstraintPtr = std::shared_ptr<const Constraint>;

struct Filter {
    std::vector<ConstraintPtr> constraints;  // sorted, distinct
};
using FilterPtr = std::shared_ptr<const Filter>;

struct Predicate {
    std::vector<FilterPtr> filters;  // sorted, distinct
};

// The only ways to make these values. They check that name, type, operator and values fit together,
// reduce to the canonical form, and throw FilterError otherwise.
// LIKE without a free wildcard becomes =, prefix, suffix or substring; IN with one value becomes =;
// topic patterns lose their trailing wildcards.
ConstraintPtr make_constraint(std::string name, Type type, Operator op, std::vector<Scalar> values,
                              const Limits& limits = {});
FilterPtr make_filter(std::vector<ConstraintPtr> constraints, const Limits& limits = {});
Predicate make_predicate(std::vector<FilterPtr> filters, const Limits& limits = {});

// The constraint that holds exactly where `constraint` is false (and not where it is unknown).
ConstraintPtr negate(const Constraint& constraint);

// Total orders; 0 means equal.
int compare(const Constraint& a, const Constraint& b);
int compare(const Filter& a, const Filter& b);
int compare(const Predicate& a, const Predicate& b);
inline bool operator==(const Constraint& a, const Constraint& b) {
    return compare(a, b) == 0;
}
inline bool operator==(const Filter& a, const Filter& b) {
    return compare(a, b) == 0;
}
inline bool operator==(const Predicate& a, const Predicate& b) {
    return compare(a, b) == 0;
}

std::size_t hash(const Constraint& constraint);
std::size_t hash(const Filter& filter);
std::size_t hash(const Predicate& predicate);

}  // namespace penstock
