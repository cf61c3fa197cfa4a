// Making constraints, filters and predicates: check that the parts fit, then reduce to the canonical form.
#include "penstock/constraint.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "penstock/error.hpp"
#include "penstock/pattern.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

void check_size(const std::string& text, const std::string& what) {
    if (text.size() <= max_string_bytes) return;
    throw FilterError(Code::limit, what + " has " + grouped(text.size()) + " bytes (limit " +
                                       grouped(max_string_bytes) + ")");
}

// Does the operator exist for the type, whatever the value?
void check_operator(const std::string& name, Type type, Operator op) {
    const std::string word(name_of(op));
    const std::string type_word(name_of(type));
    if (op == Operator::not_exists && type != Type::any) {
        throw FilterError(Code::type, "NOT EXISTS asks for absence and takes no type, got " + type_word,
                          "write NOT EXISTS " + excerpt(name));
    }
    if (is_presence(op)) return;
    if (type == Type::any) throw FilterError(Code::type, word + " needs a type; only EXISTS takes any");
    if (type == Type::bool_ && is_order(op)) throw FilterError(Code::type, "bool has no order; use = or !=");
}

void check_count(Operator op, std::size_t count, const Limits& limits) {
    const std::string word(name_of(op));
    if (is_presence(op)) {
        if (count != 0) throw FilterError(Code::type, word + " takes no value");
    } else if (count == 0) {
        throw FilterError(Code::type, word + (is_set(op) ? " needs at least one value" : " needs a value"));
    } else if (!is_set(op) && count != 1) {
        throw FilterError(Code::type, word + " takes one value, got " + grouped(count));
    } else if (count > limits.set_values) {
        throw FilterError(Code::limit, word + " lists " + grouped(count) + " values (limit " +
                                           grouped(limits.set_values) + ")");
    }
}

[[noreturn]] void refuse(Type type, const Scalar& value) {
    std::string given;
    if (type == Type::int_ && family_of(value) == Type::number) {
        append_number(given, value);
    } else {
        given = in_words(value);
    }
    throw FilterError(Code::type, std::string(name_of(type)) + " needs " +
                                      std::string(value_wanted_by(type)) + ", got " + given);
}

// Is the value of the right type, and representable in it?
void check_value(const std::string& name, Type type, Operator op, const Scalar& value) {
    const auto* real = std::get_if<double>(&value);
    const auto* text = std::get_if<std::string>(&value);
    if (real && std::isnan(*real)) {
        throw FilterError(Code::type, "NaN is not a value that a filter can ask for",
                          "write EXISTS " + excerpt(name) + " to accept it");
    }
    if (is_textual(op) && !text) {
        throw FilterError(Code::type, std::string(name_of(op)) + " needs a string, got " + in_words(value));
    }
    if (is_textual(op) && type != Type::string) {
        throw FilterError(Code::type,
                          std::string(name_of(op)) + " needs a string, not " + std::string(name_of(type)));
    }
    if (text) check_size(*text, "the value for '" + excerpt(name) + "'");
    const bool fits = type == Type::int_ ? std::holds_alternative<std::int64_t>(value)
                                         : family_of(value) == (is_numeric(type) ? Type::number : type);
    if (!fits) refuse(type, value);
}

void check_one_family(Operator op, const std::vector<Scalar>& values) {
    for (const Scalar& value : values) {
        if (family_of(value) == family_of(values.front())) continue;
        throw FilterError(Code::type, std::string(name_of(op)) + " lists values of one type, got " +
                                          in_words(values.front()) + " and " + in_words(value));
    }
}

// Numbers of equal value get one representation: whole ones are ints, except in a float constraint.
Scalar canonical_value(Type type, Scalar value) {
    constexpr double two63 = 9223372036854775808.0;
    if (type == Type::number) {
        const auto* real = std::get_if<double>(&value);
        const bool whole = real && *real >= -two63 && *real < two63 && std::trunc(*real) == *real;
        return whole ? Scalar(static_cast<std::int64_t>(*real)) : value;
    }
    if (type != Type::float_) return value;
    const Number number = number_of(value);
    if (number.residual != 0) {
        throw FilterError(Code::type, in_words(value) + " has no exact float",
                          "leave out the type to compare exactly");
    }
    return number.rounded;
}

