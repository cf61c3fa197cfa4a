// Covering of filters: each constraint of f must follow from what g says about the same attribute.
//
// An attribute may be absent, NaN, or a value of one of four types. What g says is taken apart by these
// cases, and the constraint must hold in each case that g leaves open.
#include "penstock/covering.hpp"

#include <algorithm>

#include "penstock/evaluate.hpp"
#include "penstock/implication.hpp"

namespace penstock {

namespace {

// The constraints of a filter on one name: neighbours, since a filter is sorted by name.
Known on_name(const Filter& filter, const std::string& name) {
    const auto& all = filter.constraints;
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](const ConstraintPtr& c) { return c->name < name; });
    const auto last = std::find_if(first, all.end(), [&](const ConstraintPtr& c) { return c->name != name; });
    return {first, last};
}

bool bools_imply(Known known, const Constraint* wanted) {
    for (const bool value : {false, true}) {
        const auto view = ValueView::of(value);
        const bool possible =
            std::all_of(known.begin(), known.end(), [&](const auto& k) { return satisfies(view, *k); });
        if (possible && !(wanted && satisfies(view, *wanted))) return false;
    }
    return true;
}

// NaN satisfies `exists` and nothing else.
bool nan_implies(Known known, const Constraint* wanted) {
    const auto exists = [](const auto& k) { return k->op == Operator::exists; };
    return !std::all_of(known.begin(), known.end(), exists) || (wanted && exists(wanted));
}

bool values_imply(Known known, const Constraint* wanted, Type type) {
    switch (type) {
        case Type::bool_:
            return bools_imply(known, wanted);
        case Type::string:
            return strings_imply(known, wanted);
        case Type::float_:
            return nan_implies(known, wanted) && numbers_imply(known, wanted, type);
        default:
            return numbers_imply(known, wanted, type);
    }
}

// Does `wanted` (never, if null) hold for each attribute that satisfies all of `known`, which is not empty?
bool implies(Known known, const Constraint* wanted) {
    const auto absent = [](const auto& k) { return k->op == Operator::not_exists; };
    if (std::any_of(known.begin(), known.end(), absent)) {
        // Canonical filters hold `not exists` once, so a second constraint contradicts it.
        return known.size() > 1 || (wanted && absent(wanted));
    }
    for (const Type type : {Type::bool_, Type::int_, Type::float_, Type::string}) {
        const auto looks_at = [&](const auto& c) { return accepts(c->type, type); };
        if (!std::all_of(known.begin(), known.end(), looks_at)) continue;
        const bool useful = wanted && !absent(wanted) && looks_at(wanted);
        if (!values_imply(known, useful ? wanted : nullptr, type)) return false;
    }
    return true;
}

bool implies(const Filter& g, const Constraint& wanted) {
    const Known known = on_name(g, wanted.name);
    const auto same = [&](const ConstraintPtr& k) { return *k == wanted; };
    return !known.empty() && (std::any_of(known.begin(), known.end(), same) || implies(known, &wanted));
}

// Only ranges and exclusions can be void on their own; most filters have nothing else to look into.
bool may_contradict(Known known) {
    return known.size() > 1 || is_order(known.front()->op) || is_exclusion(known.front()->op);
}

bool is_void(const Filter& filter) {
    for (Known rest(filter.constraints); !rest.empty();) {
        const Known known = on_name(filter, rest.front()->name);
        if (may_contradict(known) && implies(known, nullptr)) return true;
        rest = rest.subspan(known.size());
    }
    return false;
}

}  // namespace

bool covers(const Filter& f, const Filter& g) {
    const bool each = std::all_of(f.constraints.begin(), f.constraints.end(),
                                  [&](const ConstraintPtr& wanted) { return implies(g, *wanted); });
    return each || is_void(g);
}

bool covers(const Predicate& p, const Predicate& q) {
    return std::all_of(q.filters.begin(), q.filters.end(), [&](const FilterPtr& g) {
        return std::any_of(p.filters.begin(), p.filters.end(),
                           [&](const FilterPtr& f) { return covers(*f, *g); });
    });
}

}  // namespace penstock
