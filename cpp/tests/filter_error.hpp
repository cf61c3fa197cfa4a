// The error that a text is refused with.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "penstock/error.hpp"
#include "penstock/language.hpp"

namespace penstock {

template <typename Read>
FilterError error_from(std::string_view text, const Limits& limits, Read read) {
    try {
        read(text, limits);
    } catch (const FilterError& error) {
        EXPECT_TRUE(error.at.has_value()) << error.message;
        EXPECT_LE(error.at.value_or(0), text.size()) << error.message;
        return error;
    }
    ADD_FAILURE() << "accepted: " << text.substr(0, 200);
    return {FilterError::Code::syntax, "accepted"};
}

inline FilterError error_of(std::string_view text, const Limits& limits = {}) {
    return error_from(text, limits, parse);
}

inline FilterError siena_error_of(std::string_view text, const Limits& limits = {}) {
    return error_from(text, limits, parse_siena);
}

// One row of a table of refusals: `mark` is the place in the text (counted in bytes) that the error points
// at.
struct Refusal {
    std::string_view text;
    FilterError::Code code;
    std::size_t mark;
    std::string message;
    std::string hint = {};
    std::string expected = {};
};

inline void expect_refused(const FilterError& error, const Refusal& refusal) {
    EXPECT_EQ(error.code, refusal.code) << refusal.text;
    EXPECT_EQ(error.message, refusal.message) << refusal.text;
    EXPECT_EQ(error.at, refusal.mark) << refusal.text;
    EXPECT_EQ(error.hint, refusal.hint) << refusal.text;
    EXPECT_EQ(error.expected, refusal.expected) << refusal.text;
}

}  // namespace penstock
