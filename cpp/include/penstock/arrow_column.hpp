// One column of a batch, read where it lies: which rows have a value, and which value that is.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "penstock/arrow_presence.hpp"
#include "penstock/arrow_text.hpp"
#include "penstock/value.hpp"

namespace penstock {

double half_to_double(std::uint16_t bits);

class ArrowColumn {
  public:
    // Finds the column in the batch; both must outlive it. Throws ArrowError when the structure is broken:
    // afterwards every string and every index of a dictionary is known to be where it says that it is.
    ArrowColumn(const ArrowField& field, const ArrowArray& batch);

    const ArrowField& field() const { return *field_; }
    std::int64_t rows() const { return presence_.rows(); }

    // A value below a struct that is null is hidden.
    const ArrowPresence& presence() const { return presence_; }

    // Throws MessageError for a value that no message can have; its row counts from `first`.
    void check_values(std::int64_t first) const;

    // Calls use(read), where read(row) is the value of a row that is present: the kind of values is told once
    // for all rows.
    template <class Use>
    void with_values(Use&& use) const;
    ValueView at(std::int64_t row) const {
        ValueView value;
        with_values([&](const auto& read) { value = read(row); });
        return value;
    }
    std::string_view text_at(std::int64_t row) const { return text_.at(text_position(row)); }
    // How many bytes behind that text may be read as well.
    std::size_t readable_behind(std::int64_t row) const { return text_.readable_behind(text_position(row)); }

    // Of a column with a dictionary: how many entries it has, and which of them a row that is present has.
    std::int64_t dictionary_size() const { return dictionary_size_; }
    template <class Use>
    void with_entries(Use&& use) const {
        with_integers(field_->index, use);
    }
    std::int64_t entry_at(std::int64_t row) const { return integer(field_->index, row); }
    std::string_view text_of_entry(std::int64_t entry) const { return text_.at(dictionary_base_ + entry); }

  private:
    void enter(const ArrowArray& array);
    void bind(const ArrowArray& leaf);
    void bind_text(const ArrowArray& leaf);
    void bind_dictionary(const ArrowArray& leaf);
    void check_entries() const;
    void check_places() const;
    template <class Visit>
    void for_each_text(Visit&& visit) const;

    template <class Integer>
    auto integers() const {  // of a uint64 above the largest int64, a negative number
        return [values = values_, base = base_](std::int64_t row) {
            return static_cast<std::int64_t>(load_at<Integer>(values, base + row));
        };
    }
    template <class Use>
    void with_integers(ArrowLayout layout, Use&& use) const;
    std::int64_t integer(ArrowLayout layout, std::int64_t row) const {
        std::int64_t value = 0;
        with_integers(layout, [&](const auto& read) { value = read(row); });
        return value;
    }
    std::int64_t text_position(std::int64_t row) const {
        return has_dictionary_ ? dictionary_base_ + entry_at(row) : base_ + row;
    }

    // What reading a value needs comes first: with very many columns, memory is what takes the time.
    ArrowLayout layout_;
    bool has_dictionary_ = false;
    bool tidy_ = false;             // no string lies outside or is too long for a message
    const char* values_ = nullptr;  // numbers, bits, or indices
    std::int64_t base_ = 0;         // where row 0 lies in the buffers of the array last entered
    ArrowText text_;
    ArrowPresence presence_;
    const ArrowField* field_;
    std::int64_t dictionary_base_ = 0;
    std::int64_t dictionary_size_ = 0;
};

template <class Use>
void ArrowColumn::with_integers(ArrowLayout layout, Use&& use) const {
    switch (layout) {
        case ArrowLayout::int8:
            return use(integers<std::int8_t>());
        case ArrowLayout::int16:
            return use(integers<std::int16_t>());
        case ArrowLayout::int32:
            return use(integers<std::int32_t>());
        case ArrowLayout::uint8:
            return use(integers<std::uint8_t>());
        case ArrowLayout::uint16:
            return use(integers<std::uint16_t>());
        case ArrowLayout::uint32:
            return use(integers<std::uint32_t>());
        default:
            return use(integers<std::int64_t>());
    }
}

template <class Use>
void ArrowColumn::with_values(Use&& use) const {
    const auto* const values = values_;
    const std::int64_t base = base_;
    switch (layout_) {
        case ArrowLayout::null:
            return;  // there are none
        case ArrowLayout::boolean:
            return use([=](std::int64_t row) { return ValueView::of(ArrowBitmap(values, base).at(row)); });
        case ArrowLayout::float16:
            return use([=](std::int64_t row) {
                return ValueView::of(half_to_double(load_at<std::uint16_t>(values, base + row)));
            });
        case ArrowLayout::float32:
            return use([=](std::int64_t row) {
                return ValueView::of(static_cast<double>(load_at<float>(values, base + row)));
            });
        case ArrowLayout::float64:
            return use([=](std::int64_t row) { return ValueView::of(load_at<double>(values, base + row)); });
        case ArrowLayout::string:
        case ArrowLayout::large_string:
        case ArrowLayout::string_view:
            if (has_dictionary_) return use([this](std::int64_t row) { return ValueView::of(text_at(row)); });
            return text_.with_reader([&](const auto& read) {
                use([&](std::int64_t row) { return ValueView::of(read(base + row)); });
            });
        default:
            return with_integers(layout_, [&](const auto& read) {
                use([&](std::int64_t row) { return ValueView::of(read(row)); });
            });
    }
}

}  // namespace penstock
