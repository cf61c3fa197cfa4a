#include "penstock/evaluate.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace penstock {
namespace {

constexpr std::int64_t two53 = std::int64_t{1} << 53U;
constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

bool holds(const Scalar& value, Type type, Operator op, std::vector<Scalar> values) {
    return satisfies(ValueView::of(value), *make_constraint("a", type, op, std::move(values)));
}

bool text_holds(const char* value, Operator op, const char* operand) {
    const bool result = holds(std::string(value), Type::string, op, {std::string(operand)});
    EXPECT_NE(result, holds(std::string(value), Type::string, negate(op), {std::string(operand)}));
    return result;
}

TEST(Satisfies, ComparesNumbersExactly) {
    EXPECT_FALSE(holds(two53 + 1, Type::number, Operator::eq, {9007199254740992.0}));
    EXPECT_TRUE(holds(9007199254740992.0, Type::number, Operator::lt, {two53 + 1}));
    EXPECT_TRUE(holds(INT64_MAX, Type::number, Operator::lt, {9223372036854775808.0}));
    EXPECT_TRUE(holds(-0.0, Type::number, Operator::eq, {std::int64_t{0}}));
    EXPECT_TRUE(holds(infinity, Type::number, Operator::gt, {INT64_MAX}));
    EXPECT_TRUE(holds(infinity, Type::float_, Operator::eq, {infinity}));
}

TEST(Satisfies, IsStrictAboutTypes) {
    EXPECT_FALSE(holds(5.0, Type::int_, Operator::eq, {std::int64_t{5}}));
    EXPECT_FALSE(holds(std::int64_t{5}, Type::float_, Operator::eq, {5.0}));
    EXPECT_TRUE(holds(5.0, Type::number, Operator::eq, {std::int64_t{5}}));
    EXPECT_FALSE(holds(std::string("5"), Type::number, Operator::eq, {std::int64_t{5}}));
    EXPECT_FALSE(holds(true, Type::number, Operator::eq, {std::int64_t{1}}));
    EXPECT_FALSE(holds(std::string("5"), Type::number, Operator::ne, {std::int64_t{5}}));
}

TEST(Satisfies, LetsNanOnlyExist) {
    EXPECT_TRUE(holds(nan, Type::any, Operator::exists, {}));
    EXPECT_TRUE(holds(nan, Type::float_, Operator::exists, {}));
    EXPECT_TRUE(holds(nan, Type::number, Operator::exists, {}));
    EXPECT_FALSE(holds(nan, Type::int_, Operator::exists, {}));
    for (const Operator op : {Operator::eq, Operator::ne, Operator::lt, Operator::ge, Operator::gt,
                              Operator::le, Operator::in, Operator::not_in}) {
        EXPECT_FALSE(holds(nan, Type::number, op, {std::int64_t{1}})) << name_of(op);
    }
}

TEST(Satisfies, ComparesStringsByCodePoint) {
    EXPECT_TRUE(text_holds("z", Operator::lt, "é"));
    EXPECT_TRUE(text_holds("\xEF\xBF\xBF", Operator::lt, "😀"));
    EXPECT_TRUE(text_holds("a", Operator::lt, "ab"));
    EXPECT_FALSE(text_holds("a", Operator::gt, "a"));
}

TEST(Satisfies, KnowsTheTextOperators) {
    EXPECT_TRUE(text_holds("abc", Operator::prefix, "ab"));
    EXPECT_TRUE(text_holds("abc", Operator::suffix, "bc"));
    EXPECT_TRUE(text_holds("abc", Operator::substring, "b"));
    EXPECT_FALSE(text_holds("abc", Operator::prefix, "abcd"));
    EXPECT_TRUE(text_holds("abc", Operator::substring, ""));
    EXPECT_TRUE(text_holds("abc", Operator::like, "_b%"));
    EXPECT_TRUE(text_holds("a/b/c", Operator::topic, "a/*/c"));
}

TEST(Satisfies, FindsMembersOfSets) {
    const std::vector<Scalar> odd = {std::int64_t{1}, std::int64_t{3}, 4.5, std::int64_t{5}};
    EXPECT_TRUE(holds(3.0, Type::number, Operator::in, odd));
    EXPECT_TRUE(holds(4.5, Type::number, Operator::in, odd));
    EXPECT_FALSE(holds(std::int64_t{4}, Type::number, Operator::in, odd));
    EXPECT_TRUE(holds(std::int64_t{6}, Type::number, Operator::not_in, odd));
    EXPECT_TRUE(holds(false, Type::bool_, Operator::in, {true, false}));
    EXPECT_TRUE(holds(std::string("b"), Type::string, Operator::in, {std::string("a"), std::string("b")}));
}

TEST(Matches, FollowsTheDefinitionOfFilterAndPredicate) {
    const auto price = make_constraint("price", Type::number, Operator::lt, {std::int64_t{500}});
    const auto no_upgrade = make_constraint("upgrade", Type::any, Operator::not_exists, {});
    const auto filter = make_filter({price, no_upgrade});
    const std::vector<Attribute> cheap = {{"price", ValueView::of(std::int64_t{400})}};
    const std::vector<Attribute> dear = {{"price", ValueView::of(std::int64_t{600})}};
    const std::vector<Attribute> upgraded = {{"price", ValueView::of(400.0)},
                                             {"upgrade", ValueView::of(nan)}};
    EXPECT_TRUE(matches(*filter, cheap));
    EXPECT_FALSE(matches(*filter, dear));
    EXPECT_FALSE(matches(*filter, upgraded));
    EXPECT_FALSE(matches(*filter, {}));
    EXPECT_TRUE(matches(*make_filter({}), dear));
    EXPECT_FALSE(matches(make_predicate({}), cheap));
    EXPECT_TRUE(matches(make_predicate({filter, make_filter({price})}), upgraded));
}

}  // namespace
}  // namespace penstock
