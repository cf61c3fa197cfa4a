#include "penstock/arrow_column.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

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
    : layout_(field.layout), presence_(batch.length), field_(&field) {
    const ArrowArray* array = &batch;
    check_array(batch, "", 1);
    enter(batch);
    for (std::size_t level = 0; level < field.path.size(); ++level) {
        array = &child_of(*array, field.path[level], base_ + rows(), field.name);
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
        presence_.keep(ArrowBitmap(array.buffers[0], base_));
}

void ArrowColumn::bind(const ArrowArray& leaf) {
    if (field_->has_dictionary()) return bind_dictionary(leaf);
    if (layout_ == ArrowLayout::null) {
        presence_.clear();
        return check_array(leaf, field_->name, 0);
    }
    if (is_text(layout_)) return bind_text(leaf);
    check_array(leaf, field_->name, 2);
    enter(leaf);
    if (rows() > 0) values_ = buffer_of(leaf, 1, field_->name);
}

void ArrowColumn::bind_text(const ArrowArray& leaf) {
    check_array(leaf, field_->name, 3, layout_ == ArrowLayout::string_view);
    enter(leaf);
    text_ = ArrowText(leaf, layout_, base_, base_ + rows(), field_->name);
    // Where most rows are null, looking at the others is less work.
    const bool dense = presence_.present() >= rows() / 8;
    tidy_ = dense && text_.is_tidy(base_, base_ + rows(), static_cast<std::int64_t>(max_string_bytes));
    check_places();
}

void ArrowColumn::bind_dictionary(const ArrowArray& leaf) {
    check_array(leaf, field_->name, 2);
    enter(leaf);
    if (leaf.dictionary == nullptr) refuse_array(field_->name, "lacks its dictionary");
    const ArrowArray& dictionary = *leaf.dictionary;
    has_dictionary_ = true;
    check_array(dictionary, field_->name, 3, layout_ == ArrowLayout::string_view);
    dictionary_base_ = dictionary.offset;
    dictionary_size_ = dictionary.length;
    if (rows() == 0) return;
    values_ = buffer_of(leaf, 1, field_->name);
    check_entries();
    if (dictionary.null_count != 0 && dictionary.buffers[0] != nullptr) {  // an entry may be null itself
        const ArrowBitmap valid(dictionary.buffers[0], dictionary_base_);
        with_entries([&](const auto& read) {
            presence_.keep_if([&](std::int64_t row) { return valid.at(read(row)); });
        });
    }
    text_ =
        ArrowText(dictionary, layout_, dictionary_base_, dictionary_base_ + dictionary_size_, field_->name);
    check_places();
}

void ArrowColumn::check_entries() const {
    const auto size = static_cast<std::uint64_t>(dictionary_size_);
    with_entries([&](const auto& read) {
        bool outside = false;  // negative ones are very large without their sign
        presence_.for_each(
            [&](std::int64_t row) { outside |= static_cast<std::uint64_t>(read(row)) >= size; });
        if (outside) refuse_array(field_->name, "has an index outside its dictionary");
    });
}

// Calls visit(row, position) for the rows that have a string; where they share one, for the first of them.
template <class Visit>
void ArrowColumn::for_each_text(Visit&& visit) const {
    // Looking after the entries of a very large dictionary would take longer than looking at some twice.
    if (!has_dictionary_ || dictionary_size_ / 64 > rows())
        return presence_.for_each([&](std::int64_t row) { visit(row, text_position(row)); });
    std::vector<bool> seen(static_cast<std::size_t>(dictionary_size_));
    with_entries([&](const auto& read) {
        presence_.for_each([&](std::int64_t row) {
            const std::int64_t entry = read(row);
            if (seen[static_cast<std::size_t>(entry)]) return;
            seen[static_cast<std::size_t>(entry)] = true;
            visit(row, dictionary_base_ + entry);
        });
    });
}

void ArrowColumn::check_places() const {
    if (tidy_) return;
    for_each_text([&](std::int64_t, std::int64_t position) {
        if (!text_.is_sound(position))
            refuse_array(field_->name, "has a string that lies outside its buffer");
    });
}

void ArrowColumn::check_values(std::int64_t first) const {
    const auto refuse = [&](std::int64_t row, const std::string& why) {
        throw MessageError(field_->name, why, static_cast<std::size_t>(first + row));
    };
    if (layout_ == ArrowLayout::uint64) {
        presence_.for_each([&](std::int64_t row) {
            if (integer(ArrowLayout::uint64, row) < 0) refuse(row, "is an integer outside 64 bits");
        });
    }
    if (!is_text(layout_) || rows() == 0) return;
    const bool ascii = !has_dictionary_ && text_.is_ascii();
    if (ascii && tidy_) return;
    for_each_text([&](std::int64_t row, std::int64_t position) {
        const std::string_view text = text_.at(position);
        if (text.size() > max_string_bytes) {
            refuse(row, "is a string of " + std::to_string(text.size()) + " bytes; the limit is " +
                            std::to_string(max_string_bytes));
        }
        if (!ascii && !is_utf8(text)) refuse(row, "is a string that is not valid UTF-8");
    });
}

}  // namespace penstock
