// One condition on one attribute: `price < 500`, `int n NOT BETWEEN 1 AND 5`, `EXISTS upgrade`.
#pragma once

#include <array>
#include <cstdint>

#include "penstock/constraint.hpp"
#include "penstock/lexer.hpp"

namespace penstock {

struct Condition {
    std::uint32_t at;
    // Both must hold when there are two (BETWEEN).
    std::array<ConstraintPtr, 2> constraints;
    std::uint8_t count = 1;
    // True where only the normal form can say what NOT means: for a pair, and for absence.
    bool negated = false;
};

// Reads past the condition that starts at the lexer's token, which is EXISTS or a name.
Condition read_condition(Lexer& lexer, const Limits& limits);

}  // namespace penstock
