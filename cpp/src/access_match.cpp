// One match of the access engine, in stages: what is cheap and yields much comes first, since the work ends
// as soon as every interface is found.
#include <algorithm>

#include "access_lookup.hpp"
#include "penstock/access.hpp"

namespace penstock {

class AccessMatch {
  public:
    using Scratch = AccessEngine::Scratch;

    AccessMatch(const AccessEngine& engine, Scratch& scratch, std::vector<InterfaceId>& matched)
        : engine_(engine),
          catalogue_(engine.catalogue_),
          filters_(engine.catalogue_.filters()),
          scratch_(scratch),
          matched_(matched),
          first_(matched.size()),
          distinct_(catalogue_.one_filter_each()) {}

    void run(MessageView message) {
        scratch_.trace_ = {};
        if (scratch_.present_.size() < filters_.names().bound())
            scratch_.present_.resize(filters_.names().bound());
        if (!distinct_ && scratch_.seen_.size() < catalogue_.interfaces().bound())
            scratch_.seen_.resize(catalogue_.interfaces().bound());
        resolve(message);
        walk();
        clean();
    }

  private:
    // Each stage returns false when every interface is found. Where that is not to be expected, the keys are
    // worked out first, so that memory answers while the bounds are searched.
    bool walk() {
        const bool many = catalogue_.interfaces().size() > few_interfaces;
        if (many) AccessLookup(engine_, scratch_).run();
        if (!match_bounds<true>()) return false;
        if (!many) AccessLookup(engine_, scratch_).run();
        find_keys();
        return match_bounds<false>() && match_keys() && judge();
    }

    void resolve(MessageView message) {
        scratch_.acceptances_.emplace_back();
        for (const Attribute& attribute : message) {
            const NameId name = filters_.names().find(attribute.name);
            if (name == StringPool::none) continue;
            scratch_.values_.push_back({name, KnownValue(attribute.value)});
            scratch_.acceptances_.emplace_back(attribute.value);
            scratch_.present_[name] = static_cast<std::uint16_t>(scratch_.values_.size());
            for_each_axis(scratch_.values_.back(), [&](AxisIndex::Id axis) {
                engine_.axes_.prefetch(axis);
                return true;
            });
        }
        for (const Scratch::Value& value : scratch_.values_) {
            for_each_axis(value, [&](AxisIndex::Id axis) {
                engine_.axes_.prefetch_lists(axis);
                return true;
            });
        }
    }
    void clean() {
        for (const Scratch::Value& value : scratch_.values_) scratch_.present_[value.name] = 0;
        scratch_.values_.clear();
        scratch_.acceptances_.clear();
        scratch_.lookups_.clear();
        scratch_.found_.clear();
        if (distinct_) return;
        for (std::size_t i = first_; i < matched_.size(); ++i) scratch_.seen_.reset(matched_[i]);
    }

    bool all_found() const {
        return !distinct_ && matched_.size() - first_ == catalogue_.interfaces().size();
    }
    void emit(InterfaceId interface) {
        if (!distinct_) {
            if (scratch_.seen_.test(interface)) return;
            scratch_.seen_.set(interface);
        }
        matched_.push_back(interface);
    }
    bool emit_all(std::span<const InterfaceId> interfaces) {
        if (distinct_) {
            matched_.insert(matched_.end(), interfaces.begin(), interfaces.end());
            return true;
        }
        for (const InterfaceId interface : interfaces) emit(interface);
        return !all_found();
    }

    // Notes the filter if it could match, as far as its second constraint tells.
    void consider(std::uint32_t filter, Check check) {
        const Acceptance& acceptance = scratch_.acceptances_[scratch_.present_[check.name()]];
        scratch_.survivors_[survivors_] = filter;
        survivors_ += acceptance.passes(check) ? 1 : 0;
    }
    // Before so many are considered.
    void make_room(std::size_t more) {
        if (scratch_.survivors_.size() < survivors_ + more)
            scratch_.survivors_.resize(survivors_ + more + more / 2);
    }

    template <bool sure>
    bool match_bounds() {
        for (const Scratch::Value& value : scratch_.values_) {
            const bool go_on = for_each_axis(value, [&](AxisIndex::Id axis) {
                return match_axis<sure>(axis,
                                        value.known.view->type == Type::string
                                            ? AxisPoint(value.known.view->text, filters_.values().strings())
                                            : AxisPoint(value.known.number));
            });
            if (!go_on) return false;
        }
        return true;
    }
    // Calls visit(axis) for the axes that the value has a place on, until it returns false.
    template <class Visit>
    bool for_each_axis(const Scratch::Value& value, Visit&& visit) const {
        if (value.name >= engine_.names_.size()) return true;
        const auto& axes = engine_.names_[value.name].axes;
        const auto try_kind = [&](AxisKind kind) {
            const AxisIndex::Id axis = axes[static_cast<std::size_t>(kind)];
            return axis == AxisIndex::none || visit(axis);
        };
        switch (value.known.view->type) {
            case Type::string:
                return try_kind(AxisKind::string);
            case Type::bool_:
                return true;
            default:
                if (value.known.view->is_nan()) return true;
                return try_kind(AxisKind::number) &&
                       try_kind(value.known.view->type == Type::int_ ? AxisKind::int_ : AxisKind::float_);
        }
    }
    template <bool sure>
    bool match_axis(AxisIndex::Id axis, const AxisPoint& point) {
        return engine_.axes_.for_each<sure>(axis, point, [&](const AxisIndex::Stretch& stretch) {
            if constexpr (sure) return emit_all(stretch.targets);
            scratch_.trace_.candidates += stretch.targets.size();
            make_room(stretch.targets.size());
            for (std::size_t i = 0; i < stretch.targets.size(); ++i)
                consider(stretch.targets[i], stretch.checks[i]);
            return true;
        });
    }

