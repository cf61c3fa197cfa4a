// Limits, and texts that are out to do harm: each ends in a filter or in a FilterError with a position.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "filter_error.hpp"

namespace penstock {
namespace {

using Code = FilterError::Code;

std::string repeat(std::string_view piece, std::size_t times) {
    std::string text;
    text.reserve(piece.size() * times);
    for (std::size_t i = 0; i < times; ++i) text += piece;
    return text;
}

void expect_limit(const FilterError& error, std::string_view message, std::size_t at) {
    EXPECT_EQ(error.code, Code::limit);
    EXPECT_EQ(error.message, message);
    EXPECT_EQ(error.at, at);
}

TEST(LanguageLimit, TextLength) {
    const std::string longest = "a = '" + std::string(65536 - 6, 'x') + "'";
    EXPECT_EQ(parse(longest).filters.size(), 1U);
    expect_limit(error_of(longest + " "), "text of 65,537 bytes (limit 65,536)", 0);
}

TEST(LanguageLimit, DepthCountsParenthesesAndNots) {
    EXPECT_EQ(parse(repeat("(", 64) + "a = 1" + repeat(")", 64)).filters.size(), 1U);
    EXPECT_EQ(parse(repeat("NOT ", 64) + "a = 1").filters.size(), 1U);
    EXPECT_EQ(parse(repeat("(a = 1) AND ", 100) + "NOT b = 1").filters.size(), 1U);
    expect_limit(error_of(repeat("(", 65) + "a = 1" + repeat(")", 65)), "nests 65 levels deep (limit 64)",
                 64);
    expect_limit(error_of(repeat("NOT ", 65) + "a = 1"), "nests 65 levels deep (limit 64)", 256);
    expect_limit(error_of(repeat("NOT (", 40) + "a = 1" + repeat(")", 40)), "nests 65 levels deep (limit 64)",
                 160);
}

TEST(LanguageLimit, NoSettingGoesDeeperThanTheStack) {
    Limits limits;
    limits.depth = 1'000'000'000;
    EXPECT_EQ(parse(repeat("(", 1000) + "a = 1" + repeat(")", 1000), limits).filters.size(), 1U);
    EXPECT_EQ(parse(repeat("NOT (a = 1 AND ", 500) + "b = 1" + repeat(")", 500), limits).filters.size(), 3U);
    expect_limit(error_of(repeat("(", 60000), limits), "nests 1,001 levels deep (limit 1,000)", 1000);
    expect_limit(error_of(repeat("NOT ", 16000), limits), "nests 1,001 levels deep (limit 1,000)", 4000);
}

TEST(LanguageLimit, ExpansionIsCountedBeforeItIsDone) {
    const std::string choice = " AND (c = 1 OR d = 1 OR e = 1)";
    expect_limit(error_of("a = 1 AND b = 1" + repeat(choice, 10)),
                 "expands to 59,049 filters (limit 1,024): clause 3 alone multiplies by 3", 20);
    expect_limit(
        error_of("a = 1 AND b = 1" + repeat(choice, 200)),
        "expands to over 1,000,000,000,000,000,000 filters (limit 1,024): clause 3 alone multiplies by 3",
        20);
    EXPECT_EQ(parse("a NOT BETWEEN 1 AND 2" + repeat(" AND (b = 1 OR c = 1)", 9)).filters.size(), 6U);
    expect_limit(error_of("NOT (a = 1 AND b = 1 OR " + repeat("a NOT IN (1, 2) AND c = 1 OR ", 9) +
                          "d BETWEEN 1 AND 2)"),
                 "expands to 2,048 filters (limit 1,024): clause 1 alone multiplies by 2", 5);
}

TEST(LanguageLimit, AlternativesAreCounted) {
    std::string text = "a = 0";
    for (int i = 1; i < 1025; ++i) text += " OR a = " + std::to_string(i);
    const FilterError error = error_of(text);
    EXPECT_EQ(error.code, Code::limit);
    EXPECT_EQ(error.message, "expands to 1,025 filters (limit 1,024)");
    EXPECT_EQ(error.at, text.size() - 8);
    EXPECT_EQ(parse(text.substr(0, text.size() - 12)).filters.size(), 1024U);
}

TEST(LanguageLimit, FalseCostsNothing) {
    EXPECT_TRUE(parse("FALSE AND (a = 1 OR b = 1)").filters.empty());
    EXPECT_EQ(parse("(TRUE OR a = 1) AND (FALSE OR b = 1) AND TRUE").filters.size(), 2U);
}

TEST(LanguageLimit, ConstraintsOfAFilter) {
    std::string text = "a0 = 1";
    for (int i = 1; i < 256; ++i) text += " AND a" + std::to_string(i) + " = 1";
    EXPECT_EQ(parse(text).filters.at(0)->constraints.size(), 256U);
    expect_limit(error_of(text + " AND b = 1"), "a filter of 257 constraints (limit 256)", text.size() + 5);
    expect_limit(error_of(text + " AND (EXISTS x OR b BETWEEN 1 AND 2)"),
                 "a filter of 258 constraints (limit 256)", text.size() + 5);
}

TEST(LanguageLimit, ValuesOfASet) {
    Limits limits;
    limits.set_values = 1000;
    EXPECT_EQ(parse("a IN (0" + repeat(", 1", 999) + ")", limits).filters.size(), 1U);
    expect_limit(error_of("a IN (0" + repeat(", 1", 1000) + ")", limits),
                 "IN lists at least 1,001 values (limit 1,000)", 7 + 3 * 999);
    EXPECT_EQ(error_of("a IN (0" + repeat(",1", 20000) + ")").message,
              "IN lists at least 10,001 values (limit 10,000)");
}

TEST(LanguageLimit, LongRunsOfOneThing) {
    EXPECT_EQ(error_of(repeat("(", 65536)).code, Code::limit);
    EXPECT_EQ(error_of(repeat("NOT ", 16384)).code, Code::limit);
    EXPECT_EQ(error_of(repeat("a=1 OR ", 9362)).message, "expected a condition after OR");
    EXPECT_EQ(error_of(repeat("a=1 OR ", 9361) + "a=1").message, "expands to 9,362 filters (limit 1,024)");
    EXPECT_EQ(error_of(repeat("a=1 AND ", 8191) + "a=1").message,
              "a filter of 8,192 constraints (limit 256)");
    EXPECT_EQ(error_of(repeat("a", 60000)).code, Code::syntax);
    EXPECT_EQ(error_of(repeat(")", 65536)).at, 0U);
    EXPECT_EQ(error_of(repeat("'", 65535)).at, 0U);
    EXPECT_EQ(error_of(repeat("int ", 16384)).code, Code::syntax);
    EXPECT_EQ(error_of("a = 1" + repeat("0", 65000)).code, Code::type);
    EXPECT_EQ(error_of("a = 1e" + repeat("9", 65000)).code, Code::type);
    EXPECT_EQ(parse("a = 1e-" + repeat("9", 65000)).filters.size(), 1U);
    EXPECT_EQ(parse(repeat("TRUE AND ", 7000) + "TRUE").filters.size(), 1U);
}

// Whatever comes, it is read or refused; what is read prints and reads back.
void expect_orderly(const std::string& text) {
    try {
        const Predicate predicate = parse(text);
        EXPECT_TRUE(parse(print(predicate)) == predicate) << text;
    } catch (const FilterError& error) {
        EXPECT_TRUE(error.at.has_value() && *error.at <= text.size()) << text;
        EXPECT_FALSE(error.message.empty()) << text;
    }
}

TEST(LanguageLimit, RandomBytes) {
    std::mt19937 random(11);
    for (int i = 0; i < 20000; ++i) {
        std::string text(random() % 40, ' ');
        for (char& c : text) c = static_cast<char>(random());
        expect_orderly(text);
    }
}

TEST(LanguageLimit, TokenSoup) {
    const std::string_view tokens[] = {
        "a",    "b.c",  "`d e`", "'x'",  "\"y\"", "5",      "-",     "+2.5",    "1e9",  "=",
        "!=",   "<",    ">=",    "(",    ")",     ",",      "AND",   "OR",      "NOT",  "IN",
        "LIKE", "IS",   "NULL",  "TRUE", "FALSE", "EXISTS", "int",   "BETWEEN", "inf",  "nan",
        "with", "ends", "&&",    "*",    "TOPIC", "bool",   "float", "starts",  "'x/y'"};
    std::mt19937 random(12);
    for (int i = 0; i < 50000; ++i) {
        std::string text;
        for (std::size_t n = random() % 12; n > 0; --n) {
            text += tokens[random() % std::size(tokens)];
            if (random() % 8 != 0) text += ' ';
        }
        expect_orderly(text);
    }
}

TEST(LanguageLimit, EveryBeginningOfAText) {
    const std::string text =
        "carrier = 'U''A' AND int price NOT BETWEEN -1 AND 500 OR NOT (`a b` NOT LIKE '%x_' OR EXISTS (c.d)) "
        "AND e IN "
        "(1.5, 2e3, +inf) OR f STARTS WITH \"x\" AND g IS NOT NULL AND h TOPIC 'a/*/b' OR i != true";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        expect_orderly(text.substr(0, size));
        expect_orderly(text.substr(size));
    }
}

}  // namespace
}  // namespace penstock
