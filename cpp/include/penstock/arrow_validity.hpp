// Which rows of an array are there, 64 at a time; and the checks that every array has to pass first.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "penstock/arrow_abi.hpp"

namespace penstock {

// A bitmap with a one for each value that is not null, seen from a row zero that may lie inside it.
class ArrowBitmap {
  public:
    ArrowBitmap(const void* bytes, std::int64_t base)
        : bytes_(static_cast<const unsigned char*>(bytes)), base_(base) {}

    bool at(std::int64_t row) const {
        const std::int64_t bit = base_ + row;
        return ((bytes_[bit / 8] >> (bit % 8)) & 1U) != 0;
    }
    // The bits of up to 64 rows, the first in the lowest bit. Reads no byte beyond the last row's.
    std::uint64_t word(std::int64_t begin, unsigned count) const {
        const std::int64_t bit = base_ + begin;
        const unsigned char* const byte = bytes_ + bit / 8;
        const auto skipped = static_cast<unsigned>(bit % 8);
        if (std::endian::native != std::endian::little || count < 64) return word_at(byte, skipped, count);
        std::uint64_t bits = 0;
        std::memcpy(&bits, byte, 8);
        return skipped == 0 ? bits : bits >> skipped | static_cast<std::uint64_t>(byte[8]) << (64 - skipped);
    }
    std::int64_t count_ones(std::int64_t rows) const;

  private:
    static std::uint64_t word_at(const unsigned char* byte, unsigned skipped, unsigned count);

    const unsigned char* bytes_;
    std::int64_t base_;
};

// Portable code has no instruction for counting, and most words are all nulls or have none.
constexpr int count_ones(std::uint64_t bits) {
    if (bits == 0) return 0;
    return bits == ~std::uint64_t{0} ? 64 : std::popcount(bits);
}
constexpr std::uint64_t first_rows(unsigned count) {
    return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

[[noreturn]] void refuse_array(const std::string& column, const std::string& why);

// What can be told from the structure alone: lengths, offsets, numbers of buffers and nulls that contradict
// each other. The size of buffers is not in the structure, so a liar with consistent lies is believed.
// `buffers` is how many there must be, or the least number when `more` is allowed.
void check_array(const ArrowArray& array, const std::string& column, std::int64_t buffers, bool more = false);

// A child that exists and holds at least that many rows.
const ArrowArray& child_of(const ArrowArray& parent, std::int64_t at, std::int64_t rows,
                           const std::string& column);

// A buffer that must be there because there are values to read.
const char* buffer_of(const ArrowArray& array, std::int64_t at, const std::string& column);

}  // namespace penstock
