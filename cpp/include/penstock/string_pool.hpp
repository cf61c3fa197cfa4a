// Interned, reference-counted strings with small dense ids.
//
// An id is valid while it has a reference and is reused afterwards, and so are the bytes. A view from at()
// lasts until the next acquire().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "penstock/arena.hpp"
#include "penstock/hash.hpp"
#include "penstock/hash_table.hpp"
#include "penstock/id_slot.hpp"
#include "penstock/varint.hpp"

namespace penstock {

template <class Slot, std::uint64_t Spare>
class BasicStringPool {
  public:
    using Id = std::uint32_t;
    static constexpr Id none = UINT32_MAX;

    Id acquire(std::string_view text);
    void release(Id id);

    Id find(std::string_view text) const {
        const std::uint64_t hash = hash_bytes(text, seed_);
        const Slot* const slot = table_.find(
            hash, [&](const Slot& other) { return other.may_have(hash) && at(other.id()) == text; });
        return slot == nullptr ? none : slot->id();
    }
    // The same for several, at most so many: while memory answers for one, the others are looked for.
    static constexpr std::size_t most_at_once = 64;
    void find(std::span<const std::string_view> texts, std::span<Id> ids) const;
    std::string_view at(Id id) const {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(bytes_.at(entries_[id].place));
        const std::uint32_t size = read_varint(bytes);
        return {reinterpret_cast<const char*>(bytes), size};
    }
    bool alive(Id id) const { return id < entries_.size() && entries_[id].references > 0; }
    std::uint32_t references(Id id) const { return entries_[id].references; }

    // Another one whenever an id may come to stand for another string.
    std::uint64_t version() const { return version_; }
    std::size_t size() const { return table_.size(); }             // living strings
    Id bound() const { return static_cast<Id>(entries_.size()); }  // ids are below this
    std::size_t bytes() const { return bytes_.bytes() + entries_.bytes() + table_.bytes(); }
    void shrink();  // gives back what growth set aside
    template <class Archive>
    void archive(Archive& archive) {
        bytes_.archive(archive);
        archive(entries_);
        table_.archive(archive);
        archive(free_);
        archive(seed_);
    }

  private:
    struct Entry {
        Arena::Place place;  // of a dead entry: the next free id
        std::uint32_t references;
    };
    static std::size_t words_for(std::string_view text) {
        return (varint_size(text.size()) + text.size() + 3) / 4;
    }

    Arena bytes_;  // blocks of a length and as many bytes
    Column<Entry> entries_;
    HashTable<Slot, Spare> table_;
    Id free_ = none;
    std::uint64_t version_ = 0;
    std::uint64_t seed_ = hash_seed;
};

// Names and values, which every message is full of; and interfaces, which only subscriptions speak of.
using StringPool = BasicStringPool<TaggedSlot, 3>;
using InterfacePool = BasicStringPool<IdSlot, 8>;
extern template class BasicStringPool<TaggedSlot, 3>;
extern template class BasicStringPool<IdSlot, 8>;

}  // namespace penstock
