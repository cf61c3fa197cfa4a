#include "penstock/catalogue.hpp"

#include <algorithm>

#include "penstock/error.hpp"

namespace penstock {

SubscriptionId Catalogue::subscribe(std::string_view interface, const Predicate& predicate,
                                    Follower& follower) {
    if (free_ == none) {
        if (slots_.size() >= list_flag) throw CapacityError("a table holds at most 2 billion subscriptions");
        slots_.make_room();
    }
    const InterfaceId owner = interfaces_.acquire(interface);
    std::uint32_t filters = 0;
    try {
        filters = attach(owner, predicate, follower);
    } catch (...) {
        interfaces_.release(owner);
        throw;
    }
    std::uint32_t at = free_;
    if (at != none) {
        free_ = slots_[at].filters;
        slots_[at].interface = owner;
        slots_[at].filters = filters;
    } else {
        at = static_cast<std::uint32_t>(slots_.size());
        slots_.push_back({owner, filters, 0});
    }
    ++size_;
    further_ += interfaces_.references(owner) > 1;
    if (predicate.filters.size() > 1) further_ += predicate.filters.size() - 1;
    return id_at(at);
}

std::uint32_t Catalogue::attach(InterfaceId interface, const Predicate& predicate, Follower& follower) {
    std::vector<FilterId> ids;
    ids.reserve(predicate.filters.size());
    try {
        for (const FilterPtr& filter : predicate.filters) ids.push_back(attach(interface, *filter, follower));
        return ids.size() == 1 && ids[0] < list_flag ? ids[0] : store_list(ids);
    } catch (...) {
        for (const FilterId id : ids) detach(interface, id, follower);
        throw;
    }
}

FilterId Catalogue::attach(InterfaceId interface, const Filter& filter, Follower& follower) {
    const FilterId id = filters_.acquire(filter);
    const Owner before = filters_.owner(id);
    OwnerGroups::Change change{no_owner, false};
    try {
        change = groups_.add(before, interface);
        filters_.set_owner(id, change.owner);
        if (before == no_owner) {
            follower.add(id);
        } else if (change.changed) {
            follower.add_owner(id, interface);
        }
    } catch (...) {
        if (before == no_owner) {
            filters_.release(id);
        } else if (change.owner != no_owner) {
            filters_.set_owner(id, groups_.remove(change.owner, interface).owner);
        }
        throw;
    }
    return id;
}

bool Catalogue::has_place(const Filter& filter) {
    const FilterId id = filters_.acquire(filter);
    if (filters_.owner(id) != no_owner) return filters_.access(id) != FilterStore::no_access;
    filters_.release(id);
    return false;
}

void Catalogue::detach(InterfaceId interface, FilterId filter, Follower& follower) {
    const Owner before = filters_.owner(filter);
    if (!OwnerGroups::is_group(before)) {
        follower.remove(filter);
        filters_.release(filter);
        return;
    }
    const OwnerGroups::Change change = groups_.remove(before, interface);
    filters_.set_owner(filter, change.owner);
    if (change.changed) follower.remove_owner(filter, interface);
}

std::uint32_t Catalogue::store_list(std::span<const FilterId> filters) {
    const Arena::Place place = lists_.allocate(1 + filters.size());
    if (place >= list_flag) {
        lists_.release(place, 1 + filters.size());
        throw CapacityError("the lists of filters would exceed 8 GiB");
    }
    std::uint32_t* const words = lists_.at(place);
    words[0] = static_cast<std::uint32_t>(filters.size());
    std::ranges::copy(filters, words + 1);
    return place | list_flag;
}

void Catalogue::unsubscribe(SubscriptionId id, Follower& follower) {
    slot_of(id);
    const auto at = static_cast<std::uint32_t>(id & UINT32_MAX);
    vacate(at, follower);
    // Ids are handed to Python as signed 64-bit numbers; a slot that has used up its half is retired.
    if (++slots_[at].generation > INT32_MAX) return;
    slots_[at].filters = free_;
    free_ = at;
}

void Catalogue::retract(SubscriptionId id, Follower& follower) {
    slot_of(id);
    const auto at = static_cast<std::uint32_t>(id & UINT32_MAX);
    vacate(at, follower);
    if (at + 1 == slots_.size() && slots_[at].generation == 0) {
        slots_.pop_back();
    } else {
        slots_[at].filters = free_;
        free_ = at;
    }
}

void Catalogue::vacate(std::uint32_t at, Follower& follower) {
    Slot& slot = slots_[at];
    const std::span<const FilterId> filters = filters_of(slot);
    for (const FilterId filter : filters) detach(slot.interface, filter, follower);
    if (filters.size() > 1) further_ -= filters.size() - 1;
    if ((slot.filters & list_flag) != 0) lists_.release(slot.filters & ~list_flag, 1 + filters.size());
    further_ -= interfaces_.references(slot.interface) > 1;
    interfaces_.release(slot.interface);
    slot.interface = StringPool::none;
    --size_;
}

bool Catalogue::contains(SubscriptionId id) const {
    const std::uint64_t at = id & UINT32_MAX;
    return at < slots_.size() && slots_[at].interface != StringPool::none &&
           slots_[at].generation == id >> 32U;
}

const Catalogue::Slot& Catalogue::slot_of(SubscriptionId id) const {
    if (!contains(id)) throw UnknownSubscription(id);
    return slots_[id & UINT32_MAX];
}

std::span<const FilterId> Catalogue::filters_of(const Slot& slot) const {
    if ((slot.filters & list_flag) == 0) return {&slot.filters, 1};
    const std::uint32_t* const words = lists_.at(slot.filters & ~list_flag);
    return {words + 1, words[0]};
}

Predicate Catalogue::predicate_of(SubscriptionId id) const {
    Predicate predicate;
    for (const FilterId filter : filters_of(slot_of(id)))
        predicate.filters.push_back(filters_.restore(filter));
    return predicate;
}

std::vector<SubscriptionId> Catalogue::subscriptions() const {
    std::vector<SubscriptionId> ids;
    ids.reserve(size_);
    for (std::size_t at = 0; at < slots_.size(); ++at) {
        if (slots_[at].interface == StringPool::none) continue;
        ids.push_back(id_at(at));
    }
    return ids;
}

void Catalogue::shrink() {
    interfaces_.shrink();
    filters_.shrink();
    slots_.shrink();
}

}  // namespace penstock
