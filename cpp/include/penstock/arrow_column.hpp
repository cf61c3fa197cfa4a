// One column of a batch, read where it lies: which rows have a value, and which value that is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "penstock/arrow_text.hpp"
#include "penstock/arrow_validity.hpp"
#include "penstock/value.hpp"

namespace penstock {

double half_to_double(std::uint16_t bits);

class ArrowColumn {
  public:
    // Finds the column in the batch; both must outlive it. Throws ArrowError when the structure is broken:
    // afterwards every string and every index of a dictionary is known to be where it says that it is.
    ArrowColumn(const ArrowField& field, const ArrowArray& batch);

    const ArrowField& field() const { return *field_; }
    std::int64_t rows() const { return rows_; }

    // Up to 64 rows, the first in the lowest bit; a value below a struct that is null is hidden.
    std::uint64_t present(std::int64_t begin, unsigned count) const;

    // Throws MessageError for a value that no message can have; its row counts from `first`.
    void check_values(std::int64_t first) const;

    // Of a row that is present.
    ValueView at(std::int64_t row) const;
    std::string_view text_at(std::int64_t row) const { return text_.at(text_position(row)); }
    // How many bytes behind that text may be read as well.
    std::size_t readable_behind(std::int64_t row) const { return text_.readable_behind(text_position(row)); }

    // Of a column with a dictionary: how many entries it has, and which of them a row that is present has.
    std::int64_t dictionary_size() const { return dictionary_size_; }
    std::int64_t entry_at(std::int64_t row) const { return integer(field_->index, base_ + row); }

  private:
    void enter(const ArrowArray& array);
    void bind(const ArrowArray& leaf);
    void bind_dictionary(const ArrowArray& leaf);
    void check_places() const;
    std::uint64_t filled(std::int64_t begin, unsigned count) const;
    std::int64_t integer(ArrowLayout layout, std::int64_t position) const;
    std::int64_t text_position(std::int64_t row) const {
        return has_dictionary_ ? dictionary_base_ + integer(field_->index, base_ + row) : base_ + row;
    }

    template <class Visit>
    void for_each_present(Visit&& visit) const {
        for (std::int64_t begin = 0; begin < rows_; begin += 64) {
            const auto count = static_cast<unsigned>(std::min<std::int64_t>(64, rows_ - begin));
            for (std::uint64_t left = present(begin, count); left != 0; left &= left - 1) {
                visit(begin + std::countr_zero(left));
            }
        }
    }

    const ArrowField* field_;
    std::int64_t rows_;
    std::int64_t base_ = 0;              // where row 0 lies in the buffers of the array last entered
    std::vector<ArrowBitmap> validity_;  // of the column and the structs around it, where they have nulls
    const char* values_ = nullptr;       // numbers, bits, or indices
    ArrowText text_;
    bool has_dictionary_ = false;
    std::int64_t dictionary_base_ = 0;
    std::int64_t dictionary_size_ = 0;
    std::optional<ArrowBitmap> dictionary_validity_;  // an entry of a dictionary may be null itself
};

// Of a uint64 above the largest int64, a negative number.
inline std::int64_t ArrowColumn::integer(ArrowLayout layout, std::int64_t position) const {
    switch (layout) {
        case ArrowLayout::int8:
            return load_at<std::int8_t>(values_, position);
        case ArrowLayout::int16:
            return load_at<std::int16_t>(values_, position);
        case ArrowLayout::int32:
            return load_at<std::int32_t>(values_, position);
        case ArrowLayout::uint8:
            return load_at<std::uint8_t>(values_, position);
        case ArrowLayout::uint16:
            return load_at<std::uint16_t>(values_, position);
        case ArrowLayout::uint32:
            return load_at<std::uint32_t>(values_, position);
        default:
            return load_at<std::int64_t>(values_, position);
    }
}

inline ValueView ArrowColumn::at(std::int64_t row) const {
    const std::int64_t position = base_ + row;
    switch (field_->layout) {
        case ArrowLayout::boolean:
            return ValueView::of(ArrowBitmap(values_, base_).at(row));
        case ArrowLayout::float16:
            return ValueView::of(half_to_double(load_at<std::uint16_t>(values_, position)));
        case ArrowLayout::float32:
            return ValueView::of(static_cast<double>(load_at<float>(values_, position)));
        case ArrowLayout::float64:
            return ValueView::of(load_at<double>(values_, position));
        case ArrowLayout::string:
        case ArrowLayout::large_string:
        case ArrowLayout::string_view:
            return ValueView::of(text_at(row));
        default:
            return ValueView::of(integer(field_->layout, position));
    }
}

}  // namespace penstock
