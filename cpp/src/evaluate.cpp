// The meaning of every operator, for one value at a time.
#include "penstock/evaluate.hpp"

#include <algorithm>

#include "penstock/pattern.hpp"

namespace penstock {

namespace {

// Precondition: the type of the value is accepted by the constraint that the scalar comes from; no NaN.
int compare(const ValueView& value, const Scalar& scalar) {
    if (value.type == Type::string) return value.text.compare(std::get<std::string>(scalar));
    if (value.type == Type::bool_) {
        return static_cast<int>(value.boolean) - static_cast<int>(std::get<bool>(scalar));
    }
    const auto order = value.number() <=> number_of(scalar);
    return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

bool contains(const std::vector<Scalar>& sorted, const ValueView& value) {
    const auto found = std::partition_point(
        sorted.begin(), sorted.end(), [&](const Scalar& candidate) { return compare(value, candidate) > 0; });
    return found != sorted.end() && compare(value, *found) == 0;
}

// Operators with an even code; each odd one is the negation of the one before it.
bool holds(Operator op, const ValueView& value, const std::vector<Scalar>& values) {
    const auto text = [&] { return std::string_view(std::get<std::string>(values.front())); };
    switch (op) {
        case Operator::eq:
            return compare(value, values.front()) == 0;
        case Operator::lt:
            return compare(value, values.front()) < 0;
        case Operator::gt:
            return compare(value, values.front()) > 0;
        case Operator::prefix:
            return value.text.starts_with(text());
        case Operator::suffix:
            return value.text.ends_with(text());
        case Operator::substring:
            return value.text.find(text()) != std::string_view::npos;
        case Operator::in:
            return contains(values, value);
        case Operator::like:
            return like_matches(text(), value.text);
        case Operator::topic:
            return topic_matches(text(), value.text);
        default:
            return !holds(negate(op), value, values);
    }
}

}  // namespace

bool satisfies(const ValueView& value, const Constraint& constraint) {
    if (!accepts(constraint.type, value.type)) return false;
    if (is_presence(constraint.op)) return constraint.op == Operator::exists;
    return !value.is_nan() && holds(constraint.op, value, constraint.values);
}

bool matches(const Filter& filter, MessageView message) {
    return std::all_of(
        filter.constraints.begin(), filter.constraints.end(), [&](const ConstraintPtr& wanted) {
            const auto attribute = std::find_if(message.begin(), message.end(),
                                                [&](const Attribute& a) { return a.name == wanted->name; });
            if (attribute == message.end()) return wanted->op == Operator::not_exists;
            return satisfies(attribute->value, *wanted);
        });
}

bool matches(const Predicate& predicate, MessageView message) {
    return std::any_of(predicate.filters.begin(), predicate.filters.end(),
                       [&](const FilterPtr& filter) { return matches(*filter, message); });
}

}  // namespace penstock
