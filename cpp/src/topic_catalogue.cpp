#include "penstock/topic_catalogue.hpp"

#include "penstock/error.hpp"

namespace penstock {

void TopicCatalogue::make_room() {
    if (free_ != none) return;
    if (slots_.size() >= none) throw CapacityError("a table holds at most 4 billion subscriptions");
    slots_.make_room();
}

SubscriptionId TopicCatalogue::occupy(PatternId pattern, std::uint32_t place) {
    const std::uint32_t at = next_slot();
    if (free_ != none) {
        free_ = slots_[at].place;
        slots_[at].pattern = pattern;
        slots_[at].place = place;
    } else {
        slots_.push_back({pattern, place, 0});
    }
    ++size_;
    return id_at(at);
}

PatternId TopicCatalogue::vacate(std::uint32_t at) {
    Slot& slot = slots_[at];
    const PatternId pattern = slot.pattern;
    const std::uint32_t moved = patterns_.detach(pattern, slot.place);
    if (moved != TopicPatterns::nobody) slots_[moved].place = slot.place;
    slot.pattern = no_pattern;
    --size_;
    // Ids are handed to Python as signed 64-bit numbers; a slot that has used up its half is retired.
    if (++slot.generation <= INT32_MAX) {
        slot.place = free_;
        free_ = at;
    }
    return pattern;
}

bool TopicCatalogue::contains(SubscriptionId id) const {
    const std::uint64_t at = id & UINT32_MAX;
    return at < slots_.size() && slots_[at].pattern != no_pattern && slots_[at].generation == id >> 32U;
}

const TopicCatalogue::Slot& TopicCatalogue::slot_of(SubscriptionId id) const {
    if (!contains(id)) throw UnknownSubscription(id);
    return slots_[id & UINT32_MAX];
}

std::vector<SubscriptionId> TopicCatalogue::subscriptions() const {
    std::vector<SubscriptionId> ids;
    ids.reserve(size_);
    for (std::size_t at = 0; at < slots_.size(); ++at) {
        if (slots_[at].pattern != no_pattern) ids.push_back(id_at(at));
    }
    return ids;
}

void TopicCatalogue::shrink() {
    destinations_.shrink();
    patterns_.shrink();
    slots_.shrink();
}

}  // namespace penstock
