// Filters at rest: their constraints in a few bytes each, interned, so that equal filters are stored once.
//
// A filter's id is the place of its block: its owner (see owner_groups.hpp), the constraint that the access
// engine found it a place under, and the constraints in canonical order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/constraint.hpp"
#include "penstock/stored_constraint.hpp"

namespace penstock {

using FilterId = Arena::Place;
// The interface that owns a filter, or a group of them.
using Owner = std::uint32_t;
inline constexpr Owner no_owner = UINT32_MAX;

class FilterStore {
  public:
    // No constraint, or one that is too far back in the filter to be remembered.
    static constexpr std::uint8_t no_access = 255;

    // A filter that was not there yet has no owner. Throws and changes nothing when there is no room.
    FilterId acquire(const Filter& filter);
    void release(FilterId id);

    Owner owner(FilterId id) const { return *blocks_.at(id); }
    void set_owner(FilterId id, Owner owner) { *blocks_.at(id) = owner; }
    std::uint8_t access(FilterId id) const { return *bytes_of(id); }
    void set_access(FilterId id, std::uint8_t access) {
        *reinterpret_cast<std::uint8_t*>(blocks_.at(id) + 1) = access;
    }
    std::span<const std::uint8_t> at(FilterId id) const {
        const std::uint8_t* bytes = bytes_of(id) + 1;
        const std::uint32_t size = read_varint(bytes);
        return {bytes, size};
    }
    void prefetch(FilterId id) const { __builtin_prefetch(blocks_.at(id)); }

    FilterPtr restore(FilterId id) const;
    ConstraintPtr restore(const StoredConstraint& stored) const;

    const StringPool& names() const { return names_; }
    const ValueStore& values() const { return values_; }
    ValueStore& values() { return values_; }
    std::size_t size() const { return table_.size(); }
    std::size_t constraints() const { return constraints_; }  // over all distinct filters
    std::size_t bytes() const { return blocks_.bytes() + table_.bytes(); }
    void shrink();
    template <class Visit>
    void for_each(Visit&& visit) const {
        table_.for_each([&](const IdSlot& slot) { visit(slot.id()); });
    }
    template <class Archive>
    void archive(Archive& archive) {
        names_.archive(archive);
        values_.archive(archive);
        blocks_.archive(archive);
        table_.archive(archive);
        archive(constraints_);
        archive(seed_);
    }

  private:
    const std::uint8_t* bytes_of(FilterId id) const {
        return reinterpret_cast<const std::uint8_t*>(blocks_.at(id) + 1);
    }
    static std::size_t words_for(std::size_t payload) {
        return 1 + (1 + varint_size(payload) + payload + 3) / 4;
    }
    std::uint64_t hash_of(std::span<const std::uint8_t> bytes) const {
        return hash_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, seed_);
    }
    FilterId insert(std::uint64_t hash);
    void encode(const Constraint& constraint);
    void encode_values(const Constraint& constraint);
    void give_back(std::span<const std::uint8_t> bytes);

    StringPool names_;
    ValueStore values_;
    Arena blocks_;
    HashTable<IdSlot> table_;
    std::uint64_t constraints_ = 0;
    std::uint64_t seed_ = hash_seed;
    std::vector<std::uint8_t> draft_;  // the filter that is being acquired
};

}  // namespace penstock
