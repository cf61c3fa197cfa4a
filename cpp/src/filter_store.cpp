#include "penstock/filter_store.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "penstock/error.hpp"

namespace penstock {

namespace {

// Keys of the access engine have 24 bits for a name, and one name to spare.
constexpr NameId max_names = (1U << 24U) - 1;

}  // namespace

FilterId FilterStore::acquire(const Filter& filter) {
    draft_.clear();
    try {
        for (const ConstraintPtr& constraint : filter.constraints) encode(*constraint);
        const std::uint64_t hash = hash_of(draft_);
        const IdSlot* const found =
            table_.find(hash, [&](const IdSlot& slot) { return std::ranges::equal(at(slot.id()), draft_); });
        if (found == nullptr) {
            const FilterId id = insert(hash);
            constraints_ += filter.constraints.size();
            return id;
        }
        const FilterId id = found->id();
        give_back(draft_);
        return id;
    } catch (...) {
        give_back(draft_);
        throw;
    }
}

FilterId FilterStore::insert(std::uint64_t hash) {
    const FilterId id = blocks_.allocate(words_for(draft_.size()));
    *blocks_.at(id) = no_owner;
    auto* bytes = reinterpret_cast<std::uint8_t*>(blocks_.at(id) + 1);
    *bytes++ = no_access;
    write_varint(draft_.size(), [&](std::uint8_t byte) { *bytes++ = byte; });
    if (!draft_.empty()) std::memcpy(bytes, draft_.data(), draft_.size());
    try {
        table_.insert(hash, IdSlot(id), [&](const IdSlot& slot) { return hash_of(at(slot.id())); });
    } catch (...) {
        blocks_.release(id, words_for(draft_.size()));
        throw;
    }
    return id;
}

void FilterStore::release(FilterId id) {
    const std::span<const std::uint8_t> bytes = at(id);
    const std::uint64_t hash = hash_of(bytes);
    const IdSlot* const slot = table_.find(hash, [&](const IdSlot& other) { return other.id() == id; });
    table_.erase(slot, [&](const IdSlot& other) { return hash_of(at(other.id())); });
    StoredConstraint constraint{};
    for (ConstraintCursor cursor(bytes); cursor.next(constraint);) --constraints_;
    give_back(bytes);
    blocks_.release(id, words_for(bytes.size()));
}

// Appends the constraint to the draft, with its name and values acquired.
void FilterStore::encode(const Constraint& constraint) {
    const NameId name = names_.acquire(constraint.name);
    const std::size_t before = draft_.size();
    try {
        if (name >= max_names)
            throw CapacityError("a table holds at most 16,777,215 distinct attribute names");
        write_varint(name, [&](std::uint8_t byte) { draft_.push_back(byte); });
        draft_.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(constraint.type) << 5U |
                                                   static_cast<unsigned>(constraint.op)));
        encode_values(constraint);
    } catch (...) {
        draft_.resize(before);
        names_.release(name);
        throw;
    }
}

void FilterStore::encode_values(const Constraint& constraint) {
    if (is_presence(constraint.op)) return;
    std::vector<ValueCode> codes;
    codes.reserve(constraint.values.size());
    try {
        for (const Scalar& value : constraint.values) codes.push_back(values_.acquire(value));
        if (is_set(constraint.op)) {
            std::ranges::sort(codes);
            write_varint(codes.size(), [&](std::uint8_t byte) { draft_.push_back(byte); });
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(codes.data());
            draft_.insert(draft_.end(), bytes, bytes + codes.size() * sizeof(ValueCode));
        } else {
            write_varint(codes.front(), [&](std::uint8_t byte) { draft_.push_back(byte); });
        }
    } catch (...) {
        for (const ValueCode code : codes) values_.release(constraint.type, code);
        throw;
    }
}

void FilterStore::give_back(std::span<const std::uint8_t> bytes) {
    StoredConstraint constraint{};
    for (ConstraintCursor cursor(bytes); cursor.next(constraint);) {
        names_.release(constraint.name);
        if (is_presence(constraint.op)) continue;
        if (is_set(constraint.op)) {
            for (std::uint32_t i = 0; i < constraint.set.size(); ++i)
                values_.release(constraint.type, constraint.set[i]);
        } else {
            values_.release(constraint.type, constraint.value);
        }
    }
}

ConstraintPtr FilterStore::restore(const StoredConstraint& stored) const {
    Constraint constraint{std::string(names_.at(stored.name)), stored.type, stored.op, {}};
    if (is_set(stored.op)) {
        for (std::uint32_t i = 0; i < stored.set.size(); ++i)
            constraint.values.push_back(values_.scalar(stored.type, stored.set[i]));
        std::ranges::sort(constraint.values, [](const auto& a, const auto& b) { return compare(a, b) < 0; });
    } else if (!is_presence(stored.op)) {
        constraint.values.push_back(values_.scalar(stored.type, stored.value));
    }
    return std::make_shared<const Constraint>(std::move(constraint));
}

FilterPtr FilterStore::restore(FilterId id) const {
    Filter filter;
    StoredConstraint constraint{};
    for (ConstraintCursor cursor(at(id)); cursor.next(constraint);)
        filter.constraints.push_back(restore(constraint));
    return std::make_shared<const Filter>(std::move(filter));
}

void FilterStore::shrink() {
    names_.shrink();
    values_.shrink();
    blocks_.shrink();
    table_.shrink();
}

}  // namespace penstock
