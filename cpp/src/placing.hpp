// How a filter goes into the access engine's index, and how it comes out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "penstock/access.hpp"

namespace penstock {

// A filter on its way into the index or out of it, under one of its constraints.
class AccessEngine::Placing {
  public:
    // With the upper bound if it stands as an interval.
    Placing(AccessEngine& engine, FilterId filter, const StoredConstraint& constraint,
            const StoredConstraint* upper, bool alone, bool presence)
        : engine_(engine),
          values_(engine.catalogue_.filters().values()),
          filter_(filter),
          constraint_(constraint),
          upper_(upper),
          way_(presence ? Way::presence : way_of(constraint, values_)) {
        if (upper != nullptr) way_ = Way::interval;
        if (way_ == Way::exclusion && !alone) way_ = Way::presence;
        if (way_ == Way::pattern) anchor_ = anchor_of(constraint, values_);
        sure_ = alone && is_exact();
    }

    // Whoever meets it has a match, so that it stands there by its owners.
    bool is_sure() const { return sure_; }

    // Whoever meets it knows that its constraint holds.
    bool is_exact() const {
        return way_ != Way::interval && (way_ != Way::pattern || anchor_.exact) &&
               (way_ != Way::presence || presence_suffices());
    }

    // False, and nothing is changed, when there is no more room for patterns. The owner matters if it is
    // sure, the checks if it is not.
    bool add(InterfaceId owner, const Checks& checks) {
        const Posting added = posting(owner, checks);
        Name& name = engine_.name(constraint_.name);
        switch (way_) {
            case Way::key:
                name.kinds |= kind_bit(equality_key(constraint_.name, constraint_.type, 0).kind());
                add_keys(added);
                return true;
            case Way::axis:
                name.kinds |= bound_bit;
                add_bound(added);
                return true;
            case Way::interval:
                name.levels |= level_bit(axis_kind(constraint_.type), cells().level());
                add_keys(added);
                return true;
            case Way::pattern:
                name.kinds |= anchor_.relation == Relation::prefix ? pattern_bit : pattern_bit | inner_bit;
                return add_pattern(added);
            case Way::presence:
                name.kinds |= presence_bit(constraint_.type);
                engine_.keys_.add(presence_key(constraint_.name, constraint_.type), added);
                return true;
            default:
                name.kinds |= exclusion_bit(constraint_.type) | asked_bits(Check::asks_hash);
                engine_.keys_.add(exclusion_key(constraint_.name, constraint_.type), exclusion(owner));
                return true;
        }
    }

    void remove(InterfaceId owner) {
        const Posting removed = posting(owner, {});
        switch (way_) {
            case Way::key:
            case Way::interval:
                return for_each_key([&](const Key& key) {
                    remove_key(key, removed);
                    return true;
                });
            case Way::axis:
                return remove_bound(removed);
            case Way::pattern: {
                const StringPool::Id id = values_.strings().find(anchor_.text);
                engine_.keys_.remove(Key(constraint_.name, Key::Kind::string, id), removed);
                engine_.trie_.remove(anchor_.text);
                return values_.strings().release(id);
            }
            case Way::presence:
                engine_.keys_.remove(presence_key(constraint_.name, constraint_.type), removed);
                return;
            default:
                engine_.keys_.remove(exclusion_key(constraint_.name, constraint_.type), exclusion(owner));
        }
    }

  private:
    Posting posting(InterfaceId owner, const Checks& checks) const {
        const Relation relation = way_ == Way::pattern ? anchor_.relation : Relation::equal;
        if (sure_) return Posting::sure(owner).with_relation(relation);
        const bool complete = checks.complete && (checks.covers_access || is_exact());
        return Posting{filter_, checks.checks}.with_relation(relation).made_complete(complete);
    }
    Posting exclusion(InterfaceId owner) const { return Posting::excluding(owner, hash_of_value(), filter_); }
    bool presence_suffices() const {
        return constraint_.op == Operator::exists ||
               ((constraint_.op == Operator::prefix || constraint_.op == Operator::suffix ||
                 constraint_.op == Operator::substring) &&
                values_.text(constraint_.value).empty());
    }
    std::uint32_t hash_of_value() const {
        if (constraint_.type == Type::bool_) return constraint_.value;
        return constraint_.type == Type::string ? Check::hash(values_.text(constraint_.value))
                                                : Check::hash(values_.number(constraint_.value));
    }

