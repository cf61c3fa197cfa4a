// A hash table that never stops to rehash.
//
// Linear probing in hash order: the home of a hash is its share of the table, so that capacity need not be a
// power of two, and the table grows by stretching. Each insertion moves a few slots to their new homes, from
// the upper end down; hashes below the boundary still have their old ones. Whole clusters move at a time, so
// no search is ever cut short. Removal shifts followers back; there are no tombstones.
//
// Slots are plain records; one of zeros is free, and is_nothing(). Callers supply hashes and equality, so a
// slot need not hold its key. One slot in `Spare` stays free: where most searches fail, more of them pay.
//
// Slots may be sorted by their hashes: a search in vain then ends where its slot would lie, and takes no
// longer than another. That is for slots whose hashes are soon told.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "penstock/column.hpp"
#include "penstock/hash.hpp"

namespace penstock {

template <class Slot, std::uint64_t Spare = 8, bool Sorted = false>
class HashTable {
  public:
    // Null when there is none. A slot stays where it is until the next insert() or erase().
    template <class Equal>
    const Slot* find(std::uint64_t hash, Equal&& equal) const {
        if (size_ == 0) return nullptr;
        for (const Slot* slot = slots_.data() + home(hash);; ++slot) {
            if (slot->is_nothing()) return nullptr;
            if (equal(*slot)) return slot;
        }
    }
    template <class Equal>
    Slot* find(std::uint64_t hash, Equal&& equal) {
        return const_cast<Slot*>(std::as_const(*this).find(hash, equal));
    }
    // The same where equality is soon told: four slots at a time, since nobody could foretell which it is.
    template <class Equal>
    const Slot* find_at_once(std::uint64_t hash, Equal&& equal) const {
        if (size_ == 0) return nullptr;
        for (const Slot* slot = slots_.data() + home(hash);; slot += at_once) {
            unsigned found = 0;
            bool is_end = false;
            for (unsigned i = 0; i < at_once; ++i) {
                const bool is_free = slot[i].is_nothing();
                found |= static_cast<unsigned>(!is_free & equal(slot[i])) << i;
                is_end |= is_free;
            }
            if (found != 0) return slot + std::countr_zero(found);
            if (is_end) return nullptr;
        }
    }
    // The same where slots are sorted.
    template <class Equal, class HashOf>
        requires Sorted
    const Slot* find(std::uint64_t hash, Equal&& equal, HashOf&& hash_of) const {
        if (size_ == 0) return nullptr;
        for (const Slot* slot = slots_.data() + home(hash);; ++slot) {
            if (slot->is_nothing()) return nullptr;
            const std::uint64_t other = hash_of(*slot);
            if (other < hash) continue;
            if (other > hash) return nullptr;
            if (equal(*slot)) return slot;
        }
    }
    void prefetch(std::uint64_t hash) const {
        if (size_ > 0) __builtin_prefetch(slots_.data() + home(hash));
    }

    // Precondition: no equal slot is in the table. `hash_of(slot)` is asked when slots move. Nothing changes
    // if memory runs out.
    template <class HashOf>
    Slot* insert(std::uint64_t hash, const Slot& slot, HashOf&& hash_of) {
        if (size_ + 1 > capacity_ - capacity_ / Spare) {
            while (boundary_ > 0) stretch(hash_of);
            begin_growth();
        }
        for (int i = 0; boundary_ > 0 && i < clusters_per_insertion; ++i) stretch(hash_of);
        make_spare(1);
        ++size_;
        return place(hash, slot, hash_of);
    }

    template <class HashOf>
    void erase(const Slot* slot, HashOf&& hash_of) {
        std::size_t hole = static_cast<std::size_t>(slot - slots_.data());
        for (std::size_t at = hole + 1; !slots_[at].is_nothing(); ++at) {
            if (home(hash_of(slots_[at])) > hole) continue;  // it must not lie before its home
            slots_[hole] = slots_[at];
            hole = at;
        }
        slots_[hole] = Slot();
        --size_;
    }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const Slot& slot : slots_) {
            if (!slot.is_nothing()) visit(slot);
        }
    }

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return slots_.bytes(); }
    void shrink() { slots_.shrink(); }
    template <class Archive>
    void archive(Archive& archive) {
        archive(slots_);
        archive(size_);
        archive(capacity_);
        archive(old_capacity_);
        archive(boundary_);
    }

  private:
    static constexpr std::size_t at_once = 4;
    // More would move slots before they must, fewer would leave some for the next growth to wait for.
    static constexpr int clusters_per_insertion = 3;

    std::size_t home(std::uint64_t hash) const {
        const std::uint64_t capacity = hash < boundary_ ? old_capacity_ : capacity_;
        return static_cast<std::size_t>((static_cast<Wide>(hash) * capacity) >> 64U);
    }
    template <class HashOf>
    Slot* place(std::uint64_t hash, const Slot& slot, HashOf&& hash_of) {
        Slot* at = slots_.data() + home(hash);
        while (!at->is_nothing() && !(Sorted && hash_of(*at) > hash)) ++at;
        Slot* free = at;
        while (!free->is_nothing()) ++free;
        std::move_backward(at, free, free + 1);
        *at = slot;
        return at;
    }

    // Behind the last home there are always so many free slots, and some more: what is placed does not run
    // over the end, and every search meets one, even if it looks at several at once.
    void make_spare(std::size_t count) {
        const std::size_t wanted = count + at_once;
        std::size_t free = 0;
        for (std::size_t at = slots_.size(); free < wanted && at > capacity_; ++free) {
            if (!slots_[--at].is_nothing()) break;
        }
        if (free < wanted) slots_.extend(slots_.size() + wanted - free);
    }

    void begin_growth() {
        const std::uint64_t wider = capacity_ + capacity_ / 4 + 8;
        slots_.extend(std::max<std::size_t>(wider + 8, slots_.size()));
        old_capacity_ = std::exchange(capacity_, wider);
        boundary_ = size_ > 0 ? UINT64_MAX : 0;
    }

    // Moves the cluster below the boundary to where it belongs now, and the boundary below it.
    template <class HashOf>
    void stretch(HashOf&& hash_of) {
        std::size_t first = home(boundary_ - 1);
        while (first > 0 && !slots_[first - 1].is_nothing()) --first;
        moving_.clear();
        for (std::size_t at = first; !slots_[at].is_nothing(); ++at) moving_.push_back(slots_[at]);
        make_spare(moving_.size());
        std::fill_n(slots_.begin() + first, moving_.size(), Slot());
        // The smallest hash whose old home is not before the cluster.
        boundary_ =
            first == 0
                ? 0
                : static_cast<std::uint64_t>(((static_cast<Wide>(first) << 64U) - 1) / old_capacity_) + 1;
        for (const Slot& slot : moving_) place(hash_of(slot), slot, hash_of);
    }

    Column<Slot> slots_;
    std::uint64_t size_ = 0;
    std::uint64_t capacity_ = 0;
    std::uint64_t old_capacity_ = 0;
    std::uint64_t boundary_ = 0;  // hashes below it have their homes as of old
    std::vector<Slot> moving_;
};

}  // namespace penstock
