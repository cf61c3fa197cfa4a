// Does one value satisfy one constraint? The meaning of every operator in one place.
#pragma once

#include "penstock/constraint.hpp"

namespace penstock {

// For a present attribute of the constraint's name. `not exists` is false: the attribute is there.
bool satisfies(const ValueView& value, const Constraint& constraint);

// The plain definition, without any index: what the engines must agree with.
bool matches(const Filter& filter, MessageView message);
bool matches(const Predicate& predicate, MessageView message);

}  // namespace penstock
