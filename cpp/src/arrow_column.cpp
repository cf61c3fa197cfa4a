#include "penstock/arrow_column.hpp"

#include <cmath>
#include <limits>

#include "penstock/error.hpp"
#include "penstock/limits.hpp"
#include "penstock/utf8_check.hpp"

namespace penstock {

double half_to_double(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    double size = 0;
    if (exponent == 31) {
        size = fraction == 0 ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    } else {
        size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    }
    return (bits >> 15) != 0 ? -size : size;
}

ArrowColumn::ArrowColumn(const ArrowField& field, const ArrowArray& batch)
    : field_(&field), rows_(batch.length) {
    const ArrowArray* array = &batch;
    check_array(batch, "", 1);
    enter(batch);
    for (std::size_t level = 0; level < field.path.size(); ++level) {
        array = &child_of(*array, field.path[level], base_ + rows_, field.name);
        if (level + 1 < field.path.size()) {
            check_array(*array, field.name, 1);
            enter(*array);
        }
    }
    bind(*array);
}

// A struct's children know nothing of its offset: it is added to theirs.
void ArrowColumn::enter(const ArrowArray& array) {
    base_ += array.offset;
    if (array.null_count != 0 && array.n_buffers > 0 && array.buffers[0] != nullptr)
        validity_.emplace_back(array.buffers[0], base_);
}

void ArrowColumn::bind(const ArrowArray& leaf) {
    if (field_->has_dictionary()) return bind_dictionary(leaf);
    if (field_->layout == ArrowLayout::null) return check_array(leaf, field_->name, 0);
    if (is_text(field_->layout)) {
        check_array(leaf, field_->name, 3, field_->layout == ArrowLayout::string_view);
        enter(leaf);
        text_ = ArrowText(leaf, field_->layout, base_, base_ + rows_, field_->name);
        return check_places();
    }
    check_array(leaf, field_->name, 2);
    enter(leaf);
    if (rows_ > 0) values_ = buffer_of(leaf, 1, field_->name);
}

void ArrowColumn::bind_dictionary(const ArrowArray& leaf) {
    check_array(leaf, field_->name, 2);
    enter(leaf);
    if (leaf.dictionary == nullptr) refuse_array(field_->name, "lacks its dictionary");
    const ArrowArray& dictionary = *leaf.dictionary;
    has_dictionary_ = true;
    check_array(dictionary, field_->name, 3, field_->layout == ArrowLayout::string_view);
    dictionary_base_ = dictionary.offset;
    dictionary_size_ = dictionary.length;
    if (dictionary.null_count != 0 && dictionary.buffers[0] != nullptr)
        dictionary_validity_.emplace(dictionary.buffers[0], dictionary_base_);
    if (rows_ == 0) return;
    values_ = buffer_of(leaf, 1, field_->name);
    text_ = ArrowText(dictionary, field_->layout, dictionary_base_, dictionary_base_ + dictionary_size_,
                      field_->name);
    check_places();
}

void ArrowColumn::check_places() const {
    if (has_dictionary_) {  // before present(), which looks into the dictionary
        for (std::int64_t begin = 0; begin < rows_; begin += 64) {
            const auto count = static_cast<unsigned>(std::min<std::int64_t>(64, rows_ - begin));
            for (std::uint64_t left = filled(begin, count); left != 0; left &= left - 1) {
                const std::int64_t row = begin + std::countr_zero(left);
                const std::int64_t index = integer(field_->index, base_ + row);
                if (index < 0 || index >= dictionary_size_)
                    refuse_array(field_->name, "has an index outside its dictionary");
            }
        }
    }
    for_each_present([&](std::int64_t row) {
        if (!text_.is_sound(text_position(row)))
            refuse_array(field_->name, "has a string that lies outside its buffer");
    });
}

std::uint64_t ArrowColumn::filled(std::int64_t begin, unsigned count) const {
    std::uint64_t rows = field_->layout == ArrowLayout::null ? 0 : first_rows(count);
    for (const ArrowBitmap& bitmap : validity_) rows &= bitmap.word(begin, count);
    return rows;
}

std::uint64_t ArrowColumn::present(std::int64_t begin, unsigned count) const {
    std::uint64_t rows = filled(begin, count);
    if (!dictionary_validity_) return rows;
    for (std::uint64_t left = rows; left != 0; left &= left - 1) {
        const int at = std::countr_zero(left);
        if (!dictionary_validity_->at(integer(field_->index, base_ + begin + at)))
            rows &= ~(std::uint64_t{1} << at);
    }
    return rows;
}

void ArrowColumn::check_values(std::int64_t first) const {
    const auto refuse = [&](std::int64_t row, const std::string& why) {
        throw MessageError(field_->name, why, static_cast<std::size_t>(first + row));
    };
    if (field_->layout == ArrowLayout::uint64) {
        for_each_present([&](std::int64_t row) {
            if (integer(ArrowLayout::uint64, base_ + row) < 0) refuse(row, "is an integer outside 64 bits");
        });
    }
    if (!is_text(field_->layout)) return;
    // An entry of a dictionary is looked at once, and only if a row has it.
    std::vector<bool> seen(has_dictionary_ && rows_ > 0 ? static_cast<std::size_t>(dictionary_size_) : 0);
    const bool ascii = !has_dictionary_ && rows_ > 0 && text_.is_ascii();
    for_each_present([&](std::int64_t row) {
        if (has_dictionary_) {
            const auto index = static_cast<std::size_t>(integer(field_->index, base_ + row));
            if (seen[index]) return;
            seen[index] = true;
        }
        const std::string_view text = text_at(row);
        if (text.size() > max_string_bytes) {
            refuse(row, "is a string of " + std::to_string(text.size()) + " bytes; the limit is " +
                            std::to_string(max_string_bytes));
        }
        if (!ascii && !is_utf8(text)) refuse(row, "is a string that is not valid UTF-8");
    });
}

}  // namespace penstock
