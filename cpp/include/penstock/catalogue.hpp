// What is subscribed: subscriptions, the interfaces that hold them and the filters that they share.
//
// The catalogue is the truth that engines are built from and that subscriptions are read back from:
//
//     interface 1 ---- n subscription n ---- m filter n ---- m constraint n ---- 1 name, value
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "penstock/filter_store.hpp"
#include "penstock/owner_groups.hpp"

namespace penstock {

// A slot in the low half, how often it was used before in the high half: no id is ever given out twice.
using SubscriptionId = std::uint64_t;

// An engine that follows the changes of a catalogue.
class Follower {
  public:
    virtual ~Follower() = default;
    // A filter that will be added after others, in case that helps to find places for them.
    virtual void foresee(FilterId /*filter*/) {}
    // A filter that is new, or has a further owner. These may throw, and then have changed nothing.
    virtual void add(FilterId filter) = 0;
    virtual void add_owner(FilterId filter, InterfaceId interface) = 0;
    // A filter that is about to go with its last owner, or has lost one.
    virtual void remove(FilterId filter) noexcept = 0;
    virtual void remove_owner(FilterId filter, InterfaceId interface) noexcept = 0;
};

// For engines that are built anew.
class Nobody final : public Follower {
  public:
    void add(FilterId) override {}
    void add_owner(FilterId, InterfaceId) override {}
    void remove(FilterId) noexcept override {}
    void remove_owner(FilterId, InterfaceId) noexcept override {}
};

class Catalogue {
  public:
    SubscriptionId subscribe(std::string_view interface, const Predicate& predicate, Follower& follower);
    void unsubscribe(SubscriptionId id, Follower& follower);
    // Undoes the latest subscribe() that is not undone, whose id nobody has seen: the id will be given out
    // again.
    void retract(SubscriptionId id, Follower& follower);

    bool contains(SubscriptionId id) const;
    // Both throw UnknownSubscription.
    InterfaceId interface_of(SubscriptionId id) const { return slot_of(id).interface; }
    Predicate predicate_of(SubscriptionId id) const;
    // Every living subscription's id, in the order of their slots.
    std::vector<SubscriptionId> subscriptions() const;

    std::size_t size() const { return size_; }
    const InterfacePool& interfaces() const { return interfaces_; }
    const FilterStore& filters() const { return filters_; }
    FilterStore& filters() { return filters_; }
    const OwnerGroups& groups() const { return groups_; }
    bool has_place(const Filter& filter);  // with the access engine
    // No interface has two filters, so none can be found twice.
    bool one_filter_each() const { return further_ == 0; }

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

    std::size_t subscription_bytes() const { return slots_.bytes() + lists_.bytes() + groups_.bytes(); }
    void shrink();  // gives back what growth set aside
    template <class Archive>
    void archive(Archive& archive) {
        interfaces_.archive(archive);
        filters_.archive(archive);
        groups_.archive(archive);
        archive(slots_);
        archive(free_);
        lists_.archive(archive);
        archive(size_);
        archive(further_);
    }

  private:
    struct Slot {
        InterfaceId interface;  // none when free
        std::uint32_t filters;  // the one filter, or list_flag and the place of a list; when free: next free
        std::uint32_t generation;  // how many subscriptions had this slot before
    };
    static constexpr std::uint32_t list_flag = 1U << 31U;
    static constexpr std::uint32_t none = UINT32_MAX;

    SubscriptionId id_at(std::size_t at) const {
        return (static_cast<SubscriptionId>(slots_[at].generation) << 32U) | at;
    }
    const Slot& slot_of(SubscriptionId id) const;
    std::span<const FilterId> filters_of(const Slot& slot) const;
    std::uint32_t attach(InterfaceId interface, const Predicate& predicate, Follower& follower);
    FilterId attach(InterfaceId interface, const Filter& filter, Follower& follower);
    void detach(InterfaceId interface, FilterId filter, Follower& follower);
    std::uint32_t store_list(std::span<const FilterId> filters);
    void vacate(std::uint32_t at, Follower& follower);

    InterfacePool interfaces_;
    FilterStore filters_;
    OwnerGroups groups_;
    Column<Slot> slots_;
    std::uint32_t free_ = none;
    Arena lists_;  // for subscriptions to none or several filters: how many, and which
    std::uint64_t size_ = 0;
    std::uint64_t further_ = 0;  // filters and subscriptions beyond the first of their interface
};

}  // namespace penstock
