// Numbers the constraints and lays out the indexes: sort by name, type and group, then hand each stretch
// over.
#include <algorithm>
#include <string>
#include <utility>

#include "draft.hpp"
#include "penstock/constraint_index.hpp"
#include "penstock/error.hpp"

namespace penstock {

class ConstraintIndex::Builder {
  public:
    Builder(ConstraintIndex& index, const ConstraintTable& table) : index_(index), table_(table) {}

    std::vector<std::uint32_t> build() {
        const auto [names, strings] = rank_texts();
        make_drafts(names, strings);
        std::sort(drafts_.begin(), drafts_.end());
        if (drafts_.size() >= StringIndex::max_number) {
            throw CapacityError("an index holds at most 536,870,912 distinct constraints");
        }
        std::vector<std::uint32_t> numbers(table_.size(), none);
        for (std::size_t i = 0; i < drafts_.size(); ++i)
            numbers[drafts_[i].id] = static_cast<std::uint32_t>(i);
        index_.size_ = static_cast<std::uint32_t>(drafts_.size());

        index_.keys_.build(names.sorted);
        index_.names_.resize(names.sorted.size());
        index_.root_ = index_.trie_.build(0, index_.name_count(),
                                          [&](std::uint32_t name) { return index_.keys_.at(name); });
        index_.trie_.shrink();
        index_.strings_.begin(strings.sorted, patterns());
        rank_of_ = strings.rank_of;
        for (std::size_t first = 0; first < drafts_.size();) first = add_family(first);
        index_.strings_.end();
        index_.numbers_.end();
        return numbers;
    }

  private:
    std::pair<Ranking, Ranking> rank_texts() {
        std::vector<bool> names(table_.names().bound());
        std::vector<bool> strings(pool().bound());
        std::vector<std::string> anchors;
        for (ConstraintId id = 0; id < table_.size(); ++id) {
            const StoredConstraint constraint = table_.at(id);
            names[constraint.name] = true;
            if (constraint.type != Type::string || is_presence(constraint.op)) continue;
            if (is_pattern(constraint.op)) {
                anchors.push_back(anchor_of(constraint.op, text(constraint.value)).text);
            } else if (is_set(constraint.op)) {
                for_each_value(constraint, [&](ValueCode code) { strings[code] = true; });
            } else {
                strings[constraint.value] = true;
            }
        }
        return {Ranking(table_.names(), names, {}), Ranking(pool(), strings, anchors_ = std::move(anchors))};
    }

    void make_drafts(const Ranking& names, const Ranking& strings) {
        drafts_.reserve(table_.size());
        for (ConstraintId id = 0; id < table_.size(); ++id) {
            const StoredConstraint constraint = table_.at(id);
            const Family family = family_of(constraint);
            const Group group = group_of(family, constraint.op);
            Draft draft{};
            draft.place = static_cast<std::uint64_t>(names.rank_of[constraint.name]) << 8U |
                          static_cast<std::uint64_t>(family) << 4U | static_cast<std::uint64_t>(group);
            draft.id = id;
            if (group == Group::upper || group == Group::lower) {
                if (family == Family::string) {
                    draft.rank = strings.rank_of[constraint.value];
                } else {
                    draft.number = number(constraint.value);
                }
                draft.later = constraint.op == Operator::le || constraint.op == Operator::gt;
            }
            drafts_.push_back(draft);
        }
    }

    std::vector<StringIndex::Pattern> patterns() const {
        std::vector<StringIndex::Pattern> result;
        for (std::size_t i = 0; i < drafts_.size(); ++i) {
            const StoredConstraint constraint = table_.at(drafts_[i].id);
            if (!is_pattern(constraint.op)) continue;
            result.push_back({static_cast<std::uint32_t>(i), is_topic(constraint.op),
                              std::string(text(constraint.value))});
        }
        return result;
    }

    // Hands the drafts of one name and family, from `first` on, to their index; returns where they end.
    std::size_t add_family(std::size_t first) {
        const std::uint64_t place = drafts_[first].place >> 4U;
        std::size_t last = first;
        while (last < drafts_.size() && drafts_[last].place >> 4U == place) ++last;
        const std::span<const Draft> stretch(drafts_.data() + first, last - first);
        Name& name = index_.names_[stretch[0].name()];
        switch (stretch[0].family()) {
            case Family::string:
                name.string = add_strings(stretch, layout_of(stretch));
                break;
            case Family::boolean:
                name.boolean = add_booleans(stretch);
                break;
            case Family::presence:
                name.presence = static_cast<std::uint32_t>(index_.presences_.size());
                for (const Draft& draft : stretch)
                    index_.presences_.push_back({table_.at(draft.id).type, number_of(draft)});
                name.presence_end = static_cast<std::uint32_t>(index_.presences_.size());
                break;
            case Family::absence:
                name.absence = number_of(stretch[0]);
                break;
            default:
                name.numeric[static_cast<std::size_t>(stretch[0].family()) - 1] =
                    add_numbers(stretch, layout_of(stretch));
        }
        return last;
    }

