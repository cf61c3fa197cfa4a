// Finding places for filters, and taking them out again.
#include "penstock/access.hpp"

#include <algorithm>
#include <utility>

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
        sure_ = alone && (way_ != Way::pattern || anchor_.exact) &&
                (way_ != Way::presence || presence_suffices());
    }

    // Whoever meets it has a match, so that it stands there by its owners.
    bool is_sure() const { return sure_; }

    // False, and nothing is changed, when there is no more room for patterns. The owner matters if it is
    // sure, the check if it is not.
    bool add(InterfaceId owner, Check check) {
        const Posting added = posting(owner, check);
        Name& name = engine_.name(constraint_.name);
        switch (way_) {
            case Way::key:
                name.kinds |= kind_bit(equality_key(constraint_.name, constraint_.type, 0).kind());
                add_keys(added);
                return true;
            case Way::axis: {
                AxisIndex::Id& axis = name.axes[static_cast<std::size_t>(axis_kind(constraint_.type))];
                if (axis == AxisIndex::none) axis = engine_.axes_.create();
                engine_.axes_.insert(axis, side(), sure_, point(), added);
                return true;
            }
            case Way::interval:
                name.levels |= level_bit(axis_kind(constraint_.type), cells().level());
                add_keys(added);
                return true;
            case Way::pattern:
                name.kinds |= pattern_bit;
                return add_pattern(added);
            case Way::presence:
                name.kinds |= presence_bit(constraint_.type);
                engine_.keys_.add(presence_key(constraint_.name, constraint_.type), added);
                return true;
            default:
                name.kinds |= exclusion_bit(constraint_.type);
                engine_.keys_.add_pair(exclusion_key(constraint_.name, constraint_.type),
                                       {owner, Check::excluding(hash_of_value())}, {filter_, {}});
                return true;
        }
    }

    void remove(InterfaceId owner) {
        const Posting removed = posting(owner, Check::nothing());
        switch (way_) {
            case Way::key:
            case Way::interval:
                return for_each_key([&](const Key& key) {
                    remove_key(key, removed);
                    return true;
                });
            case Way::axis: {
                const Name& name = engine_.name(constraint_.name);
                return engine_.axes_.erase(name.axes[static_cast<std::size_t>(axis_kind(constraint_.type))],
                                           side(), sure_, point(), removed.target);
            }
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
                return engine_.keys_.remove_pair(exclusion_key(constraint_.name, constraint_.type),
                                                 {owner, {}}, {filter_, {}});
        }
    }

  private:
    Posting posting(InterfaceId owner, Check check) const {
        const auto relation =
            static_cast<unsigned>(way_ == Way::pattern ? anchor_.relation : Relation::equal);
        if (sure_) return {owner, Check::sure().with_relation(relation)};
        return {filter_, check.with_relation(relation)};
    }
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

    AxisIndex::Side side() const {
        const bool lower = constraint_.op == Operator::gt || constraint_.op == Operator::ge;
        return lower ? AxisIndex::Side::lower : AxisIndex::Side::upper;
    }
    AxisPoint point() const {
        const bool later = constraint_.op == Operator::le || constraint_.op == Operator::gt;
        if (constraint_.type != Type::string)
            return AxisPoint(AxisKey::of(values_.number(constraint_.value), later));
        return {AxisKey::of(values_.text(constraint_.value), constraint_.value, later), values_.strings()};
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

AccessEngine::Name& AccessEngine::name(NameId id) {
    if (id >= names_.size()) names_.resize(id + 1);
    return names_[id];
}

void AccessEngine::read(FilterId filter) const {
    constraints_.clear();
    StoredConstraint constraint{};
    for (ConstraintCursor cursor(catalogue_.filters().at(filter)); cursor.next(constraint);)
        constraints_.push_back(constraint);
}

double AccessEngine::likelihood_of(const StoredConstraint& constraint) const {
    const bool known = constraint.name < names_.size();
    const bool text = constraint.type == Type::string;
    const std::uint32_t values =
        known ? (text ? names_[constraint.name].strings : names_[constraint.name].numbers) : 0;
    return likelihood_.of(constraint, catalogue_.filters(), keys_, values);
}

// The first upper bound of the same name and type, if this is a lower one on numbers.
const StoredConstraint* AccessEngine::upper_bound(const StoredConstraint& lower) const {
    if (!is_numeric(lower.type) || (lower.op != Operator::gt && lower.op != Operator::ge)) return nullptr;
    const auto found = std::ranges::find_if(constraints_, [&](const StoredConstraint& other) {
        return other.name == lower.name && other.type == lower.type &&
               (other.op == Operator::lt || other.op == Operator::le);
    });
    return found == constraints_.end() ? nullptr : &*found;
}

double AccessEngine::likelihood_of_interval(const StoredConstraint& lower,
                                            const StoredConstraint& upper) const {
    const ValueStore& values = catalogue_.filters().values();
    const CellRange cells(values.number(lower.value), values.number(upper.value));
    return cells.is_narrow() ? likelihood_.of_interval(lower, upper, cells.width(), catalogue_.filters()) : 1;
}

bool AccessEngine::needs_presence(NameId name) const {
    return std::ranges::any_of(constraints_, [name](const StoredConstraint& constraint) {
        return constraint.name == name && constraint.op != Operator::not_exists;
    });
}

// The constraint that is least likely to hold, and the check that is least likely to pass; false if the
// filter cannot match.
bool AccessEngine::choose(FilterId filter, std::uint8_t& access, Check& check) const {
    read(filter);
    const std::size_t count = constraints_.size();
    double best = 2;
    double second = 2;  // of the check
    std::size_t first_at = count;
    bool interval = false;
    std::size_t second_at = count;
    for (std::size_t i = 0; i < count; ++i) {
        const StoredConstraint& constraint = constraints_[i];
        if (constraint.op == Operator::not_exists) {
            if (needs_presence(constraint.name)) return false;
            continue;
        }
        const double likelihood = count == 1 ? 1 : likelihood_of(constraint);
        if (i > max_access) continue;
        if (likelihood < best) {
            best = likelihood;
            first_at = i;
            interval = false;
        }
        const StoredConstraint* const upper = upper_bound(constraint);
        if (upper == nullptr) continue;
        if (const double both = likelihood_of_interval(constraint, *upper); both < best) {
            best = both;
            first_at = i;
            interval = true;
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (i == first_at) continue;
        const double passes = likelihood_.of_check(constraints_[i], catalogue_.filters());
        if (passes < second) {
            second = passes;
            second_at = i;
        }
    }
    access = first_at == count ? always : static_cast<std::uint8_t>(first_at);
    if (interval) access |= as_interval;
    if (second_at < count) check = Check::of(constraints_[second_at], catalogue_.filters().values());
    return true;
}

// Precondition: the filter has been read; `access` is not `always`.
AccessEngine::Placing AccessEngine::placing(FilterId filter, std::uint8_t access) {
    const StoredConstraint& constraint = constraints_[number_of(access)];
    const bool interval = (access & as_interval) != 0;
    return {*this,
            filter,
            constraint,
            interval ? upper_bound(constraint) : nullptr,
            constraints_.size() == 1,
            (access & by_presence) != 0};
}

bool AccessEngine::stands_by_owners(FilterId filter, std::uint8_t access) {
    return access == always ? constraints_.empty() : placing(filter, access).is_sure();
}

// Precondition: the filter has been read.
void AccessEngine::put(FilterId filter, std::uint8_t access, Check check) {
    FilterStore& filters = catalogue_.filters();
    const Owner owner = filters.owner(filter);
    const std::span<const InterfaceId> owners = catalogue_.groups().members(owner);
    std::size_t done = 0;
    try {
        do {
            put_one(filter, access, owners[done], check);
            ++done;
        } while (done < owners.size() && stands_by_owners(filter, access));
    } catch (...) {
        while (done-- > 0) take_one(filter, access, owners[done]);
        throw;
    }
    filters.set_access(filter, access);
}

// The access may come to be by presence.
void AccessEngine::put_one(FilterId filter, std::uint8_t& access, InterfaceId owner, Check check) {
    if (access == always) {
        keys_.add(always_key(),
                  constraints_.empty() ? Posting{owner, Check::sure()} : Posting{filter, check});
        ++always_;
        return;
    }
    if (placing(filter, access).add(owner, check)) return;
    access |= by_presence;
    placing(filter, access).add(owner, check);
}

void AccessEngine::take_one(FilterId filter, std::uint8_t access, InterfaceId owner) noexcept {
    if (access != always) return placing(filter, access).remove(owner);
    keys_.remove(always_key(),
                 constraints_.empty() ? Posting{owner, Check::sure()} : Posting{filter, Check::nothing()});
    --always_;
}

void AccessEngine::add(FilterId filter) {
    std::uint8_t access = always;
    Check check = Check::nothing();
    if (choose(filter, access, check)) put(filter, access, check);
}

void AccessEngine::add_owner(FilterId filter, InterfaceId interface) {
    std::uint8_t access = catalogue_.filters().access(filter);
    if (access == FilterStore::no_access) return;
    read(filter);
    if (stands_by_owners(filter, access)) put_one(filter, access, interface, Check::nothing());
}

void AccessEngine::remove(FilterId filter) noexcept {
    FilterStore& filters = catalogue_.filters();
    const std::uint8_t access = filters.access(filter);
    if (access == FilterStore::no_access) return;
    read(filter);
    take_one(filter, access, filters.owner(filter));
    filters.set_access(filter, FilterStore::no_access);
}

void AccessEngine::remove_owner(FilterId filter, InterfaceId interface) noexcept {
    const std::uint8_t access = catalogue_.filters().access(filter);
    if (access == FilterStore::no_access) return;
    read(filter);
    if (stands_by_owners(filter, access)) take_one(filter, access, interface);
}

void AccessEngine::replace(FilterId filter) {
    std::uint8_t access = always;
    Check check = Check::nothing();
    const std::uint8_t current = catalogue_.filters().access(filter);
    if (current == FilterStore::no_access || !choose(filter, access, check) || access == current) return;
    put(filter, access, check);
    take_one(filter, current, 0);  // it has several constraints, so it does not stand there by its owners
}

AccessEngine::Bytes AccessEngine::bytes() const {
    return {
        .keys = keys_.bytes(),
        .axes = axes_.bytes(),
        .patterns = trie_.bytes(),
        .names = names_.bytes(),
        .statistics = likelihood_.bytes(),
    };
}

void AccessEngine::shrink() {
    keys_.shrink();
    axes_.shrink();
    names_.shrink();
}

}  // namespace penstock
