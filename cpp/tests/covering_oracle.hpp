// Brute force for the tests of covering: domains are small enough to try every value, and hold the constants
// of the constraints with their neighbours, extensions and concatenations, so that a counterexample, if any,
// is there.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "penstock/covering.hpp"
#include "penstock/evaluate.hpp"

namespace penstock::covering_oracle {

using Values = std::vector<Scalar>;
using Domain = std::vector<std::optional<Scalar>>;  // nullopt: the attribute is absent
using Bits = std::vector<std::uint64_t>;

inline constexpr std::int64_t two53 = std::int64_t{1} << 53U;
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline const std::string nul(1, '\0');
inline const std::string last = "\xF4\x8F\xBF\xBF";  // U+10FFFF
inline const Operator orders[] = {Operator::eq, Operator::ne, Operator::lt,
                                  Operator::ge, Operator::gt, Operator::le};
inline const Operator affixes[] = {Operator::prefix,     Operator::not_prefix, Operator::suffix,
                                   Operator::not_suffix, Operator::substring,  Operator::not_substring};

inline ConstraintPtr on_a(Type type, Operator op, Values values) {
    return make_constraint("a", type, op, std::move(values));
}

inline std::string shown(const Constraint& c) {
    std::ostringstream out;
    out << '[' << name_of(c.type) << ' ' << c.name << ' ' << name_of(c.op);
    for (const Scalar& value : c.values) {
        std::visit([&](const auto& v) { out << " {" << v << '}'; }, value);
    }
    out << ']';
    return out.str();
}

inline std::string shown(const Filter& filter) {
    std::string text;
    for (const auto& c : filter.constraints) text += shown(*c);
    return text;
}

inline std::vector<Attribute> message(const std::optional<Scalar>& a, const std::optional<Scalar>& b = {}) {
    std::vector<Attribute> attributes;
    if (a) attributes.push_back({"a", ValueView::of(*a)});
    if (b) attributes.push_back({"b", ValueView::of(*b)});
    return attributes;
}

inline Bits solutions(const Filter& filter, const Domain& domain) {
    Bits bits((domain.size() + 63) / 64);
    for (std::size_t i = 0; i < domain.size(); ++i) {
        if (matches(filter, message(domain[i]))) bits[i / 64] |= std::uint64_t{1} << i % 64;
    }
    return bits;
}

inline bool within(const Bits& inner, const Bits& outer) {
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i] & ~outer[i]) return false;
    }
    return true;
}

}  // namespace penstock::covering_oracle
