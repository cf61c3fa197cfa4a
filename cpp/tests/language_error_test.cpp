// What the text language refuses: message, place, hint and what was expected instead.
#include <gtest/gtest.h>

#include <string>

#include "filter_error.hpp"

namespace penstock {
namespace {

using Code = FilterError::Code;

constexpr Code syntax = Code::syntax;
constexpr Code type = Code::type;
constexpr Code unsupported = Code::unsupported;

void expect_all_refused(std::initializer_list<Refusal> refusals) {
    for (const Refusal& refusal : refusals) expect_refused(error_of(refusal.text), refusal);
}

TEST(LanguageError, AValueIsMissing) {
    expect_all_refused({
        {"int price < ", syntax, 12, "expected a value after '<'", "", "a value"},
        {"price <", syntax, 7, "expected a value after '<'", "", "a value"},
        {"price < AND b = 1", syntax, 8, "expected a value after '<'", "", "a value"},
        {"(price <> )", syntax, 10, "expected a value after '<>'", "", "a value"},
        {"a STARTS WITH", syntax, 13, "expected a string after STARTS WITH", "", "a string"},
        {"a BETWEEN 1 AND", syntax, 15, "expected a value after AND", "", "a value"},
        {"a IN (1, )", syntax, 9, "expected a value after ','", "", "a value"},
        {"a =< 5", syntax, 3, "expected a value after '='", "write <=", "a value"},
        {"a = (5)", syntax, 4, "expected a value after '='", "write the value without parentheses",
         "a value"},
        {"a = - 5", syntax, 4, "expected digits right after '-'", "", "digits"},
    });
}

TEST(LanguageError, AConditionIsMissing) {
    expect_all_refused({
        {"", syntax, 0, "the text is empty", "write TRUE to match every message", "a condition"},
        {"  \n", syntax, 3, "the text is empty", "write TRUE to match every message", "a condition"},
        {"a = 1 AND", syntax, 9, "expected a condition after AND", "", "a condition"},
        {"a = 1 or ", syntax, 9, "expected a condition after OR", "", "a condition"},
        {"NOT", syntax, 3, "expected a condition after NOT", "", "a condition"},
        {"(", syntax, 1, "expected a condition after '('", "", "a condition"},
        {"()", syntax, 1, "expected a condition after '(', got ')'", "", "a condition"},
        {"AND a = 1", syntax, 0, "expected a condition, got AND", "", "a condition"},
        {"'abc'", syntax, 0, "expected a condition, got the string 'abc'", "", "a condition"},
        {"a = 1 AND 5", syntax, 10, "expected a condition, got the number 5", "", "a condition"},
    });
}

TEST(LanguageError, AnOperatorIsMissing) {
    const std::string wanted = "BETWEEN, CONTAINS, ENDS WITH, IN, LIKE, STARTS WITH or TOPIC";
    const std::string after_not = "expected " + wanted + " after NOT";
    expect_all_refused({
        {"upgradeable", syntax, 11, "expected an operator after upgradeable", "write upgradeable = true",
         "an operator"},
        {"(a) = 5", syntax, 2, "expected an operator after a", "write a = true", "an operator"},
        {"a AND b = 1", syntax, 2, "expected an operator after a", "write a = true", "an operator"},
        {"int x", syntax, 5, "expected an operator after int x", "write EXISTS int x", "an operator"},
        {"a 'x'", syntax, 2, "expected an operator after a, got the string 'x'", "write a = 'x'",
         "an operator"},
        {"a under 5", syntax, 2, "expected an operator after a, got the name under", "", "an operator"},
        {"a EXISTS", syntax, 2, "expected an operator after a, got EXISTS", "write EXISTS a", "an operator"},
        {"a STARTS 'x'", syntax, 9, "expected WITH after STARTS", "", "WITH"},
        {"a IS 5", syntax, 5, "expected NULL or NOT NULL after IS", "write a = 5", "NULL or NOT NULL"},
        {"a IS NOT 5", syntax, 9, "expected NULL after IS NOT", "", "NULL"},
        {"a NOT = 5", syntax, 6, after_not, "write a != …", wanted},
        {"a NOT EXISTS", syntax, 6, after_not, "write NOT EXISTS a", wanted},
        {"a BETWEEN 1", syntax, 11, "expected AND and an upper bound after BETWEEN", "",
         "AND and an upper bound"},
    });
}

TEST(LanguageError, InvisibleCharactersAreNotPartOfNames) {
    const char* message = "an invisible character or unusual space that is not part of the language";
    const char* hint = "write a plain space, or put a name that holds it in backticks";
    expect_all_refused({
        {"a\u00A0= 1", syntax, 1, message, hint, ""},
        {"\uFEFFa = 1", syntax, 0, message, hint, ""},
        {"a = 1 AND b\u200B = 2", syntax, 11, message, hint, ""},
        {"\u3000a = 1", syntax, 0, message, hint, ""},
    });
    EXPECT_EQ(print(parse("`a\u00A0` = 'b\u00A0'")), "`a\u00A0` = 'b\u00A0'");
    EXPECT_EQ(print(parse("größe = 1 AND 日本 = 2")), "größe = 1 AND 日本 = 2");
}

TEST(LanguageError, AValueStandsFirst) {
    const char* quotes = "quotes make a string; write a name plain or in backticks";
    expect_all_refused({
        {"5 < a", syntax, 0, "expected a name before '<', got the number 5", "write a > 5", "a name"},
        {"-5 <= a", syntax, 0, "expected a name before '<=', got the number -5", "write a >= -5", "a name"},
        {"b = 1 OR 5 >= a", syntax, 9, "expected a name before '>=', got the number 5", "write a <= 5",
         "a name"},
        {"'x' != a", syntax, 0, "expected a name before '!=', got the string 'x'", "write a != 'x'",
         "a name"},
        {"true = a", syntax, 0, "expected a name before '=', got TRUE", "write a = true", "a name"},
        {"\"a\" = 'x'", syntax, 0, "expected a name before '=', got the string \"a\"", quotes, "a name"},
        {"between = 5", syntax, 0, "BETWEEN is a keyword", "as a name it needs backticks: `between`",
         "a name"},
    });
}

TEST(LanguageError, NoArithmeticNoFunctionsNoSecondAttribute) {
    const char* result = "work the value out and write the result";
    const char* itself = "compare the attribute itself with a value";
    const char* names = " is a name, and attributes cannot be compared with each other";
    expect_all_refused({
        {"price + 1 < 5", unsupported, 6, "arithmetic is not supported", result},
        {"price -5 < 3", unsupported, 6, "arithmetic is not supported", result},
        {"price < 2 * 3", unsupported, 10, "arithmetic is not supported", result},
        {"(price < 2 / 3)", unsupported, 11, "arithmetic is not supported", result},
        {"5 + a < 3", unsupported, 2, "arithmetic is not supported", result},
        {"a-b = 3", unsupported, 1, "arithmetic is not supported", "a name with a '-' in it needs backticks"},
        {"lower(a) = 'x'", unsupported, 0, "functions are not supported: lower(…)", itself},
        {"a = lower('x')", unsupported, 4, "functions are not supported: lower(…)", itself},
        {"a = b", unsupported, 4, std::string("b") + names, "if the string is meant, write 'b'", "a value"},
        {"dest = New York", unsupported, 7, std::string("New") + names, "if the string is meant, write 'New'",
         "a value"},
        {"a = `b c`", unsupported, 4, std::string("`b c`") + names, "if the string is meant, write 'b c'",
         "a value"},
        {"a IN (1, b)", unsupported, 9, std::string("b") + names, "if the string is meant, write 'b'",
         "a value"},
    });
}

TEST(LanguageError, AbsenceHasNoType) {
    const char* message = "absence has no type: a typed EXISTS cannot be negated";
    expect_all_refused({
        {"NOT EXISTS int price", unsupported, 4, message, "write NOT EXISTS price"},
        {"a = 1 AND NOT (b = 1 OR EXISTS int `x y`)", unsupported, 24, message, "write NOT EXISTS `x y`"},
        {"int price IS NULL", unsupported, 0, message, "write NOT EXISTS price"},
    });
}

TEST(LanguageError, ForeignConnectives) {
    expect_all_refused({
        {"a = 1 && b = 2", syntax, 6, "unexpected '&&'", "write AND", "AND"},
        {"a = 1 || b = 2", syntax, 6, "unexpected '||'", "write OR", "OR"},
        {"(a = 1 | b = 2)", syntax, 7, "unexpected '|'", "write OR", "OR"},
        {"!a = 1", syntax, 0, "unexpected '!'", "write NOT", "NOT"},
        {"a = 1, b = 2", syntax, 5, "expected AND, OR or the end, got ','", "write AND between conditions",
         "AND, OR or the end"},
        {"a = 1 b = 2", syntax, 6, "expected AND, OR or the end, got the name b", "", "AND, OR or the end"},
        {"(a = 1 b = 2)", syntax, 7, "expected AND, OR or ')', got the name b", "", "AND, OR or ')'"},
    });
}

TEST(LanguageError, QuotesAndParenthesesDoNotPair) {
    expect_all_refused({
        {"a = 'x", syntax, 4, "the string is never closed", "a ' inside is written twice", "a closing '"},
        {"a = \"x''", syntax, 4, "the string is never closed", "a \" inside is written twice",
         "a closing \""},
        {"`a = 5", syntax, 0, "the name is never closed", "a ` inside is written twice", "a closing `"},
        {"`` = 5", syntax, 0, "the name between the backticks is empty", "", "a name"},
        {"(a = 1", syntax, 0, "'(' is never closed", "", "')'"},
        {"b = 2 OR (a = 1 AND (b = 1)", syntax, 9, "'(' is never closed", "", "')'"},
        {"a = 1)", syntax, 5, "')' without a '(' before it", "", "AND, OR or the end"},
        {")", syntax, 0, "')' without a '(' before it", "", "a condition"},
        {"a IN (1", syntax, 5, "'(' is never closed", "", "')'"},
        {"a IN (1 2)", syntax, 8, "expected ',' or ')' after a value of IN", "", "',' or ')'"},
        {"a IN 5", syntax, 5, "expected '(' after IN", "", "'('"},
        {"a IN ()", syntax, 6, "IN needs at least one value", "", "a value"},
        {"EXISTS (a", syntax, 7, "'(' is never closed", "", "')'"},
        {"EXISTS (a b)", syntax, 10, "expected ')' after a", "", "')'"},
        {"EXISTS 5", syntax, 7, "expected a name after EXISTS", "", "a name"},
    });
}

TEST(LanguageError, CharactersAndNamesOutOfPlace) {
    const char* backticks = "quote unusual names with backticks";
    expect_all_refused({
        {"a..b = 1", syntax, 2, "a name cannot have two dots in a row", backticks},
        {"a. = 1", syntax, 1, "a name cannot end with a dot", backticks},
        {".a = 1", syntax, 0, "a name cannot start with a dot", backticks},
        {"a = 5;", syntax, 5, "unexpected ';'"},
        {"[int a = 5]", syntax, 0, "unexpected '['", "Siena's notation is read by penstock.language.siena"},
        {std::string_view("a = \0", 5), syntax, 4, "unexpected control character 0x00"},
        {"a = 5abc", syntax, 4, "'5abc' is not a number",
         "a name that starts with a digit needs backticks: `5abc`"},
        {"a = 1.2.3", syntax, 4, "'1.2.3' is not a number",
         "a name that starts with a digit needs backticks: `1.2.3`"},
    });
}

TEST(LanguageError, NullAndNanAreNoValues) {
    expect_all_refused({
        {"a = NULL", syntax, 4, "NULL is not a value", "write a IS NULL", "a value"},
        {"a <> null", syntax, 5, "NULL is not a value", "write a IS NOT NULL", "a value"},
        {"a = NaN", type, 4, "NaN is not a value that a filter can ask for", "", "a value"},
        {"a IN (1, -nan)", type, 10, "NaN is not a value that a filter can ask for", "", "a value"},
    });
}

TEST(LanguageError, NumbersThatCannotBeKept) {
    expect_all_refused({
        {"a = 9223372036854775808", type, 4, "the integer 9223372036854775808 does not fit in 64 bits",
         "write it as a float, such as 1e20"},
        {"a = -9223372036854775809", type, 4, "the integer -9223372036854775809 does not fit in 64 bits",
         "write it as a float, such as 1e20"},
        {"a = 1e400", type, 4, "the number 1e400 is too large for a float",
         "write INFINITY if that is meant"},
        {"a = -1e99999999999999999999", type, 4,
         "the number -1e99999999999999999999 is too large for a float", "write -INFINITY if that is meant"},
        {"float a = 9007199254740993", type, 10, "9007199254740993 is not representable as a float",
         "leave out 'float' to compare exactly"},
    });
}

TEST(LanguageError, TypesDoNotFit) {
    expect_all_refused({
        {"a STARTS WITH 5", type, 14, "STARTS WITH needs a string, got the number 5", "", "a string"},
        {"a NOT LIKE true", type, 11, "LIKE needs a string, got the bool true", "", "a string"},
        {"b = 1 AND int a STARTS WITH 'x'", type, 10, "STARTS WITH needs a string, not int", "", "string"},
        {"a < true", type, 2, "bool has no order; use = or !=", "", "= or !="},
        {"bool a >= 5", type, 7, "bool has no order; use = or !=", "", "= or !="},
        {"a BETWEEN true AND false", type, 2, "bool has no order; use = or !=", "", "= or !="},
        {"a BETWEEN 1 AND 'x'", type, 16,
         "BETWEEN needs values of one type, got the number 1 and the string 'x'", "", "a number"},
        {"a IN ('x', 'y', true)", type, 16,
         "IN needs values of one type, got the string 'x' and the bool true", "", "a string"},
        {"string a = 5", type, 11, "string needs a string, got the number 5", "", "a string"},
        {"int a = 'x'", type, 8, "int needs a whole number, got the string 'x'", "", "a whole number"},
        {"int a IN (1, 5.5)", type, 13, "int needs a whole number, got the number 5.5", "", "a whole number"},
        {"int a = 5.0", type, 8, "int needs a whole number, got the number 5.0", "", "a whole number"},
        {"bool a = 5", type, 9, "bool needs true or false, got the number 5", "", "true or false"},
        {"float a = 'x'", type, 10, "float needs a number, got the string 'x'", "", "a number"},
    });
}

TEST(LanguageError, WhatMakingTheConstraintRefusesPointsAtTheValue) {
    const FilterError error = error_of("a = 1 AND b TOPIC 'x//y'");
    EXPECT_EQ(error.at, 18U);
    EXPECT_FALSE(error.message.empty());
}

TEST(LanguageError, LongTokensAreCutShort) {
    const std::string name(5000, 'n');
    EXPECT_LT(error_of("a = " + name).message.size(), 200U);
    EXPECT_LT(error_of(name).hint.size(), 200U);
    EXPECT_LT(error_of("int a = '" + name + "'").message.size(), 200U);
    EXPECT_LT(error_of("a = " + std::string(5000, '9')).message.size(), 200U);
}

}  // namespace
}  // namespace penstock
