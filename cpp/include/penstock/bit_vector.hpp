// A set of small integers as bits: the sets of the forwarding algorithm.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

class BitVector {
  public:
    void resize(std::size_t bits) { words_.assign((bits + 63) / 64, 0); }
    void clear() { words_.assign(words_.size(), 0); }
    std::size_t size() const { return words_.size() * 64; }

    bool test(std::size_t at) const { return (words_[at >> 6U] >> (at & 63U)) & 1U; }
    void set(std::size_t at) { words_[at >> 6U] |= std::uint64_t{1} << (at & 63U); }
    // Whether it was not there. Without a branch, where nobody could foretell the answer.
    bool insert_if(bool condition, std::size_t at) {
        std::uint64_t& word = words_[at >> 6U];
        const bool is_new = ((word >> (at & 63U)) & 1U) == 0;
        word |= static_cast<std::uint64_t>(condition) << (at & 63U);
        return is_new;
    }
    // Adds members, 64 to a word, and says how many are new. Precondition: there is room for as many words.
    std::size_t unite(std::span<const std::uint64_t> words) {
        std::size_t members = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (const std::uint64_t added = words[i] & ~words_[i]; added != 0) {
                members += count(added);
                words_[i] |= added;
            }
        }
        return members;
    }
    // The same for whoever counts them later.
    void unite_uncounted(std::span<const std::uint64_t> words) {
        for (std::size_t i = 0; i < words.size(); ++i) words_[i] |= words[i];
    }
    std::size_t count() const {
        std::size_t members = 0;
        for (const std::uint64_t word : words_) members += count(word);
        return members;
    }
    void reset(std::size_t at) { words_[at >> 6U] &= ~(std::uint64_t{1} << (at & 63U)); }

    // Adds all of the others, which may be shorter, and says how many members there are then. Goes in blocks
    // that stay in the cache while one set after the other is added.
    std::size_t unite(std::span<const BitVector* const> others) {
        constexpr std::size_t block = 1024;
        std::size_t members = 0;
        for (std::size_t first = 0; first < words_.size(); first += block) {
            const std::size_t last = std::min(first + block, words_.size());
            for (const BitVector* other : others) {
                const std::size_t end = std::min(last, other->words_.size());
                for (std::size_t i = first; i < end; ++i) words_[i] |= other->words_[i];
            }
            for (std::size_t i = first; i < last; ++i) members += count(words_[i]);
        }
        return members;
    }

    // Calls visit(member) for each, in order, and is empty then.
    template <class Visit>
    void drain(Visit&& visit) {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
                visit(64 * i + static_cast<std::size_t>(std::countr_zero(left)));
            words_[i] = 0;
        }
    }

    const std::uint64_t* words() const { return words_.data(); }  // 64 members each, from the lowest bit
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
