// Syntax tree -> disjunctive normal form. NOT is pushed to the leaves in three-valued logic; the size of
// the result is computed before anything is expanded, so that no text can ask for too much work.
#pragma once

#include "penstock/limits.hpp"
#include "penstock/syntax.hpp"

namespace penstock {

Predicate normal_form(Syntax syntax, const Limits& limits);

}  // namespace penstock
