// A set of small integers as bits: the sets of the forwarding algorithm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

class BitVector {
  public:
    void resize(std::size_t bits) { words_.assign((bits + 63) / 64, 0); }
    void clear() { words_.assign(words_.size(), 0); }

    bool test(std::size_t at) const { return (words_[at >> 6U] >> (at & 63U)) & 1U; }
    void set(std::size_t at) { words_[at >> 6U] |= std::uint64_t{1} << (at & 63U); }
    void reset(std::size_t at) { words_[at >> 6U] &= ~(std::uint64_t{1} << (at & 63U)); }

    // Adds all of the others, which may be shorter, in one sweep; says how many members there are then.
    std::size_t unite(std::span<const BitVector* const> others) {
        std::size_t members = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            std::uint64_t word = words_[i];
            for (const BitVector* other : others) {
                if (i < other->words_.size()) word |= other->words_[i];
            }
            words_[i] = word;
            members += count(word);
        }
        return members;
    }

    std::size_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }

  private:
    // Written out, since std::popcount is a slow call where the build may not assume the instruction.
    static std::size_t count(std::uint64_t word) {
        word -= (word >> 1U) & 0x5555555555555555U;
        word = (word & 0x3333333333333333U) + ((word >> 2U) & 0x3333333333333333U);
        word = (word + (word >> 4U)) & 0x0F0F0F0F0F0F0F0FU;
        return static_cast<std::size_t>((word * 0x0101010101010101U) >> 56U);
    }

    std::vector<std::uint64_t> words_;
};

}  // namespace penstock
