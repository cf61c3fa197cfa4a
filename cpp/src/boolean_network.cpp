#include "penstock/boolean_network.hpp"

#include <algorithm>
#include <limits>

#include "penstock/error.hpp"

namespace penstock {

std::vector<std::uint16_t> BooleanNetwork::build(const Catalogue& catalogue, const ConstraintTable& table,
                                                 std::span<const std::uint32_t> numbers) {
    *this = BooleanNetwork();
    constraints_ = table.size();
    interface_bound_ = catalogue.interfaces().bound();
    std::vector<Ownership> ownerships;
    ownerships.reserve(catalogue.size());
    catalogue.for_each_ownership(
        [&](InterfaceId interface, FilterId filter) { ownerships.push_back({filter, interface}); });
    const std::vector<FilterId> order = assign_owners(std::move(ownerships), catalogue);
    return add_postings(table, order, numbers);
}

// Numbers the filters by owner; returns the catalogue's filters in that order.
std::vector<FilterId> BooleanNetwork::assign_owners(std::vector<Ownership> ownerships,
                                                    const Catalogue& catalogue) {
    const auto key = [](const Ownership& o) {
        return static_cast<std::uint64_t>(o.filter) << 32U | o.interface;
    };
    std::ranges::sort(ownerships, {}, key);
    const auto repeated = std::ranges::unique(ownerships, {}, key);
    ownerships.erase(repeated.begin(), repeated.end());

    std::vector<std::uint8_t> filters_of(interface_bound_, 0);  // 0, 1, or 2 for more
    std::vector<Ownership> owned;                               // here `interface` may be a group
    owned.reserve(catalogue.filters().size());
    for (std::size_t i = 0; i < ownerships.size();) {
        const std::size_t first = i;
        for (; i < ownerships.size() && ownerships[i].filter == ownerships[first].filter; ++i) {
            auto& count = filters_of[ownerships[i].interface];
            interface_count_ += count == 0;
            one_filter_each_ &= count == 0;
            count = static_cast<std::uint8_t>(std::min(count + 1, 2));
        }
        std::uint32_t owner = ownerships[first].interface;
        if (i - first > 1) {
            owner = interface_bound_ + group_count();
            for (std::size_t j = first; j < i; ++j) members_.push_back(ownerships[j].interface);
            groups_.push_back(static_cast<std::uint32_t>(members_.size()));
        }
        owned.push_back({ownerships[first].filter, owner});
    }
    std::ranges::stable_sort(owned, {}, &Ownership::interface);

    narrow_owners(owned);
    filter_count_ = static_cast<std::uint32_t>(owned.size());
    std::vector<FilterId> order;
    order.reserve(owned.size());
    for (const Ownership& ownership : owned) order.push_back(ownership.filter);
    return order;
}

void BooleanNetwork::narrow_owners(std::span<const Ownership> owned) {
    bool identity = true;
    for (std::size_t i = 0; i < owned.size(); ++i) identity &= owned[i].interface == i;
    const auto store = [&]<class Width>(std::vector<Width> owners) {
        owners.reserve(owned.size());
        for (const Ownership& ownership : owned) owners.push_back(static_cast<Width>(ownership.interface));
        owners_ = std::move(owners);
    };
    if (identity) return;
    if (owner_bound() <= 1U << 8U) {
        store(std::vector<std::uint8_t>());
    } else if (owner_bound() <= 1U << 16U) {
        store(std::vector<std::uint16_t>());
    } else {
        store(std::vector<std::uint32_t>());
    }
}

std::vector<std::uint16_t> BooleanNetwork::add_postings(const ConstraintTable& table,
                                                        std::span<const FilterId> order,
                                                        std::span<const std::uint32_t> numbers) {
    std::vector<ConstraintId> members;  // of all filters, one after the other
    std::vector<std::size_t> ends;
    for (const FilterId filter : order) {
        table.append_ids_of(filter, members);
        ends.push_back(members.size());
    }
    const auto members_of = [&](std::size_t filter) {
        const std::size_t first = filter == 0 ? 0 : ends[filter - 1];
        return std::span(members).subspan(first, ends[filter] - first);
    };
    offsets_.assign(constraints_ + 2, 0);
    std::vector<std::uint16_t> sizes;
    sizes.reserve(order.size());
    std::size_t total = 0;
    for (std::size_t filter = 0; filter < order.size(); ++filter) {
        std::size_t size = 0;
        for (const ConstraintId constraint : members_of(filter)) {
            ++offsets_[numbers[constraint] + 1];
            ++total;
            size += table.at(constraint).op != Operator::not_exists;
        }
        if (size == 0) {
            ++offsets_[constraints_ + 1];
            ++total;
            size = 1;
        }
        if (size >= std::numeric_limits<std::uint16_t>::max()) {
            throw CapacityError("the counting engine takes at most 65,534 constraints in a filter");
        }
        sizes.push_back(static_cast<std::uint16_t>(size));
    }
    if (total > std::numeric_limits<std::uint32_t>::max()) {
        throw CapacityError("the counting engine takes at most 4 billion constraints");
    }
    for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    postings_.resize(total);
    std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::uint32_t filter = 0; filter < order.size(); ++filter) {
        bool counts = false;
        for (const ConstraintId constraint : members_of(filter)) {
            postings_[next[numbers[constraint]]++] = filter;
            counts |= table.at(constraint).op != Operator::not_exists;
        }
        if (!counts) postings_[next[constraints_]++] = filter;
    }
    return sizes;
}

std::size_t BooleanNetwork::posting_bytes() const {
    return (offsets_.capacity() + postings_.capacity()) * sizeof(std::uint32_t);
}

std::size_t BooleanNetwork::owner_bytes() const {
    const std::size_t owners = std::visit(
        [](const auto& array) -> std::size_t {
            if constexpr (std::is_same_v<std::decay_t<decltype(array)>, std::monostate>) {
                return 0;
            } else {
                return array.capacity() * sizeof(array[0]);
            }
        },
        owners_);
    return owners + (groups_.capacity() + members_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace penstock
