// Blocks of 32-bit words in one column, reused by size.
//
// A block is known by the place of its first word, so that blocks can refer to each other and still be moved
// or mapped. Small blocks are as long as asked; long ones are rounded up to one of eight lengths per
// doubling. A freed block waits for the next of its length: tables change all the time, but their mixture
// does not.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "penstock/column.hpp"

namespace penstock {

class Arena {
  public:
    using Place = std::uint32_t;
    static constexpr Place none = UINT32_MAX;

    // Throws CapacityError beyond 16 GiB. Whatever was taken with at() must be taken anew.
    Place allocate(std::size_t words);
    // As many words as were asked for.
    void release(Place place, std::size_t words);

    std::uint32_t* at(Place place) { return words_.data() + place; }
    const std::uint32_t* at(Place place) const { return words_.data() + place; }

    // How many words a block has room for when that many are asked for.
    static std::size_t room(std::size_t words) { return length_of(class_of(words)); }

    std::size_t bytes() const { return words_.bytes() + free_.bytes(); }
    void shrink() {
        words_.shrink();
        free_.shrink();
    }
    template <class Archive>
    void archive(Archive& archive) {
        archive(words_);
        archive(free_);
    }

  private:
    static constexpr std::size_t exact = 16;  // lengths below twice this have a class each

    static std::size_t class_of(std::size_t words) {
        if (words < 2 * exact) return words;
        const auto shift = static_cast<std::size_t>(std::bit_width(words - 1)) - 4;
        return 8 * shift + ((words - 1) >> shift) + 1 + 8;
    }
    static std::size_t length_of(std::size_t number) {
        if (number < 2 * exact) return number;
        const std::size_t shift = (number - 8 - 9) / 8;
        return (number - 8 - 8 * shift) << shift;
    }

    Column<std::uint32_t> words_;
    Column<Place> free_;  // the first free block of each class; its first word is the next one
};

}  // namespace penstock