    void find_keys() {
        for (const Scratch::Lookup& lookup : scratch_.lookups_) {
            const KeyIndex::Slot* const slot = engine_.keys_.find(lookup.key, lookup.hash);
            if (slot == nullptr) continue;
            engine_.keys_.prefetch(*slot);
            scratch_.found_.push_back({slot, lookup.relations, lookup.value});
        }
    }
    bool match_keys() {
        for (const Scratch::Found& found : scratch_.found_) {
            const KeyIndex::Postings postings = engine_.keys_.postings(*found.slot);
            if (found.relations == AccessLookup::exclusion) {
                match_exclusions(postings.candidates, scratch_.acceptances_[found.value + 1].hash());
                continue;
            }
            for (const Posting& posting : postings.sure) {
                if ((found.relations >> posting.check.relation() & 1U) != 0) emit(posting.target);
            }
            scratch_.trace_.candidates += postings.candidates.size();
            make_room(postings.candidates.size());
            for (const Posting& posting : postings.candidates) {
                if ((found.relations >> posting.check.relation() & 1U) != 0)
                    consider(posting.target, posting.check);
            }
        }
        return !all_found();
    }
    // An owner, with the hash of the one value that it does not want, and its filter.
    void match_exclusions(std::span<const Posting> pairs, std::uint32_t hash) {
        make_room(pairs.size() / 2);
        for (std::size_t i = 0; i < pairs.size(); i += 2) {
            if (pairs[i].check.code() != hash) {
                emit(pairs[i].target);
            } else {
                scratch_.survivors_[survivors_++] = pairs[i + 1].target;
            }
        }
    }

    bool judge() {
        scratch_.trace_.judged = survivors_;
        constexpr std::size_t ahead = 12;
        const std::span<const FilterId> survivors(scratch_.survivors_.data(), survivors_);
        for (const FilterId filter : survivors.first(std::min(ahead, survivors_))) filters_.prefetch(filter);
        for (std::size_t i = 0; i < survivors.size(); ++i) {
            if (i + ahead < survivors.size()) filters_.prefetch(survivors[i + ahead]);
            const FilterId filter = survivors[i];
            const Owner owner = filters_.owner(filter);
            if (!distinct_ && !OwnerGroups::is_group(owner) && scratch_.seen_.test(owner)) continue;
            if (matches(filter)) emit_all(catalogue_.groups().members(owner));
        }
        return true;
    }
    bool matches(FilterId filter) const {
        StoredConstraint constraint{};
        for (ConstraintCursor cursor(filters_.at(filter)); cursor.next(constraint);) {
            const std::uint16_t at = scratch_.present_[constraint.name];
            const KnownValue* const value = at == 0 ? nullptr : &scratch_.values_[at - 1U].known;
            if (!settle(constraint, value)) return false;
        }
        return true;
    }
    // The commonest questions at once, the others through the general answer.
    bool settle(const StoredConstraint& constraint, const KnownValue* value) const {
        if (value == nullptr) return constraint.op == Operator::not_exists;
        if (constraint.type == Type::number && value->is_number) {
            switch (constraint.op) {
                case Operator::eq:
                    return value->code == constraint.value;
                case Operator::ne:
                    return value->code != constraint.value;
                case Operator::lt:
                    return value->number < filters_.values().number(constraint.value);
                case Operator::le:
                    return value->number <= filters_.values().number(constraint.value);
                case Operator::gt:
                    return value->number > filters_.values().number(constraint.value);
                case Operator::ge:
                    return value->number >= filters_.values().number(constraint.value);
                default:
                    break;
            }
        }
        return holds(constraint, value, filters_.values());
    }

    static constexpr std::size_t few_interfaces = 64;

    const AccessEngine& engine_;
    const Catalogue& catalogue_;
    const FilterStore& filters_;
    Scratch& scratch_;
    std::vector<InterfaceId>& matched_;
    std::size_t first_;
    bool distinct_;  // no interface can be found twice
    std::size_t survivors_ = 0;
};

void AccessEngine::match(MessageView message, Scratch& scratch, std::vector<InterfaceId>& matched) const {
    const std::size_t before = matched.size();
    try {
        AccessMatch(*this, scratch, matched).run(message);
    } catch (...) {  // memory ran out halfway
        matched.resize(before);
        scratch = Scratch();
        throw;
    }
}

std::size_t AccessEngine::Scratch::bytes() const {
    return memos_.capacity() * sizeof(Memo) + present_.capacity() * sizeof(present_[0]) +
           values_.capacity() * sizeof(Value) + acceptances_.capacity() * sizeof(Acceptance) +
           patterns_.capacity() * sizeof(Pattern) + lookups_.capacity() * sizeof(Lookup) +
           found_.capacity() * sizeof(Found) + survivors_.capacity() * sizeof(FilterId) + seen_.bytes();
}

}  // namespace penstock
