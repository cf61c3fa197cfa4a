// Covering between two textual constraints: as wildcard patterns, or level by level where topics take part.
#include <algorithm>

#include "penstock/implication.hpp"
#include "penstock/pattern.hpp"
#include "penstock/wildcard.hpp"

namespace penstock {

namespace {

// A level may be of any length but holds no '/', which a run cannot say: the symbols enclose the topics.
void append_topic(Symbols& symbols, std::string_view pattern) {
    for (const std::string_view level : topic_levels(pattern)) {
        if (!symbols.empty()) symbols.push_back('/');
        if (level == "*") {
            symbols.push_back(any_run);
        } else {
            append_text(symbols, level);
        }
    }
    symbols.push_back(any_run);
}

// Of a positive test; exact but for topics.
Symbols symbols_of(const TextTest& test) {
    Symbols symbols;
    if (test.op == Operator::suffix || test.op == Operator::substring) symbols.push_back(any_run);
    if (test.op == Operator::like) {
        append_like(symbols, test.text);
    } else if (test.op == Operator::topic) {
        append_topic(symbols, test.text);
    } else {
        append_text(symbols, test.text);
    }
    if (test.op == Operator::prefix || test.op == Operator::substring) symbols.push_back(any_run);
    return symbols;
}

bool topics_disjoint(std::string_view a, std::string_view b) {
    const auto a_levels = topic_levels(a);
    const auto b_levels = topic_levels(b);
    const auto shared = std::min(a_levels.size(), b_levels.size());
    for (std::size_t i = 0; i < shared; ++i) {
        if (a_levels[i] != "*" && b_levels[i] != "*" && a_levels[i] != b_levels[i]) return true;
    }
    return false;
}

// All levels of a prefix but the last are complete; the last may still grow.
bool topic_disjoint_from_prefix(std::string_view topic, std::string_view prefix) {
    const auto levels = topic_levels(topic);
    const auto given = topic_levels(prefix);
    const auto shared = std::min(levels.size(), given.size());
    for (std::size_t i = 0; i < shared; ++i) {
        if (levels[i] == "*") continue;
        const bool complete = i + 1 < given.size();
        if (complete ? levels[i] != given[i] : !levels[i].starts_with(given[i])) return true;
    }
    return false;
}

// Both positive.
bool never_both(const TextTest& a, const TextTest& b) {
    if (a.op == Operator::topic && b.op == Operator::topic) return topics_disjoint(a.text, b.text);
    if (a.op == Operator::topic && b.op == Operator::prefix)
        return topic_disjoint_from_prefix(a.text, b.text);
    if (a.op == Operator::prefix && b.op == Operator::topic)
        return topic_disjoint_from_prefix(b.text, a.text);
    return disjoint(symbols_of(a), symbols_of(b));
}

bool topic_encloses(std::string_view topic, const TextTest& inner) {
    // A wildcard of the inner pattern is a level that no literal one is equal to.
    if (inner.op == Operator::topic) return topic_matches(topic, inner.text);
    const auto slash = inner.text.rfind('/');
    return inner.op == Operator::prefix && slash != std::string_view::npos &&
           topic_matches(topic, inner.text.substr(0, slash));
}

// Both positive.
bool contains(const TextTest& outer, const TextTest& inner) {
    if (outer.op == Operator::topic) return topic_encloses(outer.text, inner);
    return encloses(symbols_of(outer), symbols_of(inner));
}

}  // namespace

bool text_implies(const TextTest& given, const TextTest& wanted) {
    const TextTest not_given{negate(given.op), given.text};
    const TextTest not_wanted{negate(wanted.op), wanted.text};
    if (!is_exclusion(wanted.op)) return !is_exclusion(given.op) && contains(wanted, given);
    if (is_exclusion(given.op)) return contains(not_given, not_wanted);
    return never_both(given, not_wanted);
}

}  // namespace penstock
