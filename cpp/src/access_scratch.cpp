#include "penstock/access_scratch.hpp"

namespace penstock {

std::size_t AccessEngine::Scratch::bytes() const {
    std::size_t total = sizeof(Scratch) + names_.bytes() + ids_.capacity() * sizeof(NameId) +
                        by_type_.capacity() * sizeof(by_type_[0]) + patterns_.bytes() +
                        pattern_memos_.capacity() * sizeof(PatternMemo) + memo_.bytes();
    for (const Row& row : rows_) total += row.bytes();
    return total;
}

std::size_t AccessEngine::Scratch::Row::bytes() const {
    return present.capacity() * sizeof(present[0]) + values.capacity() * sizeof(Value) +
           acceptances.capacity() * sizeof(Acceptance) + answers.capacity() * sizeof(answers[0]) +
           texts.capacity() * sizeof(texts[0]) + looked_up.capacity() * sizeof(looked_up[0]) +
           grams.capacity() * sizeof(GramSet) + has_grams.capacity() + late.capacity() * sizeof(late[0]) +
           searches.capacity() * sizeof(Search) + sure_bounds.bytes() + bounds.bytes() +
           points.capacity() * sizeof(points[0]) + lookups.capacity() * sizeof(Lookup) +
           found.capacity() * sizeof(Found) + (recalled.capacity() + survivors.capacity()) * sizeof(Posting) +
           settled.capacity() + seen.bytes() + output.capacity() * sizeof(InterfaceId);
}

}  // namespace penstock