    Layout layout_of(std::span<const Draft> stretch) const {
        const auto begin_of = [&](Group group) {
            const auto at = std::ranges::partition_point(
                stretch, [&](const Draft& draft) { return draft.group() < group; });
            return number_of(stretch[0]) + static_cast<std::uint32_t>(at - stretch.begin());
        };
        return {begin_of(Group::upper), begin_of(Group::lower), begin_of(Group::exclusion),
                number_of(stretch[0]) + static_cast<std::uint32_t>(stretch.size())};
    }

    std::uint32_t add_strings(std::span<const Draft> stretch, const Layout& layout) {
        std::vector<StringIndex::Hit> hits;
        std::vector<StringIndex::Bound> uppers;
        std::vector<StringIndex::Bound> lowers;
        for (const Draft& draft : stretch) {
            const StoredConstraint constraint = table_.at(draft.id);
            const std::uint32_t number = number_of(draft);
            if (draft.group() == Group::upper) {
                uppers.push_back({draft.rank, constraint.op == Operator::lt});
            } else if (draft.group() == Group::lower) {
                lowers.push_back({draft.rank, constraint.op == Operator::gt});
            } else if (is_pattern(constraint.op)) {
                const Anchor anchor = anchor_of(constraint.op, text(constraint.value));
                const bool start = anchor.place == Anchor::Place::start || anchor.text.empty();
                hits.push_back({index_.strings_.rank(anchor.text),
                                start ? Relation::prefix : Relation::substring, true, number});
            } else if (is_set(constraint.op)) {
                for_each_value(constraint, [&](ValueCode code) {
                    hits.push_back({rank_of_[code], Relation::equal, false, number});
                });
            } else {
                hits.push_back({rank_of_[constraint.value], relation_of(constraint.op), false, number});
            }
        }
        std::ranges::stable_sort(hits, {}, &StringIndex::Hit::key);
        return index_.strings_.add(layout, hits, uppers, lowers);
    }

    std::uint32_t add_numbers(std::span<const Draft> stretch, const Layout& layout) {
        std::vector<NumberIndex::Hit> hits;
        std::vector<NumberIndex::Bound> uppers;
        std::vector<NumberIndex::Bound> lowers;
        for (const Draft& draft : stretch) {
            const StoredConstraint constraint = table_.at(draft.id);
            if (draft.group() == Group::upper) {
                uppers.push_back({draft.number, constraint.op == Operator::lt});
            } else if (draft.group() == Group::lower) {
                lowers.push_back({draft.number, constraint.op == Operator::gt});
            } else if (is_set(constraint.op)) {
                for_each_value(constraint,
                               [&](ValueCode code) { hits.push_back({number(code), number_of(draft)}); });
            } else {
                hits.push_back({number(constraint.value), number_of(draft)});
            }
        }
        std::ranges::stable_sort(hits, {}, &NumberIndex::Hit::key);
        return index_.numbers_.add(layout, hits, uppers, lowers);
    }

    std::uint32_t add_booleans(std::span<const Draft> stretch) {
        Boolean family{};
        const auto add = [&](bool value) {
            const auto begin = static_cast<std::uint32_t>(index_.boolean_hits_.size());
            for (const Draft& draft : stretch) {
                if (boolean_satisfies(value, table_.at(draft.id)))
                    index_.boolean_hits_.push_back(number_of(draft));
            }
            return begin;
        };
        family.no = add(false);
        family.yes = add(true);
        family.end = static_cast<std::uint32_t>(index_.boolean_hits_.size());
        index_.booleans_.push_back(family);
        return static_cast<std::uint32_t>(index_.booleans_.size() - 1);
    }

    std::uint32_t number_of(const Draft& draft) const {
        return static_cast<std::uint32_t>(&draft - drafts_.data());
    }
    const StringPool& pool() const { return table_.values().strings(); }
    std::string_view text(ValueCode code) const { return table_.values().text(code); }
    Number number(ValueCode code) const { return table_.values().number(code); }
    template <class Visit>
    static void for_each_value(const StoredConstraint& constraint, Visit&& visit) {
        for (std::uint32_t i = 0; i < constraint.set.size(); ++i) visit(constraint.set[i]);
    }

    ConstraintIndex& index_;
    const ConstraintTable& table_;
    std::vector<Draft> drafts_;
    std::vector<std::string> anchors_;    // texts that the ranking of strings refers to
    std::vector<std::uint32_t> rank_of_;  // of strings, by pool id
};

std::vector<std::uint32_t> ConstraintIndex::build(const ConstraintTable& table) {
    *this = ConstraintIndex();
    return Builder(*this, table).build();
}

}  // namespace penstock
