#include "penstock/filter_store.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "penstock/error.hpp"
#include "penstock/hash.hpp"

namespace penstock {

FilterId FilterStore::acquire(const Filter& filter) {
    std::vector<ConstraintId> ids;
    ids.reserve(filter.constraints.size());
    const auto give_back = [&] {
        for (const ConstraintId id : ids) constraints_.release(id);
    };
    try {
        for (const ConstraintPtr& constraint : filter.constraints)
            ids.push_back(constraints_.acquire(*constraint));
        std::sort(ids.begin(), ids.end());
        const std::uint64_t hash = hash_of(ids);
        const FilterId found =
            table_.find(hash, [&](FilterId id) { return std::ranges::equal(at(id), ids); });
        if (found != IdTable::none) {
            give_back();
            retain(found);
            return found;
        }
        const std::uint32_t offset = allocate(ids);
        FilterId id = free_;
        if (id != IdTable::none) {
            free_ = records_[id].offset;
            records_[id] = {offset, 1};
        } else {
            id = bound();
            records_.push_back({offset, 1});
        }
        table_.insert(hash, id, [&](FilterId other) { return hash_of(at(other)); });
        occurrences_ += ids.size();
        return id;
    } catch (...) {
        give_back();
        throw;
    }
}

void FilterStore::release(FilterId id) {
    Record& record = records_[id];
    if (--record.references > 0) return;
    const std::span<const ConstraintId> ids = at(id);
    table_.erase(hash_of(ids), id, [&](FilterId other) { return hash_of(at(other)); });
    for (const ConstraintId constraint : ids) constraints_.release(constraint);
    occurrences_ -= ids.size();
    if (free_blocks_.size() <= ids.size()) free_blocks_.resize(ids.size() + 1);
    free_blocks_[ids.size()].push_back(record.offset);
    record.offset = free_;
    free_ = id;
}

std::span<const ConstraintId> FilterStore::at(FilterId id) const {
    const std::uint32_t* block = members_.data() + records_[id].offset;
    return {block + 1, *block};
}

FilterPtr FilterStore::restore(FilterId id) const {
    std::vector<ConstraintPtr> constraints;
    for (const ConstraintId constraint : at(id)) constraints.push_back(constraints_.restore(constraint));
    // Ids do not sort as constraints do.
    std::ranges::sort(constraints, [](const auto& a, const auto& b) { return compare(*a, *b) < 0; });
    return std::make_shared<const Filter>(Filter{std::move(constraints)});
}

std::uint32_t FilterStore::allocate(std::span<const ConstraintId> ids) {
    if (ids.size() < free_blocks_.size() && !free_blocks_[ids.size()].empty()) {
        const std::uint32_t offset = free_blocks_[ids.size()].back();
        free_blocks_[ids.size()].pop_back();
        std::ranges::copy(ids, members_.begin() + offset + 1);
        return offset;
    }
    if (members_.size() + ids.size() >= std::numeric_limits<std::uint32_t>::max()) {
        throw CapacityError("a table holds at most 4 billion constraints");
    }
    const auto offset = static_cast<std::uint32_t>(members_.size());
    members_.push_back(static_cast<std::uint32_t>(ids.size()));
    members_.insert(members_.end(), ids.begin(), ids.end());
    return offset;
}

std::uint64_t FilterStore::hash_of(std::span<const ConstraintId> ids) const {
    std::uint64_t state = mix(ids.size(), 0);
    for (const ConstraintId id : ids) state = mix(state, id);
    return state;
}

std::size_t FilterStore::bytes() const {
    std::size_t total = records_.capacity() * sizeof(Record) + table_.bytes() +
                        members_.capacity() * sizeof(members_[0]) +
                        free_blocks_.capacity() * sizeof(free_blocks_[0]);
    for (const auto& blocks : free_blocks_) total += blocks.capacity() * sizeof(blocks[0]);
    return total;
}

void FilterStore::shrink() {
    constraints_.shrink();
    records_.shrink_to_fit();
    members_.shrink_to_fit();
}

}  // namespace penstock
