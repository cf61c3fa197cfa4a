// What the text language accepts, and what it means.
#include "penstock/language.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/evaluate.hpp"

namespace penstock {
namespace {

// Parsed and printed: the canonical text.
std::string canonical(std::string_view text) {
    return print(parse(text));
}

ConstraintPtr only(std::string_view text) {
    const Predicate predicate = parse(text);
    EXPECT_EQ(predicate.filters.size(), 1U) << text;
    EXPECT_EQ(predicate.filters.at(0)->constraints.size(), 1U) << text;
    return predicate.filters.at(0)->constraints.at(0);
}

TEST(Language, ReadsTheComparisonOperators) {
    EXPECT_EQ(only("a = 1")->op, Operator::eq);
    EXPECT_EQ(only("a == 1")->op, Operator::eq);
    EXPECT_EQ(only("a != 1")->op, Operator::ne);
    EXPECT_EQ(only("a <> 1")->op, Operator::ne);
    EXPECT_EQ(only("a < 1")->op, Operator::lt);
    EXPECT_EQ(only("a <= 1")->op, Operator::le);
    EXPECT_EQ(only("a > 1")->op, Operator::gt);
    EXPECT_EQ(only("a>=1")->op, Operator::ge);
}

TEST(Language, ReadsTheOperatorsThatAreWords) {
    EXPECT_EQ(only("a STARTS WITH 'x'")->op, Operator::prefix);
    EXPECT_EQ(only("a NOT STARTS WITH 'x'")->op, Operator::not_prefix);
    EXPECT_EQ(only("a ENDS WITH 'x'")->op, Operator::suffix);
    EXPECT_EQ(only("a NOT ENDS WITH 'x'")->op, Operator::not_suffix);
    EXPECT_EQ(only("a CONTAINS 'x'")->op, Operator::substring);
    EXPECT_EQ(only("a NOT CONTAINS 'x'")->op, Operator::not_substring);
    EXPECT_EQ(only("a LIKE 'x_'")->op, Operator::like);
    EXPECT_EQ(only("a NOT LIKE 'x_'")->op, Operator::not_like);
    EXPECT_EQ(only("a TOPIC 'x/y'")->op, Operator::topic);
    EXPECT_EQ(only("a NOT TOPIC 'x/y'")->op, Operator::not_topic);
    EXPECT_EQ(only("a IN (1, 2)")->op, Operator::in);
    EXPECT_EQ(only("a NOT IN (1, 2)")->op, Operator::not_in);
}

TEST(Language, ReadsPresenceAndAbsence) {
    for (const char* text :
         {"EXISTS a", "EXISTS (a)", "a IS NOT NULL", "NOT a IS NULL", "NOT NOT EXISTS a"}) {
        EXPECT_EQ(canonical(text), "EXISTS a") << text;
    }
    for (const char* text : {"NOT EXISTS a", "NOT EXISTS (a)", "a IS NULL", "NOT (a IS NOT NULL)"}) {
        EXPECT_EQ(canonical(text), "NOT EXISTS a") << text;
    }
}

TEST(Language, ReadsKeywordsInAnyCase) {
    EXPECT_EQ(canonical("a starts With 'x' aNd NOT b iN (1, 2) or Exists c"),
              canonical("a STARTS WITH 'x' AND NOT b IN (1, 2) OR EXISTS c"));
    EXPECT_EQ(canonical("a = TRUE"), "a = true");
    EXPECT_EQ(canonical("INT a = 1"), "int a = 1");
}

TEST(Language, NotBindsBeforeAndBeforeOr) {
    EXPECT_EQ(canonical("NOT a = 1 AND b = 2 OR c = 3"), canonical("((NOT (a = 1)) AND (b = 2)) OR (c = 3)"));
    EXPECT_EQ(canonical("c = 3 OR NOT a = 1 AND b = 2"), "a != 1 AND b = 2 OR c = 3");
}

TEST(Language, PushesNotToTheLeaves) {
    EXPECT_EQ(canonical("NOT (a = 1 AND b < 2)"), "a != 1 OR b >= 2");
    EXPECT_EQ(canonical("NOT (a = 1 OR b < 2)"), "a != 1 AND b >= 2");
    EXPECT_EQ(canonical("NOT NOT a = 1"), "a = 1");
    EXPECT_EQ(canonical("NOT a NOT IN (1, 2)"), "a IN (1, 2)");
    EXPECT_EQ(canonical("NOT a LIKE '%'"), "a NOT STARTS WITH ''");
}

TEST(Language, BetweenIsARangeAndItsNegationADisjunction) {
    EXPECT_EQ(canonical("a BETWEEN 1 AND 5"), canonical("a >= 1 AND a <= 5"));
    EXPECT_EQ(canonical("a NOT BETWEEN 1 AND 5"), "a < 1 OR a > 5");
    EXPECT_EQ(canonical("NOT a BETWEEN 1 AND 5"), "a < 1 OR a > 5");
    EXPECT_EQ(canonical("NOT a NOT BETWEEN 1 AND 5"), canonical("a BETWEEN 1 AND 5"));
    EXPECT_EQ(canonical("a BETWEEN 1 AND 5 AND b = 2"), canonical("(a BETWEEN 1 AND 5) AND b = 2"));
    EXPECT_EQ(canonical("int a NOT BETWEEN 1 AND 5"), "int a < 1 OR int a > 5");
    EXPECT_EQ(canonical("a BETWEEN 'x' AND 'y'"), canonical("a >= 'x' AND a <= 'y'"));
}

TEST(Language, MultipliesOut) {
    EXPECT_EQ(canonical("(a = 1 OR b = 2) AND (c = 3 OR d = 4)"),
              "a = 1 AND c = 3 OR a = 1 AND d = 4 OR b = 2 AND c = 3 OR b = 2 AND d = 4");
    EXPECT_EQ(canonical("x = 0 AND (a = 1 OR (b = 2 AND (c = 3 OR d = 4)))"),
              "a = 1 AND x = 0 OR b = 2 AND c = 3 AND x = 0 OR b = 2 AND d = 4 AND x = 0");
}

TEST(Language, TrueIsTheEmptyFilterAndFalseTheEmptyPredicate) {
    EXPECT_EQ(parse("TRUE").filters.size(), 1U);
    EXPECT_TRUE(parse("TRUE").filters[0]->constraints.empty());
    EXPECT_TRUE(parse("FALSE").filters.empty());
    EXPECT_EQ(canonical("NOT TRUE"), "FALSE");
    EXPECT_EQ(canonical("NOT FALSE"), "TRUE");
    EXPECT_EQ(canonical("TRUE AND a = 1"), "a = 1");
    EXPECT_EQ(canonical("FALSE AND a = 1"), "FALSE");
    EXPECT_EQ(canonical("FALSE OR a = 1"), "a = 1");
    EXPECT_EQ(canonical("NOT (TRUE AND a = 1)"), "a != 1");
    EXPECT_EQ(parse("TRUE OR a = 1").filters.size(), 2U);
}

TEST(Language, NamesMayHaveDotsDigitsAndAnyLetters) {
    EXPECT_EQ(only("detail.state_2.x9 = 1")->name, "detail.state_2.x9");
    EXPECT_EQ(only("_a.5 = 1")->name, "_a.5");
    EXPECT_EQ(only("größe.日本 = 1")->name, "größe.日本");
    EXPECT_EQ(only("Price = 1")->name, "Price");
    EXPECT_EQ(only("inf = 1")->name, "inf");
}

TEST(Language, BackticksQuoteAnyName) {
    EXPECT_EQ(only("`a b` = 1")->name, "a b");
    EXPECT_EQ(only("`we``ird..` = 1")->name, "we`ird..");
    EXPECT_EQ(only("`and` = 1")->name, "and");
    EXPECT_EQ(only("EXISTS `'`")->name, "'");
    EXPECT_EQ(only(std::string("`a\0b` = 1", 9))->name, std::string("a\0b", 3));
}

TEST(Language, StringsTakeEitherQuoteAndDoubleItToEscape) {
    const auto value = [](std::string_view text) { return std::get<std::string>(only(text)->values[0]); };
    EXPECT_EQ(value("a = 'it''s'"), "it's");
    EXPECT_EQ(value("a = \"say \"\"hi\"\"\""), "say \"hi\"");
    EXPECT_EQ(value("a = \"it's\""), "it's");
    EXPECT_EQ(value("a = ''"), "");
    EXPECT_EQ(value("a = ''''"), "'");
    EXPECT_EQ(value("a = 'two\nlines'"), "two\nlines");
    EXPECT_EQ(value(std::string_view("a = 'x\0y'", 9)), std::string("x\0y", 3));
}

TEST(Language, ATypeWordIsATypeOnlyInFrontOfAName) {
    EXPECT_EQ(only("int price < 500")->type, Type::int_);
    EXPECT_EQ(only("float price < 500")->type, Type::float_);
    EXPECT_EQ(only("number price < 500")->type, Type::number);
    EXPECT_EQ(only("string a = 'x'")->type, Type::string);
    EXPECT_EQ(only("bool a = true")->type, Type::bool_);
    EXPECT_EQ(only("int < 5")->name, "int");
    EXPECT_EQ(only("int < 5")->type, Type::number);
    EXPECT_EQ(only("int int < 5")->name, "int");
    EXPECT_EQ(only("int int < 5")->type, Type::int_);
    EXPECT_EQ(only("int `int` < 5")->type, Type::int_);
    EXPECT_EQ(only("string CONTAINS 'x'")->name, "string");
    EXPECT_EQ(only("Number IS NULL")->name, "Number");
    EXPECT_EQ(only("EXISTS int price")->type, Type::int_);
    EXPECT_EQ(only("EXISTS (int price)")->type, Type::int_);
    EXPECT_EQ(only("int price IS NOT NULL")->type, Type::int_);
    EXPECT_EQ(only("EXISTS int")->name, "int");
    EXPECT_EQ(only("EXISTS int")->type, Type::any);
    EXPECT_EQ(only("NOT NOT EXISTS int price")->type, Type::int_);
}

TEST(Language, LiteralsHaveTheTypeTheyShow) {
    EXPECT_EQ(only("a = 5")->type, Type::number);
    EXPECT_EQ(only("a = 5.5")->type, Type::number);
    EXPECT_EQ(only("a = 'x'")->type, Type::string);
    EXPECT_EQ(only("a = true")->type, Type::bool_);
    EXPECT_EQ(only("EXISTS a")->type, Type::any);
    EXPECT_EQ(only("a IN ('x', 'y')")->type, Type::string);
    EXPECT_EQ(only("a IN (1, 2.5)")->type, Type::number);
}

TEST(Language, ReadsNumbersExactly) {
    const auto value = [](std::string_view text) { return only(text)->values[0]; };
    EXPECT_EQ(value("a = -9223372036854775808"), Scalar(INT64_MIN));
    EXPECT_EQ(value("a = +9223372036854775807"), Scalar(INT64_MAX));
    EXPECT_EQ(value("a = 007"), Scalar(std::int64_t{7}));
    EXPECT_EQ(value("a = 5.0"), Scalar(std::int64_t{5}));
    EXPECT_EQ(value("float a = 5"), Scalar(5.0));
    EXPECT_EQ(value("float a = 9007199254740992"), Scalar(9007199254740992.0));
    EXPECT_EQ(value("a = .5"), Scalar(0.5));
    EXPECT_EQ(value("a = -2.5E-1"), Scalar(-0.25));
    EXPECT_EQ(value("a = 1e20"), Scalar(1e20));
    EXPECT_EQ(value("float a = 5."), Scalar(5.0));
    EXPECT_EQ(value("float a = 5e-324"), Scalar(5e-324));
    EXPECT_EQ(value("float a = 1.7976931348623157e308"), Scalar(1.7976931348623157e308));
    EXPECT_EQ(value("a<-5"), Scalar(std::int64_t{-5}));
}

TEST(Language, ReadsInfinitiesInAnyCaseWithASign) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const char* text : {"a = inf", "a = +INF", "a = Infinity", "a = +infinity"}) {
        EXPECT_EQ(only(text)->values[0], Scalar(infinity)) << text;
    }
    EXPECT_EQ(only("a > -inf")->values[0], Scalar(-infinity));
}

TEST(Language, UnderflowIsZero) {
    for (const char* text :
         {"a = 1e-400", "a = -1e-99999999999999999999", "a = 0e99999999999", "a = 0.0000e500"}) {
        EXPECT_EQ(only(text)->values[0], Scalar(std::int64_t{0})) << text;
    }
}

TEST(Language, TheExampleOfTheSpecificationMatchesAsItReads) {
    const Predicate predicate =
        parse("carrier = 'UA' AND price < 500 OR flight STARTS WITH 'UA' AND NOT EXISTS upgrade");
    const auto holds = [&](std::vector<Attribute> message) { return matches(predicate, message); };
    EXPECT_TRUE(holds({{"carrier", ValueView::of(std::string_view("UA"))}, {"price", ValueView::of(499.5)}}));
    EXPECT_FALSE(
        holds({{"carrier", ValueView::of(std::string_view("UA"))}, {"price", ValueView::of(600.0)}}));
    EXPECT_TRUE(holds({{"flight", ValueView::of(std::string_view("UA1"))}}));
    EXPECT_FALSE(holds({{"flight", ValueView::of(std::string_view("UA1"))},
                        {"upgrade", ValueView::of(std::string_view(""))}}));
}

}  // namespace
}  // namespace penstock