    CellRange cells() const { return {values_.number(constraint_.value), values_.number(upper_->value)}; }

    // Calls visit(key) for the value, for each of them, or for each cell, until it returns false.
    template <class Visit>
    void for_each_key(Visit&& visit) const {
        if (way_ == Way::interval) {
            bool go_on = true;
            return cells().for_each(constraint_.name, axis_kind(constraint_.type),
                                    [&](const Key& key) { go_on = go_on && visit(key); });
        }
        if (constraint_.op == Operator::eq) {
            visit(equality_key(constraint_));
            return;
        }
        for (std::uint32_t i = 0; i < constraint_.set.size(); ++i) {
            if (!visit(equality_key(constraint_.name, constraint_.type, constraint_.set[i]))) return;
        }
    }
    void add_keys(const Posting& added) {
        std::size_t done = 0;
        try {
            for_each_key([&](const Key& key) {
                if (engine_.keys_.add(key, added) && way_ == Way::key) ++values_asked_for();
                ++done;
                return true;
            });
        } catch (...) {
            for_each_key([&](const Key& key) {
                if (done-- == 0) return false;
                remove_key(key, added);
                return true;
            });
            throw;
        }
    }

    void remove_key(const Key& key, const Posting& removed) {
        if (engine_.keys_.remove(key, removed) && way_ == Way::key) --values_asked_for();
    }
    std::uint32_t& values_asked_for() {
        Name& name = engine_.name(constraint_.name);
        return constraint_.type == Type::string ? name.strings : name.numbers;
    }

    Axis& axis() const {
        return engine_.name(constraint_.name).axes[static_cast<std::size_t>(axis_kind(constraint_.type))];
    }
    FrontIndex::Front& front() const {
        return engine_.name(constraint_.name).fronts[static_cast<std::size_t>(axis_kind(constraint_.type))];
    }
    void add_bound(const Posting& added) {
        const AxisIndex::Side side = side_of(constraint_.op);
        const AxisPoint point = point_of(constraint_, values_);
        engine_.axes_.insert(axis(), side, sure_, point, added);
        if (!sure_ || engine_.has_fronts_ == 0) return;
        try {
            engine_.fronts_.advance(front(), side, point, added.target);
        } catch (...) {
            engine_.axes_.erase(axis(), side, sure_, point, added.target);
            throw;
        }
    }
    void remove_bound(const Posting& removed) {
        const AxisIndex::Side side = side_of(constraint_.op);
        const AxisPoint point = point_of(constraint_, values_);
        engine_.axes_.erase(axis(), side, sure_, point, removed.target);
        if (!sure_ || !engine_.fronts_.has(front(), side, point.key(), removed.target)) return;
        std::optional<AxisPoint> next;
        if (const auto key = engine_.axes_.furthest(axis(), side, removed.target)) next = point.at_key(*key);
        engine_.fronts_.retreat(front(), side, removed.target, next);
    }
    bool add_pattern(const Posting& added) {
        const StringPool::Id id = values_.strings().acquire(anchor_.text);
        bool known = false;
        try {
            known = engine_.trie_.add(anchor_.text, id);
            if (known) {
                engine_.keys_.add(Key(constraint_.name, Key::Kind::string, id), added);
                return true;
            }
        } catch (...) {
            if (known) engine_.trie_.remove(anchor_.text);
            values_.strings().release(id);
            throw;
        }
        values_.strings().release(id);
        return false;
    }

    AccessEngine& engine_;
    ValueStore& values_;
    FilterId filter_;
    const StoredConstraint& constraint_;
    const StoredConstraint* upper_;
    Way way_;
    EntryAnchor anchor_{};
    bool sure_;
};

}  // namespace penstock
