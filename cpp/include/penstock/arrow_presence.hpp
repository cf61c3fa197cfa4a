// Which rows of a column have a value, worked out once from all the bitmaps that have a say in it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "penstock/arrow_validity.hpp"

namespace penstock {

class ArrowPresence {
  public:
    explicit ArrowPresence(std::int64_t rows) : rows_(rows), count_(rows) {}

    // Only what is present in the bitmap, too; its row zero is the column's.
    void keep(const ArrowBitmap& bitmap);
    // No row has one.
    void clear() {
        words_.clear();
        count_ = 0;
    }
    // Only rows for which judge(row) is true.
    template <class Judge>
    void keep_if(Judge&& judge) {
        make_words();
        for (std::size_t word = 0; word < words_.size(); ++word) {
            for (std::uint64_t left = words_[word]; left != 0; left &= left - 1) {
                const int at = std::countr_zero(left);
                if (!judge(static_cast<std::int64_t>(64 * word) + at))
                    words_[word] &= ~(std::uint64_t{1} << at);
            }
        }
        count();
    }

    std::int64_t rows() const { return rows_; }
    std::int64_t present() const { return count_; }
    bool at(std::int64_t row) const {
        if (words_.empty()) return count_ > 0;
        return (words_[static_cast<std::size_t>(row / 64)] >> (row % 64) & 1U) != 0;
    }
    // Up to 64 rows from a multiple of 64 on, the first in the lowest bit; none beyond the last row.
    std::uint64_t block(std::int64_t begin) const {
        if (!words_.empty()) return words_[static_cast<std::size_t>(begin / 64)];
        if (count_ == 0) return 0;
        return first_rows(static_cast<unsigned>(std::min<std::int64_t>(64, rows_ - begin)));
    }

    // Calls visit(row) for the rows that have a value, in order.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::int64_t begin = 0; begin < rows_; begin += 64) {
            for (std::uint64_t left = block(begin); left != 0; left &= left - 1)
                visit(begin + std::countr_zero(left));
        }
    }

  private:
    void make_words();
    void count();

    std::int64_t rows_;
    std::int64_t count_;
    std::vector<std::uint64_t> words_;  // none while all rows have a value, or none of them has
};

}  // namespace penstock
