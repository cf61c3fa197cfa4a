#include "penstock/judge.hpp"

#include "penstock/pattern.hpp"

namespace penstock {

namespace {

// Less than, equal to or greater than the constraint's value.
int order(const StoredConstraint& constraint, const KnownValue& value, const ValueStore& values) {
    if (constraint.type == Type::string) return value.view->text.compare(values.text(constraint.value));
    const auto result = value.number <=> values.number(constraint.value);
    return result < 0 ? -1 : (result > 0 ? 1 : 0);
}

// Operators with an even code; each odd one is the negation of the one before it.
bool plain_holds(const StoredConstraint& constraint, const KnownValue& value, const ValueStore& values) {
    const auto text = [&] { return values.text(constraint.value); };
    switch (static_cast<Operator>(static_cast<unsigned>(constraint.op) & ~1U)) {
        case Operator::eq:
            return value.code == constraint.value;
        case Operator::lt:
            return order(constraint, value, values) < 0;
        case Operator::gt:
            return order(constraint, value, values) > 0;
        case Operator::prefix:
            return value.view->text.starts_with(text());
        case Operator::suffix:
            return value.view->text.ends_with(text());
        case Operator::substring:
            return value.view->text.find(text()) != std::string_view::npos;
        case Operator::in:
            return value.code && constraint.set.contains(*value.code);
        case Operator::like:
            return like_matches(text(), value.view->text);
        default:
            return topic_matches(text(), value.view->text);
    }
}

}  // namespace

bool holds(const StoredConstraint& constraint, const KnownValue* value, const ValueStore& values) {
    if (value == nullptr) return constraint.op == Operator::not_exists;
    if (!accepts(constraint.type, value->view->type)) return false;
    if (is_presence(constraint.op)) return constraint.op == Operator::exists;
    if (value->view->is_nan()) return false;
    const bool negated = (static_cast<unsigned>(constraint.op) & 1U) != 0;
    return plain_holds(constraint, *value, values) != negated;
}

}  // namespace penstock
