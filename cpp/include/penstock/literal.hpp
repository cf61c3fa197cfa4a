// Values as written, and whether they fit the operator and the type that they stand with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "penstock/value.hpp"

namespace penstock {

struct Literal {
    Scalar value;
    std::uint32_t at = 0;
};

// `digits` is [+-]decimal[exponent], already known to be well formed, `at` its place in the text.
// Throws FilterError when the number cannot be kept: integers beyond 64 bits, reals beyond the doubles.
Scalar read_integer(std::string_view digits, std::uint32_t at);
Scalar read_real(std::string_view digits, std::uint32_t at);

// An operator as it is applied: what it was called, and the type word in front of the name, if any.
struct Application {
    Operator op;
    std::string_view word;  // "STARTS WITH", ">*"
    std::uint32_t at;
    Type declared = Type::any;  // `any` stands for no type word
    std::uint32_t declared_at = 0;
};

// The type of the constraint, declared or that of the values. Throws FilterError at the misfit.
Type fit(const Application& application, std::span<const Literal> values);

}  // namespace penstock
