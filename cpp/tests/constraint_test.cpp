#include "penstock/constraint.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "penstock/error.hpp"

namespace penstock {
namespace {

using Values = std::vector<Scalar>;
using Code = FilterError::Code;
constexpr std::int64_t two53 = std::int64_t{1} << 53U;

Scalar text(const char* value) {
    return std::string(value);
}

Scalar whole(std::int64_t value) {
    return value;
}

void expect_refused(Code code, const std::string& message, Type type, Operator op, Values values) {
    try {
        make_constraint("a", type, op, std::move(values));
        FAIL() << "expected: " << message;
    } catch (const FilterError& error) {
        EXPECT_EQ(error.code, code);
        EXPECT_EQ(error.message, message);
    }
}

void expect_equal(Type type, Operator op, Values values, Operator reduced_op, Values reduced) {
    const auto made = make_constraint("a", type, op, std::move(values));
    EXPECT_EQ(name_of(made->op), name_of(reduced_op));
    const auto direct = make_constraint("a", type, reduced_op, std::move(reduced));
    EXPECT_TRUE(*made == *direct);
    EXPECT_EQ(hash(*made), hash(*direct));
}

TEST(MakeConstraint, SaysWhatDoesNotFit) {
    const auto type_error = Code::type;
    expect_refused(type_error, "bool has no order; use = or !=", Type::bool_, Operator::lt, {true});
    expect_refused(type_error, "STARTS WITH needs a string, got the number 5", Type::string, Operator::prefix,
                   {whole(5)});
    expect_refused(type_error, "STARTS WITH needs a string, not int", Type::int_, Operator::prefix,
                   {text("x")});
    expect_refused(type_error, "int needs a whole number, got 4.5", Type::int_, Operator::lt, {4.5});
    expect_refused(type_error, "int needs a whole number, got 5.0", Type::int_, Operator::lt, {5.0});
    expect_refused(type_error, "int needs a whole number, got the string 'x'", Type::int_, Operator::eq,
                   {text("x")});
    expect_refused(type_error, "number needs a number, got the bool true", Type::number, Operator::eq,
                   {true});
    expect_refused(type_error, "bool needs true or false, got the number 1", Type::bool_, Operator::eq,
                   {whole(1)});
    expect_refused(type_error, "string needs a string, got the number 0.5", Type::string, Operator::eq,
                   {0.5});
    expect_refused(type_error, "NaN is not a value that a filter can ask for", Type::number, Operator::eq,
                   {std::numeric_limits<double>::quiet_NaN()});
    expect_refused(type_error, "the number 9007199254740993 has no exact float", Type::float_, Operator::eq,
                   {whole(two53 + 1)});
}

TEST(MakeConstraint, CountsValues) {
    expect_refused(Code::type, "EXISTS takes no value", Type::any, Operator::exists, {whole(1)});
    expect_refused(Code::type, "IN needs at least one value", Type::number, Operator::in, {});
    expect_refused(Code::type, "= needs a value", Type::number, Operator::eq, {});
    expect_refused(Code::type, "< takes one value, got 2", Type::number, Operator::lt, {whole(1), whole(2)});
    expect_refused(Code::type, "IN lists values of one type, got the number 1 and the string 'x'",
                   Type::number, Operator::in, {whole(1), text("x")});
    expect_refused(Code::limit, "IN lists 10,001 values (limit 10,000)", Type::number, Operator::in,
                   Values(10001, whole(1)));
}

TEST(MakeConstraint, KeepsTypeAnyForPresence) {
    expect_refused(Code::type, "= needs a type; only EXISTS takes any", Type::any, Operator::eq, {whole(1)});
    expect_refused(Code::type, "NOT EXISTS asks for absence and takes no type, got int", Type::int_,
                   Operator::not_exists, {});
    EXPECT_EQ(make_constraint("a", Type::int_, Operator::exists, {})->type, Type::int_);
    EXPECT_TRUE(make_constraint("a", Type::any, Operator::not_exists, {})->values.empty());
}

TEST(MakeConstraint, BoundsNamesAndStrings) {
    const std::string longest(max_string_bytes, 'x');
    EXPECT_EQ(make_constraint(longest, Type::string, Operator::eq, {longest})->name, longest);
    expect_refused(Code::limit, "the value for 'a' has 65,537 bytes (limit 65,536)", Type::string,
                   Operator::eq, {longest + "x"});
    EXPECT_THROW(make_constraint(longest + "x", Type::any, Operator::exists, {}), FilterError);
    EXPECT_THROW(make_constraint("", Type::any, Operator::exists, {}), FilterError);
}

TEST(MakeConstraint, ClipsLongStringsInMessagesBetweenCharacters) {
    std::string accents;
    for (int i = 0; i < 21; ++i) accents += "é";
    std::string shown;
    for (int i = 0; i < 20; ++i) shown += "é";
    expect_refused(Code::type, "int needs a whole number, got the string '" + shown + "…'", Type::int_,
                   Operator::eq, {accents});
    // Now a character lies across the cut.
    expect_refused(Code::type, "int needs a whole number, got the string 'x" + shown.substr(2) + "…'",
                   Type::int_, Operator::eq, {"x" + accents});
}

TEST(Canonical, NumbersOfEqualValueAreOne) {
    expect_equal(Type::number, Operator::lt, {5.0}, Operator::lt, {whole(5)});
    expect_equal(Type::number, Operator::eq, {-0.0}, Operator::eq, {whole(0)});
    expect_equal(Type::float_, Operator::eq, {whole(5)}, Operator::eq, {5.0});
    expect_equal(Type::number, Operator::in, {whole(7), 5.0, whole(5), 7.0}, Operator::in,
                 {whole(5), whole(7)});
    EXPECT_TRUE(std::holds_alternative<std::int64_t>(
        make_constraint("a", Type::number, Operator::eq, {-9223372036854775808.0})->values[0]));
    EXPECT_TRUE(std::holds_alternative<double>(
        make_constraint("a", Type::number, Operator::eq, {9223372036854775808.0})->values[0]));
    EXPECT_TRUE(std::holds_alternative<double>(
        make_constraint("a", Type::float_, Operator::eq, {whole(5)})->values[0]));
}

TEST(Canonical, SetsAreSortedAndOneValueIsEquality) {
    expect_equal(Type::string, Operator::in, {text("b"), text("a"), text("b")}, Operator::in,
                 {text("a"), text("b")});
    expect_equal(Type::string, Operator::in, {text("b"), text("b")}, Operator::eq, {text("b")});
    expect_equal(Type::bool_, Operator::not_in, {true}, Operator::ne, {true});
}

TEST(Canonical, LikeIsReducedWhereItIsSimpler) {
    const auto like = [](const char* pattern, Operator op, const char* rest) {
        expect_equal(Type::string, Operator::like, {text(pattern)}, op, {text(rest)});
        expect_equal(Type::string, Operator::not_like, {text(pattern)}, negate(op), {text(rest)});
    };
    like("ab", Operator::eq, "ab");
    like("", Operator::eq, "");
    like("ab%", Operator::prefix, "ab");
    like("%%ab", Operator::suffix, "ab");
    like("%ab%%", Operator::substring, "ab");
    like("%", Operator::prefix, "");
    like("%%", Operator::prefix, "");
    like("a%%b", Operator::like, "a%b");
    like("_", Operator::like, "_");
    like("%a%b%", Operator::like, "%a%b%");
}

TEST(Canonical, TopicsLoseTrailingWildcards) {
    expect_equal(Type::string, Operator::topic, {text("a/*/*")}, Operator::topic, {text("a")});
}

TEST(Negate, IsItsOwnInverse) {
    const auto c = make_constraint("a", Type::number, Operator::lt, {whole(5)});
    EXPECT_EQ(negate(*c)->op, Operator::ge);
    EXPECT_TRUE(*negate(*negate(*c)) == *c);
    EXPECT_THROW(negate(*make_constraint("a", Type::int_, Operator::exists, {})), FilterError);
}

ConstraintPtr equals(const char* name, std::int64_t value) {
    return make_constraint(name, Type::number, Operator::eq, {whole(value)});
}

TEST(MakeFilter, IsASetOfConstraints) {
    const auto f = make_filter({equals("b", 1), equals("a", 2), equals("b", 1)});
    const auto g = make_filter({equals("a", 2), equals("b", 1)});
    EXPECT_EQ(f->constraints.size(), 2U);
    EXPECT_TRUE(*f == *g);
    EXPECT_EQ(hash(*f), hash(*g));
    EXPECT_FALSE(*f == *make_filter({equals("a", 2)}));
}

TEST(MakeFilter, ChecksTheLimitAfterRemovingRepetitions) {
    Limits limits;
    limits.constraints = 1;
    EXPECT_NO_THROW(make_filter({equals("a", 1), equals("a", 1)}, limits));
    EXPECT_THROW(make_filter({equals("a", 1), equals("a", 2)}, limits), FilterError);
}

TEST(MakePredicate, IsASetOfFilters) {
    const auto f = make_filter({equals("a", 1)});
    const auto g = make_filter({equals("a", 2)});
    const auto p = make_predicate({g, f, make_filter({equals("a", 1)})});
    EXPECT_EQ(p.filters.size(), 2U);
    EXPECT_TRUE(p == make_predicate({f, g}));
    EXPECT_EQ(hash(p), hash(make_predicate({f, g})));
    Limits limits;
    limits.filters = 1;
    EXPECT_THROW(make_predicate({f, g}, limits), FilterError);
}

TEST(Compare, TellsConstraintsApartByEveryPart) {
    const auto base = make_constraint("a", Type::number, Operator::lt, {whole(5)});
    for (const auto& other : {make_constraint("b", Type::number, Operator::lt, {whole(5)}),
                              make_constraint("a", Type::int_, Operator::lt, {whole(5)}),
                              make_constraint("a", Type::number, Operator::le, {whole(5)}),
                              make_constraint("a", Type::number, Operator::lt, {whole(6)})}) {
        EXPECT_NE(compare(*base, *other), 0);
        EXPECT_EQ(compare(*base, *other), -compare(*other, *base));
        EXPECT_NE(hash(*base), hash(*other));
    }
}

}  // namespace
}  // namespace penstock
