// What is subscribed to in a topic table: subscriptions, their destinations and the patterns they share.
//
//     destination 1 ---- n subscription n ---- 1 pattern
//
// An index finds the patterns; it learns of a pattern when the first destination comes and when the last one
// has left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "penstock/catalogue.hpp"
#include "penstock/topic_patterns.hpp"

namespace penstock {

class TopicCatalogue {
  public:
    // An index has find(patterns, pattern), add(patterns, pattern, id) and remove(patterns, pattern, id), the
    // last of which cannot fail; one that fails to add is as it was. Nothing changes when memory runs out.
    template <class Index>
    SubscriptionId subscribe(const TopicLevels& pattern, std::string_view destination, Index& index);
    template <class Index>
    void unsubscribe(SubscriptionId id, Index& index);  // throws UnknownSubscription

    bool contains(SubscriptionId id) const;
    // Both throw UnknownSubscription.
    std::string_view pattern_of(SubscriptionId id) const { return patterns_.text(slot_of(id).pattern); }
    DestinationId destination_of(SubscriptionId id) const {
        const Slot& slot = slot_of(id);
        return patterns_.destinations(slot.pattern)[slot.place];
    }
    // Every living subscription's id, in the order of their slots.
    std::vector<SubscriptionId> subscriptions() const;

    std::size_t size() const { return size_; }
    const InterfacePool& destinations() const { return destinations_; }
    const TopicPatterns& patterns() const { return patterns_; }
    // No destination has two subscriptions, so none can be found twice.
    bool one_subscription_each() const { return size_ == destinations_.size(); }

    std::size_t subscription_bytes() const { return slots_.bytes(); }
    void shrink();
    template <class Archive>
    void archive(Archive& archive) {
        destinations_.archive(archive);
        patterns_.archive(archive);
        archive(slots_);
        archive(free_);
        archive(size_);
    }

  private:
    struct Slot {
        PatternId pattern;         // no_pattern when free
        std::uint32_t place;       // among the pattern's destinations; when free: the next free slot
        std::uint32_t generation;  // how many subscriptions had this slot before
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    SubscriptionId id_at(std::size_t at) const {
        return (static_cast<SubscriptionId>(slots_[at].generation) << 32U) | at;
    }
    const Slot& slot_of(SubscriptionId id) const;
    std::uint32_t next_slot() const {
        return free_ != none ? free_ : static_cast<std::uint32_t>(slots_.size());
    }
    void make_room();
    SubscriptionId occupy(PatternId pattern, std::uint32_t place);
    PatternId vacate(std::uint32_t at);

    InterfacePool destinations_;
    TopicPatterns patterns_;
    Column<Slot> slots_;
    std::uint32_t free_ = none;
    std::uint64_t size_ = 0;
};

template <class Index>
SubscriptionId TopicCatalogue::subscribe(const TopicLevels& pattern, std::string_view destination,
                                         Index& index) {
    make_room();
    const DestinationId wanting = destinations_.acquire(destination);
    PatternId id = no_pattern;
    bool placed = false;
    try {
        id = index.find(patterns_, pattern);
        const bool is_new = id == no_pattern;
        if (is_new) id = patterns_.add(pattern);
        placed = !is_new;
        const std::uint32_t place = patterns_.attach(id, wanting, next_slot());
        if (is_new) index.add(patterns_, pattern, id);
        return occupy(id, place);
    } catch (...) {
        if (id != no_pattern && !placed) {
            patterns_.detach(id, 0);
            patterns_.remove(id);
        }
        destinations_.release(wanting);
        throw;
    }
}

template <class Index>
void TopicCatalogue::unsubscribe(SubscriptionId id, Index& index) {
    const DestinationId leaving = destination_of(id);
    const PatternId pattern = vacate(static_cast<std::uint32_t>(id & UINT32_MAX));
    destinations_.release(leaving);
    if (!patterns_.destinations(pattern).empty()) return;
    index.remove(patterns_, TopicLevels::canonical(patterns_.text(pattern)), pattern);
    patterns_.remove(pattern);
}

}  // namespace penstock
