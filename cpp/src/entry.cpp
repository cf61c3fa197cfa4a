#include "penstock/entry.hpp"

#include "penstock/pattern_trie.hpp"

namespace penstock {

EntryAnchor anchor_of(const StoredConstraint& constraint, const ValueStore& values) {
    const std::string_view text = values.text(constraint.value);
    if (constraint.op == Operator::like || constraint.op == Operator::topic) {
        Anchor anchor = constraint.op == Operator::like ? like_anchor(text) : topic_anchor(text);
        anchor.text.resize(std::min(anchor.text.size(), PatternTrie::max_bytes));
        const bool start = anchor.place == Anchor::Place::start;
        return {std::move(anchor.text), start ? Relation::prefix : Relation::substring, false};
    }
    const bool exact = text.size() <= PatternTrie::max_bytes;
    if (constraint.op == Operator::suffix) {
        const std::size_t skipped = exact ? 0 : text.size() - PatternTrie::max_bytes;
        return {std::string(text.substr(skipped)), Relation::suffix, exact};
    }
    const Relation relation = constraint.op == Operator::prefix ? Relation::prefix : Relation::substring;
    return {std::string(text.substr(0, PatternTrie::max_bytes)), relation, exact};
}

AxisIndex::Side side_of(Operator op) {
    return op == Operator::gt || op == Operator::ge ? AxisIndex::Side::lower : AxisIndex::Side::upper;
}

AxisPoint point_of(const StoredConstraint& constraint, const ValueStore& values) {
    const bool later = constraint.op == Operator::le || constraint.op == Operator::gt;
    if (constraint.type != Type::string)
        return AxisPoint(AxisKey::of(values.number(constraint.value), later));
    return {AxisKey::of(values.text(constraint.value), constraint.value, later), values.strings()};
}

Way way_of(const StoredConstraint& constraint, const ValueStore& values) {
    switch (constraint.op) {
        case Operator::eq:
        case Operator::in:
            return Way::key;
        case Operator::lt:
        case Operator::le:
        case Operator::gt:
        case Operator::ge:
            return Way::axis;
        case Operator::prefix:
        case Operator::suffix:
        case Operator::substring:
            return values.text(constraint.value).empty() ? Way::presence : Way::pattern;
        case Operator::like:
        case Operator::topic:
            return anchor_of(constraint, values).text.empty() ? Way::presence : Way::pattern;
        case Operator::ne:
            return Way::exclusion;
        default:
            return Way::presence;
    }
}

}  // namespace penstock
