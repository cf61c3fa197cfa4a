// Filters at rest: lists of constraint ids, interned and counted by reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/constraint_store.hpp"

namespace penstock {

using FilterId = std::uint32_t;

class FilterStore {
  public:
    FilterId acquire(const Filter& filter);
    void retain(FilterId id) { ++records_[id].references; }
    void release(FilterId id);

    bool alive(FilterId id) const { return records_[id].references > 0; }
    std::span<const ConstraintId> at(FilterId id) const;
    FilterPtr restore(FilterId id) const;

    const ConstraintStore& constraints() const { return constraints_; }
    std::size_t size() const { return table_.size(); }
    std::size_t occurrences() const { return occurrences_; }  // constraints over all distinct filters
    FilterId bound() const { return static_cast<FilterId>(records_.size()); }
    std::size_t bytes() const;  // without the constraints themselves
    void shrink();

  private:
    struct Record {
        std::uint32_t offset;      // of the block in members_; of a dead record: the next free id
        std::uint32_t references;  // 0: dead
    };
    std::uint32_t allocate(std::span<const ConstraintId> ids);
    std::uint64_t hash_of(std::span<const ConstraintId> ids) const;

    ConstraintStore constraints_;
    std::vector<Record> records_;
    IdTable table_;
    FilterId free_ = IdTable::none;
    // Blocks: a size, then that many ids in ascending order. Blocks of dead filters wait by size.
    std::vector<std::uint32_t> members_;
    std::vector<std::vector<std::uint32_t>> free_blocks_;
    std::size_t occurrences_ = 0;
};

}  // namespace penstock
