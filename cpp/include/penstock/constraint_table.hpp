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
    // With a part of the hash: most slots that a search meets on its way need not be looked up.
    struct Slot {
        std::uint32_t number = 0;  // the id, and one more
        std::uint32_t tag = 0;

        bool is_nothing() const { return number == 0; }
        ConstraintId id() const { return number - 1; }
    };
    static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
    const Slot* find(Bytes bytes, std::uint64_t hash) const;

    const FilterStore& filters_;
    std::vector<Bytes> places_;  // of one occurrence of each
    HashTable<Slot, 2> table_;   // with room, since it is soon given up
};

}  // namespace penstock
