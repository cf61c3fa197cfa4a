// Siena's notation: what it reads, what it cannot say, what it refuses.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "filter_error.hpp"
#include "random_predicate.hpp"

namespace penstock {
namespace {

using Code = FilterError::Code;

constexpr Code syntax = Code::syntax;
constexpr Code type = Code::type;

void expect_same(std::string_view siena, std::string_view text) {
    EXPECT_EQ(print(parse_siena(siena)), print(parse(text))) << siena;
}

TEST(Siena, ReadsTheNotation) {
    expect_same("[string dest = MXP; int price < 500]", "dest = 'MXP' AND int price < 500");
    expect_same("[]", "TRUE");
    expect_same(" [ int a=1 ; ] ", "int a = 1");
    expect_same("[int a != 1; int b > 2; float c <= 3; number d >= 4.5; bool e = true]",
                "int a != 1 AND int b > 2 AND float c <= 3 AND d >= 4.5 AND e = true");
    expect_same("[string a >* x; string b *< y; string c * z]",
                "a STARTS WITH 'x' AND b ENDS WITH 'y' AND c CONTAINS 'z'");
    expect_same("[int a = 1] | [int b = 2]", "int a = 1 OR int b = 2");
    expect_same("[int a = 1]or[float c = -inf]|[]", "int a = 1 OR float c = -inf OR TRUE");
}

TEST(Siena, AnyComesWithOrWithoutAType) {
    expect_same("[upgradeable any]", "EXISTS upgradeable");
    expect_same("[bool upgradeable any; int x any]", "EXISTS bool upgradeable AND EXISTS int x");
    expect_same("[int any]", "EXISTS `int`");
    expect_same("[any any; int any any]", "EXISTS `any` AND EXISTS int `any`");
    expect_same("[int any = 5]", "int `any` = 5");
    expect_same("[anything any]", "EXISTS anything");
}

TEST(Siena, StringsAreBareOrQuoted) {
    expect_same("[string a =  New York ; string b = it's (5) <ok>]",
                "a = 'New York' AND b = 'it''s (5) <ok>'");
    expect_same(R"([string a = "x;y]|\"\\ "])", R"(a = 'x;y]|"\ ')");
    expect_same(R"([string a = ""])", "a = ''");
    expect_same(R"([string "a b" = x; "int" any])", "`a b` = 'x' AND EXISTS `int`");
    expect_same("[string a = 5]", "a = '5'");
    expect_same("[string größe = 日本]", "größe = '日本'");
}

