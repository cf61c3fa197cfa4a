// Rows of a batch as messages, a few at a time.
//
// They are filled column by column, because a column's values lie together and are all read in the same way.
// A column costs 64 rows that lack it no more than a look at one word, and there are never more values in a
// block than the nearest caches hold.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "penstock/arrow_column.hpp"
#include "penstock/value_store.hpp"

namespace penstock {

// A column, and what the table calls its name and the strings of its dictionary. These hold until the table
// changes.
class MessageColumn {
  public:
    explicit MessageColumn(const ArrowColumn& column) : column_(&column), name_(column.field().name) {}
    // For so many rows. Each string of a dictionary is looked up once, when a row has it, unless there are
    // more of them than rows, where that might never pay.
    MessageColumn(const ArrowColumn& column, std::uint32_t name, const ValueStore& values, std::int64_t rows)
        : column_(&column), name_(column.field().name), name_id_(name), values_(&values) {
        if (column.dictionary_size() <= rows)
            entries_.resize(static_cast<std::size_t>(column.dictionary_size()));
    }

    const ArrowPresence& presence() const { return column_->presence(); }

    // Fills place(row) in for those of the 64 rows from `begin` on whose bits are set. Piece by piece: an
    // attribute that is put together elsewhere makes the processor wait when it is copied as a whole.
    template <class Place>
    void read(std::int64_t begin, std::uint64_t rows, Place&& place) {
        const auto each = [&](const auto& value_at) {
            for (std::uint64_t left = rows; left != 0; left &= left - 1) {
                const int row = std::countr_zero(left);
                Attribute& attribute = place(static_cast<unsigned>(row));
                attribute.name = name_;
                attribute.value = value_at(begin + row);
                attribute.name_id = name_id_;
            }
        };
        if (entries_.empty()) return column_->with_values(each);
        column_->with_entries([&](const auto& entry_at) {
            look_up(begin, rows, entry_at);
            each([&](std::int64_t row) -> const ValueView& {
                return entries_[static_cast<std::size_t>(entry_at(row))];
            });
        });
    }

  private:
    // Those entries of the dictionary that no row had before.
    template <class EntryAt>
    void look_up(std::int64_t begin, std::uint64_t rows, const EntryAt& entry_at) {
        std::array<ValueView*, 64> texts;
        std::size_t count = 0;
        for (; rows != 0; rows &= rows - 1) {
            const std::int64_t at = entry_at(begin + std::countr_zero(rows));
            ValueView& entry = entries_[static_cast<std::size_t>(at)];
            if (entry.coding != ValueView::Coding::unknown) continue;
            entry = ValueView::of(column_->text_of_entry(at));
            entry.coding = ValueView::Coding::none;
            texts[count++] = &entry;
        }
        values_->find_codes({texts.data(), count});
    }

    const ArrowColumn* column_;
    std::string_view name_;
    std::uint32_t name_id_ = Attribute::unknown;
    const ValueStore* values_ = nullptr;
    std::vector<ValueView> entries_;
};

class MessageBlock {
  public:
    // Of columns with the same number of rows.
    explicit MessageBlock(std::vector<MessageColumn> columns) : columns_(std::move(columns)) {}

    // Calls visit(messages, attributes) with some rows at a time, in order, and all that they are made of.
    // The first must be a multiple of 64.
    template <class Visit>
    void for_each(std::int64_t first_row, std::int64_t last_row, Visit&& visit) {
        std::size_t scanned = ahead;
        for (std::int64_t begin = first_row; begin < last_row; begin += 64) {
            const auto count = static_cast<unsigned>(std::min<std::int64_t>(64, last_row - begin));
            if (scanned == ahead) {
                scan(begin, last_row);
                scanned = 0;
            }
            const std::span<const Found> found = found_[scanned++];
            measure(found);
            for (unsigned first = 0; first < count;) {
                const unsigned last = fill(found, begin, first, count);
                const std::span<const MessageView> messages(messages_.data() + first, last - first);
                const auto size =
                    static_cast<std::size_t>(std::to_address(messages.back().end()) - attributes_.data());
                visit(messages, std::span(attributes_.data(), size));
                first = last;
            }
        }
    }

  private:
    // A column that some of the 64 rows have, and which.
    struct Found {
        MessageColumn* column;
        std::uint64_t rows;
    };
    static constexpr std::size_t most_values = 1024;
    static constexpr std::size_t ahead = 8;  // words of a cache line

    void scan(std::int64_t begin, std::int64_t end);
    void measure(std::span<const Found> found);
    unsigned fill(std::span<const Found> found, std::int64_t begin, unsigned first, unsigned end);

    std::vector<MessageColumn> columns_;
    std::array<std::vector<Found>, ahead> found_;  // of the next so many times 64 rows
    std::array<std::uint32_t, 64> sizes_{};
    std::vector<Attribute> attributes_;
    std::array<MessageView, 64> messages_{};
};

}  // namespace penstock
