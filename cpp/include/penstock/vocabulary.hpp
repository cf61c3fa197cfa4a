// The words of the filter language: types and operators, defined here once and re-exported to Python.
#pragma once

#include <cstdint>
#include <string_view>

namespace penstock {

// What a constraint asks for. Attributes of messages are only ever string, int, float or bool;
// `number` is the family of a plain literal such as 500, and `any` is the type of an untyped EXISTS.
enum class Type : std::uint8_t {
    any,
    string,
    number,
    int_,
    float_,
    bool_
};

// Operators come in pairs: an operator and its three-valued negation differ in the lowest bit.
enum class Operator : std::uint8_t {
    eq,
    ne,
    lt,
    ge,
    gt,
    le,
    prefix,
    not_prefix,
    suffix,
    not_suffix,
    substring,
    not_substring,
    in,
    not_in,
    like,
    not_like,
    topic,
    not_topic,
    exists,
    not_exists,
};

constexpr Operator negate(Operator op) {
    return static_cast<Operator>(static_cast<std::uint8_t>(op) ^ 1U);
}

// True for the operators that hold for all present values but the ones named: !=, NOT IN, NOT LIKE, ...
// (`ge` and `le` are the negations of `lt` and `gt`, but are ranges in their own right.)
constexpr bool is_exclusion(Operator op) {
    return op == Operator::ne || op == Operator::not_prefix || op == Operator::not_suffix ||
           op == Operator::not_substring || op == Operator::not_in || op == Operator::not_like ||
           op == Operator::not_topic;
}

constexpr bool is_order(Operator op) {
    return op >= Operator::lt && op <= Operator::le;
}

// The operators that only strings have.
constexpr bool is_textual(Operator op) {
    return (op >= Operator::prefix && op <= Operator::not_substring) ||
           (op >= Operator::like && op <= Operator::not_topic);
}

constexpr bool is_set(Operator op) {
    return op == Operator::in || op == Operator::not_in;
}

constexpr bool is_presence(Operator op) {
    return op == Operator::exists || op == Operator::not_exists;
}

constexpr bool is_numeric(Type type) {
    return type == Type::number || type == Type::int_ || type == Type::float_;
}

// Does a constraint of type `asked` look at an attribute of type `given` at all?
constexpr bool accepts(Type asked, Type given) {
    return asked == given || asked == Type::any ||
           (asked == Type::number && (given == Type::int_ || given == Type::float_));
}

// "string", "int", ... as written in the text language.
std::string_view name_of(Type type);
// "=", "STARTS WITH", "NOT IN", ... as written in the text language.
std::string_view name_of(Operator op);

}  // namespace penstock
