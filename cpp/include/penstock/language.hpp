// Reading and writing filters as text: lexer -> parser (syntax tree) -> normal form -> predicate, and back.
#pragma once

#include <string>
#include <string_view>

#include "penstock/constraint.hpp"
#include "penstock/limits.hpp"

namespace penstock {

// `carrier = 'UA' AND price < 500 OR NOT EXISTS upgrade`. Throws FilterError with a position.
Predicate parse(std::string_view text, const Limits& limits = {});

// Text that parses back to an equal value. An empty filter is TRUE, an empty predicate FALSE.
std::string print(const Constraint& constraint);
std::string print(const Filter& filter);
std::string print(const Predicate& predicate);

// Siena's notation: `[string dest = MXP; int price < 500]`; operators >* (prefix), *< (suffix),
// * (substring), any; filters of a disjunction are separated by `|`.
Predicate parse_siena(std::string_view text, const Limits& limits = {});
std::string print_siena(const Predicate& predicate);

}  // namespace penstock
