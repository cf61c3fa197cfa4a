// One exact axis for 64-bit integers and doubles.
//
// A number is kept as the nearest double plus the residual that rounding lost: value = rounded + residual.
// Rounding is monotone, so comparing the pairs lexicographically compares the exact values;
// 2^53 + 1 is never taken for 2^53. NaN has no place on the axis.
#pragma once

#include <compare>
#include <cstdint>

namespace penstock {

struct Number {
    double rounded = 0;
    std::int32_t residual = 0;

    static constexpr Number from_int(std::int64_t value) {
        const auto rounded = static_cast<double>(value);
        // 2^63 itself is a double but not an int64, so the largest integers need care.
        constexpr double two63 = 9223372036854775808.0;
        if (rounded >= two63) {
            return {rounded, static_cast<std::int32_t>(value - INT64_MAX) - 1};
        }
        return {rounded, static_cast<std::int32_t>(value - static_cast<std::int64_t>(rounded))};
    }

    // -0.0 becomes 0.0, so that equal numbers have equal bits.
    static constexpr Number from_double(double value) { return {value + 0.0, 0}; }

    friend constexpr bool operator==(const Number&, const Number&) = default;
    friend constexpr std::strong_ordering operator<=>(const Number& a, const Number& b) {
        if (a.rounded < b.rounded) return std::strong_ordering::less;
        if (a.rounded > b.rounded) return std::strong_ordering::greater;
        return a.residual <=> b.residual;
    }
};

}  // namespace penstock