TEST(Siena, WritesStringsBareOnlyWhenTheyReadBackTheSame) {
    const auto written = [](std::string_view text) { return print_siena(parse(text)); };
    EXPECT_EQ(written("dest = 'MXP' AND int price < 500"), "[string dest = MXP; int price < 500]");
    EXPECT_EQ(written("a = 'New York'"), "[string a = New York]");
    EXPECT_EQ(written("a = ' x'"), R"([string a = " x"])");
    EXPECT_EQ(written("a = ''"), R"([string a = ""])");
    EXPECT_EQ(written(R"(a = '"\')"), R"([string a = "\"\\"])");
    EXPECT_EQ(written("a STARTS WITH '*;'"), R"([string a >* "*;"])");
    EXPECT_EQ(written("`any` = 1 OR EXISTS `a b`"), R"(["a b" any] | [number "any" = 1])");
    EXPECT_EQ(written("TRUE"), "[]");
    EXPECT_EQ(written("float a = 5"), "[float a = 5.0]");
}

TEST(Siena, WhatIsWrittenReadsBackEqual) {
    RandomPredicate random(99);
    for (int i = 0; i < 5000; ++i) {
        const Predicate predicate = random.predicate(true);
        const std::string text = print_siena(predicate);
        ASSERT_TRUE(parse_siena(text) == predicate) << text;
    }
}

TEST(Siena, CannotSayEverything) {
    const std::pair<const char*, const char*> cases[] = {
        {"a IN (1, 2)", "Siena's notation has no IN: a IN (1, 2)"},
        {"a LIKE 'x_'", "Siena's notation has no LIKE: a LIKE 'x_'"},
        {"a NOT STARTS WITH 'x'", "Siena's notation has no NOT STARTS WITH: a NOT STARTS WITH 'x'"},
        {"b = 1 AND NOT EXISTS a", "Siena's notation has no NOT EXISTS: NOT EXISTS a"},
        {"a TOPIC 'x/y'", "Siena's notation has no TOPIC: a TOPIC 'x/y'"},
        {"FALSE", "Siena's notation has no empty predicate: FALSE"},
    };
    for (const auto& [text, message] : cases) {
        try {
            print_siena(parse(text));
            ADD_FAILURE() << text;
        } catch (const FilterError& error) {
            EXPECT_EQ(error.code, Code::unsupported);
            EXPECT_EQ(error.message, message);
        }
    }
}

TEST(Siena, RefusesWithAPosition) {
    const char* words = "string, int, float, bool or number";
    const char* operators = "the operators are = != < > <= >= >* *< * any";
    const char* everything = "[] is the filter that matches every message";
    const Refusal refusals[] = {
        {"", syntax, 0, "expected '['", everything, "'['"},
        {"int a = 1", syntax, 0, "expected '['", everything, "'['"},
        {"[int a = 1", syntax, 0, "'[' is never closed", "", "']'"},
        {"[] [", syntax, 3, "expected '|' or the end", "", "'|' or the end"},
        {"[] | ", syntax, 5, "expected '['", everything, "'['"},
        {"[;]", syntax, 1, "expected a constraint", "", "a constraint"},
        {"[dest = MXP]", syntax, 1, "expected a type before dest",
         std::string("write ") + words + " in front of it", words},
        {"[str dest = MXP]", syntax, 1, "str is not a type", "", words},
        {"[int dest]", syntax, 9, "expected an operator after dest", "", "an operator"},
        {"[int dest == 5]", syntax, 10, "unknown operator '=='", operators, "an operator"},
        {"[int a <]", syntax, 8, "expected a value after '<'", "", "a value"},
        {"[string a = ]", syntax, 12, "expected a value after '='", "the empty string is \"\"", "a value"},
        {"[string a = \"x]", syntax, 12, "the quotes are never closed", "a \" inside is written \\\"",
         "a closing \""},
        {"[string a = \"\\n\"]", syntax, 13, "a backslash stands only before \" and \\", "write \\\\"},
        {"[string a = \"x\" y]", syntax, 16, "expected ';' or ']'", "", "';' or ']'"},
        {"[string \"\" = x]", syntax, 8, "the name is empty", "", "a name"},
        {"[int a = five]", type, 9, "int needs a whole number, got five", "", "a whole number"},
        {"[int a = 5.5]", type, 9, "int needs a whole number, got the number 5.5", "", "a whole number"},
        {"[int a = \"5\"]", type, 9, "int needs a whole number, got the string '5'", "", "a whole number"},
        {"[float a = nan]", type, 11, "NaN is not a value that a filter can ask for", "", "a value"},
        {"[bool a = yes]", type, 10, "bool needs true or false, got yes", "", "true or false"},
        {"[bool a < true]", type, 8, "bool has no order; use = or !=", "", "= or !="},
        {"[string b = x; int a >* 5]", type, 15, ">* needs a string, not int", "", "string"},
        {"[int a = 9223372036854775808]", type, 9, "the integer 9223372036854775808 does not fit in 64 bits",
         "write it as a float, such as 1e20"},
    };
    for (const Refusal& refusal : refusals) expect_refused(siena_error_of(refusal.text), refusal);
}

TEST(Siena, KeepsTheLimits) {
    Limits limits;
    limits.constraints = 2;
    limits.filters = 2;
    limits.text_bytes = 100;
    EXPECT_EQ(parse_siena("[int a = 1; int b = 2]|[]", limits).filters.size(), 2U);
    EXPECT_EQ(siena_error_of("[int a = 1; int b = 2; int c = 3]", limits).message,
              "at least 3 constraints in a filter (limit 2)");
    EXPECT_EQ(siena_error_of("[]|[]|[]", limits).message, "at least 3 filters (limit 2)");
    EXPECT_EQ(siena_error_of(std::string(101, '['), limits).message, "text of 101 bytes (limit 100)");
}

TEST(Siena, RandomTokensAreReadOrRefused) {
    const std::string_view tokens[] = {"[", "]", ";", "|",  "or", "int", "string", "any",  "a", "=", ">*",
                                       "*", "<", "5", "-x", "\"", "\\",  "bool",   "true", " ", "\n"};
    std::mt19937 random(13);
    for (int i = 0; i < 50000; ++i) {
        std::string text = "[";
        for (std::size_t n = random() % 14; n > 0; --n) text += tokens[random() % std::size(tokens)];
        try {
            const Predicate predicate = parse_siena(text);
            EXPECT_TRUE(parse_siena(print_siena(predicate)) == predicate) << text;
        } catch (const FilterError& error) {
            EXPECT_TRUE(error.at.has_value() && *error.at <= text.size()) << text;
        }
    }
}

}  // namespace
}  // namespace penstock
