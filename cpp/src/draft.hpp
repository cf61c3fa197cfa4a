// Constraints on their way to their numbers: where each belongs in the index, and what decides their order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "penstock/constraint_table.hpp"
#include "penstock/pattern.hpp"
#include "penstock/string_index.hpp"

namespace penstock {

enum class Family : std::uint8_t {
    string,
    number,
    int_,
    float_,
    boolean,
    presence,
    absence
};

enum class Group : std::uint8_t {
    plain,
    upper,
    lower,
    exclusion
};

inline Family family_of(const StoredConstraint& constraint) {
    if (constraint.op == Operator::exists) return Family::presence;
    if (constraint.op == Operator::not_exists) return Family::absence;
    switch (constraint.type) {
        case Type::string:
            return Family::string;
        case Type::number:
            return Family::number;
        case Type::int_:
            return Family::int_;
        case Type::float_:
            return Family::float_;
        default:
            return Family::boolean;
    }
}

inline Group group_of(Family family, Operator op) {
    if (family >= Family::boolean) return Group::plain;
    if (op == Operator::lt || op == Operator::le) return Group::upper;
    if (op == Operator::gt || op == Operator::ge) return Group::lower;
    return is_exclusion(op) ? Group::exclusion : Group::plain;
}

inline bool is_pattern(Operator op) {
    return op >= Operator::like && op <= Operator::not_topic;
}

inline bool is_topic(Operator op) {
    return op >= Operator::topic;
}

inline Relation relation_of(Operator op) {
    switch (op) {
        case Operator::prefix:
        case Operator::not_prefix:
            return Relation::prefix;
        case Operator::suffix:
        case Operator::not_suffix:
            return Relation::suffix;
        case Operator::substring:
        case Operator::not_substring:
            return Relation::substring;
        default:
            return Relation::equal;
    }
}

inline Anchor anchor_of(Operator op, std::string_view pattern) {
    return is_topic(op) ? topic_anchor(pattern) : like_anchor(pattern);
}

inline bool boolean_satisfies(bool value, const StoredConstraint& constraint) {
    const ValueCode code = value ? 1 : 0;
    const bool found = is_set(constraint.op) ? constraint.set.contains(code) : constraint.value == code;
    return found != is_exclusion(constraint.op);
}

// A constraint on its way to its number.
struct Draft {
    std::uint64_t place;  // name, family, group: where it belongs
    Number number;        // the bound, in ordered groups of numbers
    std::uint32_t rank;   // the bound, in ordered groups of strings
    bool later;           // after the other constraint with the same bound: <= after <, > after >=
    ConstraintId id;

    Family family() const { return static_cast<Family>(place >> 4U & 15U); }
    Group group() const { return static_cast<Group>(place & 15U); }
    std::uint32_t name() const { return static_cast<std::uint32_t>(place >> 8U); }
    friend bool operator<(const Draft& a, const Draft& b) {
        return std::tie(a.place, a.number, a.rank, a.later, a.id) <
               std::tie(b.place, b.number, b.rank, b.later, b.id);
    }
};

// Ranks the texts of the marked pool ids, and of any further texts, in byte order.
struct Ranking {
    std::vector<std::string_view> sorted;
    std::vector<std::uint32_t> rank_of;  // by pool id

    Ranking(const StringPool& pool, const std::vector<bool>& used, std::span<const std::string> more) {
        for (StringPool::Id id = 0; id < pool.bound(); ++id) {
            if (used[id]) sorted.push_back(pool.at(id));
        }
        sorted.insert(sorted.end(), more.begin(), more.end());
        std::ranges::sort(sorted);
        sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
        rank_of.assign(pool.bound(), UINT32_MAX);
        for (StringPool::Id id = 0; id < pool.bound(); ++id) {
            if (used[id])
                rank_of[id] = static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, pool.at(id)) -
                                                         sorted.begin());
        }
    }
};

}  // namespace penstock
