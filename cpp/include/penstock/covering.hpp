// Covering: f covers g when every message that matches g matches f. A `true` is a proof;
// a `false` may also mean "not sure" (that costs traffic, a wrong `true` would lose messages).
#pragma once

#include "penstock/constraint.hpp"

namespace penstock {

bool covers(const Filter& f, const Filter& g);
bool covers(const Predicate& p, const Predicate& q);

}  // namespace penstock
