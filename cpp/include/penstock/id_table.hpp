// A hash table of 32-bit ids whose keys live elsewhere: the caller supplies hashes and equality.
//
// Linear probing in hash order (the home of a hash is its share of the table), so capacity need not be a
// power of two and grows by half: about 6 bytes an id. Removal shifts followers back; there are no
// tombstones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "penstock/hash.hpp"

namespace penstock {

class IdTable {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;

    template <class Equal>
    std::uint32_t find(std::uint64_t hash, Equal&& equal) const {
        if (slots_.empty()) return none;
        for (std::size_t at = home(hash);; at = next(at)) {
            if (slots_[at] == none || equal(slots_[at])) return slots_[at];
        }
    }

    // Precondition: no equal id is in the table. `hash_of(id)` is asked when the table grows.
    template <class HashOf>
    void insert(std::uint64_t hash, std::uint32_t id, HashOf&& hash_of) {
        if ((size_ + 1) * 5 > slots_.size() * 4) rehash(slots_.size() + slots_.size() / 2 + 16, hash_of);
        place(hash, id);
        ++size_;
    }

    template <class HashOf>
    void erase(std::uint64_t hash, std::uint32_t id, HashOf&& hash_of) {
        std::size_t hole = home(hash);
        while (slots_[hole] != id) hole = next(hole);
        for (std::size_t at = next(hole); slots_[at] != none; at = next(at)) {
            // An id may move back into the hole unless its home lies after the hole.
            const std::size_t from_home = distance(home(hash_of(slots_[at])), at);
            if (from_home >= distance(hole, at)) {
                slots_[hole] = slots_[at];
                hole = at;
            }
        }
        slots_[hole] = none;
        --size_;
    }

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint32_t); }

  private:
    std::size_t home(std::uint64_t hash) const {
        return static_cast<std::size_t>((static_cast<Wide>(hash) * slots_.size()) >> 64U);
    }
    std::size_t next(std::size_t at) const { return at + 1 == slots_.size() ? 0 : at + 1; }
    std::size_t distance(std::size_t from, std::size_t to) const {
        return to >= from ? to - from : to + slots_.size() - from;
    }
    void place(std::uint64_t hash, std::uint32_t id) {
        std::size_t at = home(hash);
        while (slots_[at] != none) at = next(at);
        slots_[at] = id;
    }
    template <class HashOf>
    void rehash(std::size_t capacity, HashOf&& hash_of) {
        std::vector<std::uint32_t> old(capacity, none);
        old.swap(slots_);
        for (const std::uint32_t id : old) {
            if (id != none) place(hash_of(id), id);
        }
    }

    std::vector<std::uint32_t> slots_;
    std::size_t size_ = 0;
};

}  // namespace penstock
