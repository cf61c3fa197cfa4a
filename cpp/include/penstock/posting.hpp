// What an index keeps of a filter: whom it leads to, and what must still be asked.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "penstock/check.hpp"
#include "penstock/filter_store.hpp"
#include "penstock/owner_groups.hpp"
#include "penstock/string_index.hpp"

namespace penstock {

// An owner of a filter that is sure, the filter itself otherwise, with what else must hold.
struct Posting {
    std::uint32_t target;
    std::array<Check, 3> checks{};

    static Posting sure(InterfaceId owner) { return {owner, {Check::sure()}}; }
    // Of any value but the one with that hash the owner is sure; with that one, the filter must be read.
    static Posting excluding(InterfaceId owner, std::uint32_t hash, FilterId filter) {
        return {owner, {Check::of_code(hash), Check(filter)}};
    }
    std::uint32_t excluded_hash() const { return checks[0].code(); }
    FilterId excluding_filter() const { return checks[1].word(); }

    bool is_sure() const { return checks[0].kind() == Check::Kind::sure; }
    Relation relation() const { return static_cast<Relation>(checks[0].mark()); }
    Posting with_relation(Relation relation) const {
        Posting posting = *this;
        posting.checks[0] = checks[0].with_mark(static_cast<unsigned>(relation));
        return posting;
    }

    // The filter matches if its checks are sure of it: nothing else has to hold.
    bool is_complete() const { return checks[1].mark() != 0; }
    // One of its checks is for a gram.
    bool asks_for_grams() const { return checks[2].mark() != 0; }
    static void note_grams(std::array<Check, 3>& checks) {
        const auto is_gram = [](Check check) { return check.kind() == Check::Kind::gram; };
        checks[2] = checks[2].with_mark(std::ranges::any_of(checks, is_gram) ? 1 : 0);
    }
    Posting made_complete(bool complete) const {
        Posting posting = *this;
        posting.checks[1] = checks[1].with_mark(complete ? 1 : 0);
        return posting;
    }
};

}  // namespace penstock
