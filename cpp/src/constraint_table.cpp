#include "penstock/constraint_table.hpp"

#include <algorithm>

namespace penstock {

namespace {

std::uint64_t hash_of(std::span<const std::uint8_t> bytes) {
    return hash_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

template <class Visit>
void ConstraintTable::for_each_of(FilterId filter, Visit&& visit) const {
    StoredConstraint constraint{};
    ConstraintCursor cursor(filters_.at(filter));
    for (const std::uint8_t* begin = cursor.position(); cursor.next(constraint); begin = cursor.position())
        visit(Bytes(begin, cursor.position()));
}

const ConstraintTable::Slot* ConstraintTable::find(Bytes bytes, std::uint64_t hash) const {
    return table_.find(hash, [&](const Slot& slot) {
        return slot.tag == tag_of(hash) && std::ranges::equal(places_[slot.id()], bytes);
    });
}

ConstraintTable::ConstraintTable(const FilterStore& filters) : filters_(filters) {
    filters.for_each([&](FilterId filter) {
        for_each_of(filter, [&](Bytes bytes) {
            const std::uint64_t hash = hash_of(bytes);
            if (find(bytes, hash) != nullptr) return;
            places_.push_back(bytes);
            table_.insert(hash, {size(), tag_of(hash)},
                          [&](const Slot& slot) { return hash_of(places_[slot.id()]); });
        });
    });
}

StoredConstraint ConstraintTable::at(ConstraintId id) const {
    StoredConstraint constraint{};
    ConstraintCursor(places_[id]).next(constraint);
    return constraint;
}

void ConstraintTable::append_ids_of(FilterId filter, std::vector<ConstraintId>& ids) const {
    for_each_of(filter, [&](Bytes bytes) { ids.push_back(find(bytes, hash_of(bytes))->id()); });
}

}  // namespace penstock
