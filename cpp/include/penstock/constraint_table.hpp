// The distinct constraints of all filters, numbered: for engines that index each of them once.
//
// Made when such an engine is built, from filters that must not change meanwhile, and given up afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/filter_store.hpp"

namespace penstock {

using ConstraintId = std::uint32_t;

class ConstraintTable {
  public:
    explicit ConstraintTable(const FilterStore& filters);

    std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }  // ids are below this
    StoredConstraint at(ConstraintId id) const;
    void append_ids_of(FilterId filter, std::vector<ConstraintId>& ids) const;

    const StringPool& names() const { return filters_.names(); }
    const ValueStore& values() const { return filters_.values(); }

  private:
    using Bytes = std::span<const std::uint8_t>;
    template <class Visit>
    void for_each_of(FilterId filter, Visit&& visit) const;
    const IdSlot* find(Bytes bytes, std::uint64_t hash) const;

    const FilterStore& filters_;
    std::vector<Bytes> places_;  // of one occurrence of each
    HashTable<IdSlot> table_;
};

}  // namespace penstock
