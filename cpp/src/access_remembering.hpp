// What a match found for each of its values, for those that come after it: see ValueMemo.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <span>

#include "access_candidates.hpp"
#include "access_lookup.hpp"
#include "penstock/access_scratch.hpp"

namespace penstock {

class AccessRemembering {
  public:
    using Scratch = AccessEngine::Scratch;

    // Of a row whose axes and keys have been searched. Interfaces may be few, and fronts may say what axes
    // are sure of.
    AccessRemembering(const AccessEngine& engine, Scratch& scratch, const Scratch::Row& row, bool by_fronts,
                      bool few)
        : engine_(engine), scratch_(scratch), row_(row), by_fronts_(by_fronts), few_(few) {}

    // Not of values that need not be looked up.
    void remember() {
        for (std::uint32_t i = 0; i < row_.count; ++i) {
            const Scratch::Value& value = row_.values[i];
            if (value.view->findings != nullptr || !AccessEngine::is_worth_remembering(*value.about) ||
                std::ranges::find(row_.late, i) != row_.late.end())
                continue;
            scratch_.memo_.remember(value.name, *value.view, *row_.answers[value.name],
                                    [&](ValueMemo::Draft& draft) { describe(i, draft); });
        }
    }

  private:
    void describe(std::uint32_t value, ValueMemo::Draft& draft) const {
        const auto is_of_value = [value](const auto& each) { return each.value == value; };
        for (const Scratch::Search& search : row_.searches | std::views::filter(is_of_value))
            describe(search, draft);
        for (const Scratch::Found& found : row_.found | std::views::filter(is_of_value))
            describe(found, draft);
    }
    void describe(const Scratch::Search& search, ValueMemo::Draft& draft) const {
        engine_.axes_.for_each<false>(*search.axis, search.cut, [&](std::span<const Posting> postings) {
            for (const Posting& posting : postings) draft.add_candidate(posting);
            return !draft.is_too_much();
        });
        if (by_fronts_) {
            if (search.front != FrontIndex::empty)
                draft.add_sure(engine_.fronts_.find(search.front, search.point));
            return;
        }
        engine_.axes_.for_each<true>(*search.axis, search.cut, [&](std::span<const InterfaceId> interfaces) {
            for (const InterfaceId interface : interfaces) add_sure(interface, draft);
            return !draft.is_too_much();
        });
    }
    void describe(const Scratch::Found& found, ValueMemo::Draft& draft) const {
        const KeyIndex::Postings postings = engine_.keys_.postings(*found.slot);
        const std::uint32_t hash = row_.answers[row_.values[found.value].name]->hash();
        for (const Posting& posting : postings.sure) {
            if (AccessCandidates::is_related(posting, found.relations)) add_sure(posting.target, draft);
        }
        for (const Posting& posting : postings.candidates) {
            if (draft.is_too_much()) return;
            if (found.relations != AccessLookup::exclusion) {
                if (AccessCandidates::is_related(posting, found.relations)) draft.add_candidate(posting);
            } else if (posting.excluded_hash() != hash) {
                add_sure(posting.target, draft);
            } else {
                draft.add_candidate({posting.excluding_filter()});
            }
        }
    }
    void add_sure(InterfaceId interface, ValueMemo::Draft& draft) const {
        if (few_) {
            draft.add_sure(interface);
        } else {
            draft.add_owner(interface);
        }
    }

    const AccessEngine& engine_;
    Scratch& scratch_;
    const Scratch::Row& row_;
    bool by_fronts_;
    bool few_;
};

}  // namespace penstock
