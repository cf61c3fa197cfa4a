#include "penstock/catalogue.hpp"

#include <algorithm>

#include "penstock/error.hpp"

namespace penstock {

SubscriptionId Catalogue::subscribe(std::string_view interface, const Predicate& predicate) {
    if (slots_.size() >= many_flag) throw CapacityError("a table holds at most 2 billion subscriptions");
    const InterfaceId owner = interfaces_.acquire(interface);
    std::uint32_t filters = 0;
    try {
        filters = acquire_filters(predicate);
    } catch (...) {
        interfaces_.release(owner);
        throw;
    }
    std::uint32_t at = free_;
    if (at != IdTable::none) {
        free_ = slots_[at].filters;
        slots_[at].interface = owner;
        slots_[at].filters = filters;
    } else {
        at = static_cast<std::uint32_t>(slots_.size());
        slots_.push_back({owner, filters, 0});
    }
    ++size_;
    return id_at(at);
}

std::uint32_t Catalogue::acquire_filters(const Predicate& predicate) {
    std::vector<FilterId> ids;
    try {
        for (const FilterPtr& filter : predicate.filters) ids.push_back(filters_.acquire(*filter));
        if (ids.size() == 1 && ids[0] < many_flag) return ids[0];
        if (free_many_.empty()) {
            many_.emplace_back();
            free_many_.push_back(static_cast<std::uint32_t>(many_.size() - 1));
        }
    } catch (...) {
        for (const FilterId id : ids) filters_.release(id);
        throw;
    }
    const std::uint32_t at = free_many_.back();
    free_many_.pop_back();
    many_[at] = std::move(ids);
    return at | many_flag;
}

void Catalogue::unsubscribe(SubscriptionId id) {
    slot_of(id);
    const auto at = static_cast<std::uint32_t>(id & UINT32_MAX);
    vacate(at);
    // Ids are handed to Python as signed 64-bit numbers; a slot that has used up its half is retired.
    if (++slots_[at].generation > INT32_MAX) return;
    slots_[at].filters = free_;
    free_ = at;
}

void Catalogue::retract(SubscriptionId id) {
    slot_of(id);
    const auto at = static_cast<std::uint32_t>(id & UINT32_MAX);
    vacate(at);
    if (at + 1 == slots_.size() && slots_[at].generation == 0) {
        slots_.pop_back();
    } else {
        slots_[at].filters = free_;
        free_ = at;
    }
}

void Catalogue::vacate(std::uint32_t at) {
    Slot& slot = slots_[at];
    release_filters(slot);
    interfaces_.release(slot.interface);
    slot.interface = StringPool::none;
    --size_;
}

void Catalogue::release_filters(const Slot& slot) {
    for (const FilterId filter : filters_of(slot)) filters_.release(filter);
    if ((slot.filters & many_flag) == 0) return;
    const std::uint32_t at = slot.filters & ~many_flag;
    std::vector<FilterId>().swap(many_[at]);
    free_many_.push_back(at);
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
    if ((slot.filters & many_flag) == 0) return {&slot.filters, 1};
    return many_[slot.filters & ~many_flag];
}

Predicate Catalogue::predicate_of(SubscriptionId id) const {
    Predicate predicate;
    for (const FilterId filter : filters_of(slot_of(id)))
        predicate.filters.push_back(filters_.restore(filter));
    std::ranges::sort(predicate.filters, [](const auto& a, const auto& b) { return compare(*a, *b) < 0; });
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

std::size_t Catalogue::subscription_bytes() const {
    std::size_t total = slots_.capacity() * sizeof(Slot) + many_.capacity() * sizeof(many_[0]) +
                        free_many_.capacity() * sizeof(free_many_[0]);
    for (const auto& filters : many_) total += filters.capacity() * sizeof(FilterId);
    return total;
}

void Catalogue::shrink() {
    interfaces_.shrink();
    filters_.shrink();
    slots_.shrink_to_fit();
}

}  // namespace penstock
