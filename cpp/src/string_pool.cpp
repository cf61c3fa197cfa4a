#include "penstock/string_pool.hpp"

#include <array>
#include <cstring>
#include <string>

#include "penstock/error.hpp"

namespace penstock {

template <class Slot, std::uint64_t Spare>
void BasicStringPool<Slot, Spare>::find(std::span<const std::string_view> texts, std::span<Id> ids) const {
    std::array<std::uint64_t, most_at_once> hashes;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        hashes[i] = hash_bytes(texts[i], seed_);
        table_.prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const Slot* const slot =
            table_.find_at_once(hashes[i], [&](const Slot& other) { return other.may_have(hashes[i]); });
        ids[i] = slot == nullptr ? none : slot->id();
        if (ids[i] != none) __builtin_prefetch(&entries_[ids[i]]);
    }
    for (const Id id : ids) {
        if (id != none) __builtin_prefetch(bytes_.at(entries_[id].place));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (ids[i] != none && at(ids[i]) != texts[i]) ids[i] = find(texts[i]);
    }
}

template <class Slot, std::uint64_t Spare>
auto BasicStringPool<Slot, Spare>::acquire(std::string_view text) -> Id {
    if (const Id id = find(text); id != none) {
        ++entries_[id].references;
        return id;
    }
    if (free_ == none && entries_.size() >= none)
        throw CapacityError("a table holds at most 4 billion names");
    if (free_ == none) entries_.make_room();
    const std::string copy(text);  // it may lie in the arena, which may move
    const Arena::Place place = bytes_.allocate(words_for(copy));
    auto* at = reinterpret_cast<std::uint8_t*>(bytes_.at(place));
    write_varint(copy.size(), [&](std::uint8_t byte) { *at++ = byte; });
    std::memcpy(at, copy.data(), copy.size());

    const Id id = free_ != none ? free_ : bound();
    const std::uint64_t hash = hash_bytes(copy, seed_);
    try {
        table_.insert(hash, Slot(id, hash),
                      [&](const Slot& other) { return hash_bytes(this->at(other.id()), seed_); });
    } catch (...) {
        bytes_.release(place, words_for(copy));
        throw;
    }
    if (free_ != none) {
        free_ = entries_[id].place;
        entries_[id] = {place, 1};
    } else {
        entries_.push_back({place, 1});
    }
    return id;
}

template <class Slot, std::uint64_t Spare>
void BasicStringPool<Slot, Spare>::release(Id id) {
    Entry& entry = entries_[id];
    if (--entry.references > 0) return;
    const std::uint64_t hash = hash_bytes(at(id), seed_);
    const Slot* const slot = table_.find(hash, [&](const Slot& other) { return other.id() == id; });
    table_.erase(slot, [&](const Slot& other) { return hash_bytes(at(other.id()), seed_); });
    bytes_.release(entry.place, words_for(at(id)));
    entry = {free_, 0};
    free_ = id;
    ++version_;
}

template <class Slot, std::uint64_t Spare>
void BasicStringPool<Slot, Spare>::shrink() {
    bytes_.shrink();
    entries_.shrink();
    table_.shrink();
}

template class BasicStringPool<TaggedSlot, 3>;
template class BasicStringPool<IdSlot, 8>;

}  // namespace penstock
