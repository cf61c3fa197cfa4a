// Covering among strings: half-open intervals in byte order, then patterns for what no interval can say.
//
// In question are the strings that satisfy all that is known, but not what is wanted. They are enclosed in
// intervals; each of those is then cleared, string by string where it is finite, by its common prefix
// otherwise.
#include <algorithm>

#include "penstock/evaluate.hpp"
#include "penstock/implication.hpp"
#include "penstock/pattern.hpp"
#include "penstock/string_interval.hpp"

namespace penstock {

namespace {

// Bounds on the effort that one question may take; beyond them the answer is "not sure".
constexpr std::size_t max_finite = 64;
constexpr std::size_t max_endless = 64;

struct Region {
    Strings strings;
    bool exact;  // else the strings only enclose the solutions
};

Region topic_region(const std::string& pattern) {
    const std::string head = topic_anchor(pattern).text;
    if (head != pattern) return {strings_starting_with(head), false};
    Strings strings(pattern, behind(pattern));
    strings.append(pattern + '/', behind_extensions(pattern + '/'));
    return {strings, true};
}

Region like_region(const std::string& pattern) {
    const Anchor anchor = like_anchor(pattern);
    const std::string head = anchor.place == Anchor::Place::start ? anchor.text : std::string();
    // A head and at least one character more is all extensions but the head itself.
    if (pattern == head + "_%") return {Strings(behind(head), behind_extensions(head)), true};
    return {strings_starting_with(head), false};
}

Region points_region(const std::vector<Scalar>& values) {
    Strings strings;
    for (const Scalar& value : values) {
        const auto& point = std::get<std::string>(value);
        strings.append(point, behind(point));
    }
    return {strings, true};
}

// For the first operator of each pair.
Region positive_region(Operator op, const std::vector<Scalar>& values) {
    if (op == Operator::exists) return {all_strings(), true};
    const auto& value = std::get<std::string>(values.front());
    switch (op) {
        case Operator::lt:
            return {Strings(std::string(), value), true};
        case Operator::gt:
            return {Strings(behind(value), std::nullopt), true};
        case Operator::prefix:
            return {strings_starting_with(value), true};
        case Operator::suffix:
        case Operator::substring:
            return {all_strings(), value.empty()};
        case Operator::topic:
            return topic_region(value);
        case Operator::like:
            return like_region(value);
        default:
            return points_region(values);
    }
}

bool is_positive(Operator op) {
    return std::min(op, negate(op)) == op;
}

Region region_of(const Constraint& constraint) {
    if (is_positive(constraint.op)) return positive_region(constraint.op, constraint.values);
    const Region opposite = positive_region(negate(constraint.op), constraint.values);
    if (!opposite.exact) return {all_strings(), false};
    return {opposite.strings.complement({}), true};
}

// Encloses the strings that do not satisfy the constraint.
Strings failures(const Constraint& constraint) {
    if (!is_positive(constraint.op)) return positive_region(negate(constraint.op), constraint.values).strings;
    const Region region = region_of(constraint);
    return region.exact ? region.strings.complement({}) : all_strings();
}

TextTest test_of(const Constraint& constraint) {
    return {constraint.op, std::get<std::string>(constraint.values.front())};
}

TextTest opposite_of(const Constraint& constraint) {
    return {negate(constraint.op), test_of(constraint).text};
}

// One question: does anything satisfy all of `known` and not `wanted`?
struct Question {
    Known known;
    const Constraint* wanted;

    // By one known constraint, or by two that contradict each other.
    bool settled_by_patterns() const {
        return std::any_of(known.begin(), known.end(), [&](const auto& k) {
            if (!is_textual(k->op)) return false;
            if (wanted) return is_textual(wanted->op) && text_implies(test_of(*k), test_of(*wanted));
            return std::any_of(known.begin(), known.end(), [&](const auto& other) {
                return is_textual(other->op) && text_implies(test_of(*k), opposite_of(*other));
            });
        });
    }

    bool cleared_by_value(const std::string& value) const {
        const auto view = ValueView::of(std::string_view(value));
        return (wanted && satisfies(view, *wanted)) ||
               std::any_of(known.begin(), known.end(), [&](const auto& k) { return !satisfies(view, *k); });
    }

    bool cleared_by_prefix(const std::string& prefix) const {
        const TextTest start{Operator::prefix, prefix};
        if (wanted && is_textual(wanted->op) && text_implies(start, test_of(*wanted))) return true;
        return std::any_of(known.begin(), known.end(), [&](const auto& k) {
            return is_textual(k->op) && text_implies(start, opposite_of(*k));
        });
    }

    bool cleared(const Interval<std::string>& interval) const {
        const std::size_t count = count_strings(interval);
        if (count == 0 || count > max_finite) return cleared_by_prefix(common_prefix(interval));
        std::string value = interval.from;
        for (std::size_t i = 0; i < count; ++i, value += '\0') {
            if (!cleared_by_value(value)) return false;
        }
        return true;
    }
};

}  // namespace

bool strings_imply(Known known, const Constraint* wanted) {
    Strings left = wanted ? failures(*wanted) : all_strings();
    for (const ConstraintPtr& constraint : known) {
        if (left.empty()) return true;
        left = intersect(left, region_of(*constraint).strings);
    }
    const Question question{known, wanted};
    if (left.empty() || question.settled_by_patterns()) return true;
    const auto endless = std::count_if(left.begin(), left.end(), [](const auto& interval) {
        const std::size_t count = count_strings(interval);
        return count == 0 || count > max_finite;
    });
    return static_cast<std::size_t>(endless) <= max_endless &&
           std::all_of(left.begin(), left.end(), [&](const auto& i) { return question.cleared(i); });
}

}  // namespace penstock