// LIKE without a free wildcard is one of the simpler operators.
void reduce_like(Operator& op, std::string& pattern) {
    const bool negated = op == Operator::not_like;
    pattern = canonical_like(pattern);
    const bool opens = pattern.starts_with('%');
    const bool closes = pattern.size() > (opens ? 1U : 0U) && pattern.ends_with('%');
    const auto inner = pattern.substr(opens, pattern.size() - opens - closes);
    if (inner.find_first_of("%_") != std::string::npos) return;
    op = opens ? (closes ? Operator::substring : Operator::suffix)
               : (closes ? Operator::prefix : Operator::eq);
    if (opens && inner.empty()) op = Operator::prefix;
    if (negated) op = negate(op);
    pattern = inner;
}

void canonicalise(Type type, Operator& op, std::vector<Scalar>& values) {
    for (Scalar& value : values) value = canonical_value(type, std::move(value));
    if (op == Operator::like || op == Operator::not_like)
        reduce_like(op, std::get<std::string>(values.front()));
    if (op == Operator::topic || op == Operator::not_topic) {
        auto& pattern = std::get<std::string>(values.front());
        pattern = canonical_topic(pattern);
    }
    if (!is_set(op)) return;
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return compare(a, b) < 0; });
    const auto equal = [](const auto& a, const auto& b) { return compare(a, b) == 0; };
    values.erase(std::unique(values.begin(), values.end(), equal), values.end());
    if (values.size() == 1) op = op == Operator::in ? Operator::eq : Operator::ne;
}

// Shared pointers to canonical values, as a set.
template <typename T>
void sort_distinct(std::vector<std::shared_ptr<const T>>& items) {
    std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return compare(*a, *b) < 0; });
    const auto equal = [](const auto& a, const auto& b) { return compare(*a, *b) == 0; };
    items.erase(std::unique(items.begin(), items.end(), equal), items.end());
}

}  // namespace

ConstraintPtr make_constraint(std::string name, Type type, Operator op, std::vector<Scalar> values,
                              const Limits& limits) {
    if (name.empty()) throw FilterError(Code::type, "an attribute needs a name");
    check_size(name, "the name '" + excerpt(name) + "'");
    check_operator(name, type, op);
    check_count(op, values.size(), limits);
    check_one_family(op, values);
    for (const Scalar& value : values) check_value(name, type, op, value);
    canonicalise(type, op, values);
    return std::make_shared<const Constraint>(Constraint{std::move(name), type, op, std::move(values)});
}

FilterPtr make_filter(std::vector<ConstraintPtr> constraints, const Limits& limits) {
    sort_distinct(constraints);
    if (constraints.size() > limits.constraints) {
        throw FilterError(Code::limit, "a filter of " + grouped(constraints.size()) + " constraints (limit " +
                                           grouped(limits.constraints) + ")");
    }
    return std::make_shared<const Filter>(Filter{std::move(constraints)});
}

Predicate make_predicate(std::vector<FilterPtr> filters, const Limits& limits) {
    sort_distinct(filters);
    if (filters.size() > limits.filters) {
        throw FilterError(Code::limit, "a predicate of " + grouped(filters.size()) + " filters (limit " +
                                           grouped(limits.filters) + ")");
    }
    return Predicate{std::move(filters)};
}

ConstraintPtr negate(const Constraint& constraint) {
    const Operator op = negate(constraint.op);
    check_operator(constraint.name, constraint.type, op);
    return std::make_shared<const Constraint>(
        Constraint{constraint.name, constraint.type, op, constraint.values});
}

}  // namespace penstock
