// Names that came lately and their ids: a stream's messages have few names, which come again and again.
//
// A pool finds a name in three places, each of which memory may have to be asked for; here one line is
// enough, of a table that the nearer caches hold. Collisions, even if prepared, cost no more than the search
// in the pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "penstock/string_pool.hpp"
#include "penstock/text_ends.hpp"

namespace penstock {

class RecentNames {
  public:
    // Before names are looked up, and again whenever the pool may have changed.
    void follow(const StringPool& pool) {
        if (version_ == pool.version() && size_ == pool.size()) return;
        version_ = pool.version();
        size_ = pool.size();
        if (++time_ > 1) return;
        slots_.assign(slot_count, {});  // the first time, and once in four billion changes
        time_ = 1;
    }

    // What pool.find() says. Precondition: the pool is as it was when it was followed.
    StringPool::Id find(std::string_view name, const StringPool& pool) {
        if (name.size() > longest) return pool.find(name);
        const TextEnds ends(name);
        Slot& slot = slots_[ends.hash() % slot_count];
        const bool alike = slot.time == time_ && slot.size == name.size() && slot.head == ends.head &&
                           slot.tail == ends.tail;
        if (alike && (name.size() <= TextEnds::whole || pool.at(slot.id) == name)) return slot.id;
        const StringPool::Id id = pool.find(name);
        if (name.size() <= TextEnds::whole || id != StringPool::none) {
            slot.head = ends.head;
            slot.tail = ends.tail;
            slot.size = static_cast<std::uint32_t>(name.size());
            slot.id = id;
            slot.time = time_;
        }
        return id;
    }

    std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

  private:
    struct Slot {
        std::uint64_t head = 0;
        std::uint64_t tail = 0;
        std::uint32_t size = 0;
        StringPool::Id id = 0;
        std::uint32_t time = 0;  // never, at first
    };
    static constexpr std::size_t slot_count = 4096;
    static constexpr std::size_t longest = 255;

    std::vector<Slot> slots_;
    std::uint32_t time_ = 0;  // how often the pool was seen to have changed
    // Names are given back, which the version tells, or added, which then the number of them does.
    std::uint64_t version_ = UINT64_MAX;
    std::size_t size_ = 0;
};

}  // namespace penstock
