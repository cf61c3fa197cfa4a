#include "penstock/number.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace penstock {
namespace {

constexpr std::int64_t two53 = std::int64_t{1} << 53U;
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Number, KeepsIntegersApartThatRoundToTheSameDouble) {
    EXPECT_LT(Number::from_int(two53), Number::from_int(two53 + 1));
    EXPECT_NE(Number::from_int(two53 + 1), Number::from_double(9007199254740992.0));
    EXPECT_EQ(Number::from_int(two53), Number::from_double(9007199254740992.0));
}

TEST(Number, PlacesTheLargestIntegerBelowTwoToThe63) {
    EXPECT_LT(Number::from_int(INT64_MAX), Number::from_double(9223372036854775808.0));
    EXPECT_LT(Number::from_int(INT64_MAX - 1), Number::from_int(INT64_MAX));
    EXPECT_EQ(Number::from_int(INT64_MIN), Number::from_double(-9223372036854775808.0));
}

TEST(Number, MergesTheTwoZeros) {
    EXPECT_EQ(Number::from_double(-0.0), Number::from_int(0));
    EXPECT_FALSE(std::signbit(Number::from_double(-0.0).rounded));
}

TEST(Number, OrdersAMixedAxis) {
    const std::vector<Number> ascending = {
        Number::from_double(-infinity),
        Number::from_int(INT64_MIN),
        Number::from_int(-two53 - 1),
        Number::from_double(-9007199254740992.0),
        Number::from_double(-0.5),
        Number::from_int(0),
        Number::from_double(5e-324),
        Number::from_double(0.5),
        Number::from_int(1),
        Number::from_int(two53 - 1),
        Number::from_int(two53),
        Number::from_int(two53 + 1),
        Number::from_int(two53 + 2),
        Number::from_int(INT64_MAX),
        Number::from_double(std::ldexp(1, 63)),
        Number::from_double(infinity),
    };
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            EXPECT_EQ(ascending[i] < ascending[j], i < j) << i << ' ' << j;
            EXPECT_EQ(ascending[i] == ascending[j], i == j) << i << ' ' << j;
        }
    }
}

}  // namespace
}  // namespace penstock
