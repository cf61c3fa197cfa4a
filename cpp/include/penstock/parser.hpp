// Tokens -> syntax tree, by recursive descent: NOT binds before AND before OR.
// Everything that nests counts against the depth limit, so no text can exhaust the stack.
#pragma once

#include <string_view>

#include "penstock/limits.hpp"
#include "penstock/syntax.hpp"

namespace penstock {

// Throws FilterError when the text is longer than allowed.
void check_text(std::string_view text, const Limits& limits);

Syntax parse_syntax(std::string_view text, const Limits& limits);

}  // namespace penstock
