// The right-hand side of the forwarding table: constraints joined into filters, filters into interfaces.
//
// Postings lead from a constraint to the filters that contain it, a filter's size says how many of its
// constraints must hold, and its owner is the interface that it serves. A filter that serves several
// interfaces is owned by a group. Filters are numbered anew, in the order of their owners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "penstock/catalogue.hpp"
#include "penstock/constraint_table.hpp"
#include "penstock/run.hpp"

namespace penstock {

class BooleanNetwork {
  public:
    // `numbers` are those that the constraint index gave to the constraints of the table. Returns the
    // filters' sizes: how many constraints must be found to hold (NOT EXISTS does not count, it vetoes).
    std::vector<std::uint16_t> build(const Catalogue& catalogue, const ConstraintTable& table,
                                     std::span<const std::uint32_t> numbers);

    // The filters of a run of constraints, one constraint after the other.
    std::span<const std::uint32_t> filters(const Run& run) const {
        return {postings_.data() + offsets_[run.first], offsets_[run.last] - offsets_[run.first]};
    }
    // A constraint that stands for "always": filters that ask for nothing, or only for absence, contain it.
    Run always() const { return {constraints_, constraints_ + 1}; }

    std::uint32_t filter_count() const { return filter_count_; }

    // Calls visit(owner_of), where owner_of(filter) is the interface that owns the filter, or
    // interface_bound() plus the number of a group of interfaces. Owners are as narrow as they can be, to
    // stay in the cache.
    template <class Visit>
    decltype(auto) with_owners(Visit&& visit) const {
        return std::visit(
            [&](const auto& owners) -> decltype(auto) {
                if constexpr (std::is_same_v<std::decay_t<decltype(owners)>, std::monostate>) {
                    return visit([](std::uint32_t filter) { return filter; });
                } else {
                    return visit(
                        [at = owners.data()](std::uint32_t filter) -> std::uint32_t { return at[filter]; });
                }
            },
            owners_);
    }
    std::uint32_t owner_bound() const { return interface_bound_ + group_count(); }
    std::uint32_t group_count() const { return static_cast<std::uint32_t>(groups_.size() - 1); }
    std::span<const InterfaceId> group(std::uint32_t owner) const {
        const std::uint32_t* at = groups_.data() + (owner - interface_bound_);
        return {members_.data() + at[0], at[1] - at[0]};
    }
    InterfaceId interface_bound() const { return interface_bound_; }
    std::uint32_t interface_count() const { return interface_count_; }  // those with at least one filter
    bool one_filter_each() const { return one_filter_each_; }  // no interface is served by two filters

    std::size_t posting_bytes() const;
    std::size_t owner_bytes() const;

  private:
    struct Ownership {
        FilterId filter;
        InterfaceId interface;
    };
    std::vector<FilterId> assign_owners(std::vector<Ownership> ownerships, const Catalogue& catalogue);
    void narrow_owners(std::span<const Ownership> owned);
    std::vector<std::uint16_t> add_postings(const ConstraintTable& table, std::span<const FilterId> order,
                                            std::span<const std::uint32_t> numbers);

    std::uint32_t constraints_ = 0;
    std::vector<std::uint32_t> offsets_;   // into postings_, by constraint
    std::vector<std::uint32_t> postings_;  // filters
    std::uint32_t filter_count_ = 0;
    // Nothing at all when each filter has the number of its interface: one filter each, and no gaps.
    std::variant<std::monostate, std::vector<std::uint8_t>, std::vector<std::uint16_t>,
                 std::vector<std::uint32_t>>
        owners_;
    std::vector<std::uint32_t> groups_{0};  // into members_, by group
    std::vector<InterfaceId> members_;
    InterfaceId interface_bound_ = 0;
    std::uint32_t interface_count_ = 0;
    bool one_filter_each_ = true;
};

}  // namespace penstock
