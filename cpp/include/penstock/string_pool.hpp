// Interned, reference-counted strings with small dense ids.
//
// An id is valid while it has a reference and is reused afterwards; bytes of dead strings are reclaimed
// when they outweigh the living. A view from at() lasts until the next acquire() or release().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "penstock/id_table.hpp"

namespace penstock {

class StringPool {
  public:
    using Id = std::uint32_t;
    static constexpr Id none = IdTable::none;

    Id acquire(std::string_view text);
    void retain(Id id) { ++entries_[id].references; }
    void release(Id id);

    Id find(std::string_view text) const;
    std::string_view at(Id id) const { return {bytes_.data() + entries_[id].offset, entries_[id].length}; }
    bool alive(Id id) const { return id < entries_.size() && entries_[id].references > 0; }
    std::uint32_t references(Id id) const { return entries_[id].references; }

    std::size_t size() const { return table_.size(); }             // living strings
    Id bound() const { return static_cast<Id>(entries_.size()); }  // ids are below this
    std::size_t bytes() const;
    void shrink();  // gives back what growth set aside

  private:
    struct Entry {
        std::uint32_t offset;  // of a dead entry: the next free id
        std::uint32_t length;
        std::uint32_t references;
    };
    void compact();

    std::vector<char> bytes_;
    std::vector<Entry> entries_;
    IdTable table_;
    Id free_ = none;
    std::size_t dead_bytes_ = 0;
};

}  // namespace penstock
