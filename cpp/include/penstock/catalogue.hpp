// What is subscribed: subscriptions, the interfaces that hold them and the filters that they share.
//
// The catalogue is the truth that every engine is built from and that subscriptions are read back from:
//
//     interface 1 ---- n subscription n ---- m filter n ---- m constraint n ---- 1 name, value
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "penstock/filter_store.hpp"

namespace penstock {

using InterfaceId = StringPool::Id;
// A slot in the low half, how often it was used before in the high half: no id is ever given out twice.
using SubscriptionId = std::uint64_t;

class Catalogue {
  public:
    SubscriptionId subscribe(std::string_view interface, const Predicate& predicate);
    void unsubscribe(SubscriptionId id);
    // Undoes the latest subscribe() that is not undone, whose id nobody has seen: the id will be given out
    // again.
    void retract(SubscriptionId id);

    bool contains(SubscriptionId id) const;
    // Both throw UnknownSubscription.
    InterfaceId interface_of(SubscriptionId id) const { return slot_of(id).interface; }
    Predicate predicate_of(SubscriptionId id) const;
    // Every living subscription's id, in the order of their slots.
    std::vector<SubscriptionId> subscriptions() const;

    std::size_t size() const { return size_; }
    const StringPool& interfaces() const { return interfaces_; }
    const FilterStore& filters() const { return filters_; }
    const ConstraintStore& constraints() const { return filters_.constraints(); }

    // Calls visit(interface, filter) for each filter of each subscription; the same pair may come again.
    template <class Visit>
    void for_each_ownership(Visit&& visit) const {
        for (const Slot& slot : slots_) {
            if (slot.interface == StringPool::none) continue;
            for (const FilterId id : filters_of(slot)) visit(slot.interface, id);
        }
    }

    // Calls visit(subscription, its filters) for each subscription of the interface, in the order of the
    // slots.
    template <class Visit>
    void for_each_subscription_of(InterfaceId interface, Visit&& visit) const {
        for (std::size_t at = 0; at < slots_.size(); ++at) {
            if (slots_[at].interface == interface) visit(id_at(at), filters_of(slots_[at]));
        }
    }

    std::size_t subscription_bytes() const;
    void shrink();  // gives back what growth set aside

  private:
    struct Slot {
        InterfaceId interface;  // none when free
        std::uint32_t filters;  // the one filter, or many_flag and an index into many_; when free: next free
        std::uint32_t generation;  // how many subscriptions had this slot before
    };
    static constexpr std::uint32_t many_flag = 1U << 31U;

    SubscriptionId id_at(std::size_t at) const {
        return (static_cast<SubscriptionId>(slots_[at].generation) << 32U) | at;
    }
    const Slot& slot_of(SubscriptionId id) const;
    std::span<const FilterId> filters_of(const Slot& slot) const;
    std::uint32_t acquire_filters(const Predicate& predicate);
    void release_filters(const Slot& slot);
    void vacate(std::uint32_t at);

    StringPool interfaces_;
    FilterStore filters_;
    std::vector<Slot> slots_;
    std::uint32_t free_ = IdTable::none;
    std::vector<std::vector<FilterId>> many_;
    std::vector<std::uint32_t> free_many_;
    std::size_t size_ = 0;
};

}  // namespace penstock
