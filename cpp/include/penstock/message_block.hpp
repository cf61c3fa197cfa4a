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
#include <span>
#include <utility>
#include <vector>

#include "penstock/arrow_column.hpp"
#include "penstock/table.hpp"

namespace penstock {

// A column, and what a table knows of its name and of its values.
class MessageColumn {
  public:
    explicit MessageColumn(const ArrowColumn& column) : column_(&column), name_(column.field().name) {}
    // For so many rows. Values are resolved for many of them at a time; each string of a dictionary is looked
    // up once, when a row has it, unless there are more of them than rows, where that might never pay.
    MessageColumn(const ArrowColumn& column, Type type, std::uint32_t name, Table::View& table,
                  std::int64_t rows)
        : column_(&column), name_(column.field().name), name_id_(name), table_(&table) {
        if (column.dictionary_size() <= rows)
            entries_.resize(static_cast<std::size_t>(column.dictionary_size()));
        resolves_ = table.can_resolve(name, type);
    }

    const ArrowPresence& presence() const { return column_->presence(); }
    // What the table says of values holds until it is renewed.
    bool resolves() const { return resolves_; }

    // Fills place(row) in for those of the 64 rows from `begin` on whose bits are set. Piece by piece: an
    // attribute that is put together elsewhere makes the processor wait when it is copied as a whole.
    template <class Place>
    void read(std::int64_t begin, std::uint64_t rows, Place&& place) {
        const auto read_with = [&](const auto& value_at) {
            if (resolves_) {
                Sought sought;
                read_each(begin, rows, place, value_at, [&](ValueView& value) { sought.add(value); });
                table_->resolve(name_id_, sought.values());
            } else {
                read_each(begin, rows, place, value_at, [](ValueView&) {});
            }
        };
        if (entries_.empty()) return column_->with_values(read_with);
        column_->with_entries([&](const auto& entry_at) {
            look_up(begin, rows, entry_at);
            read_with([&](std::int64_t row) -> const ValueView& {
                return entries_[static_cast<std::size_t>(entry_at(row))];
            });
        });
    }

  private:
    // Values of up to 64 rows.
    class Sought {
      public:
        void add(ValueView& value) { values_[size_++] = &value; }
        std::span<ValueView* const> values() const { return {values_.data(), size_}; }

      private:
        std::array<ValueView*, 64> values_;
        std::size_t size_ = 0;
    };

    template <class Place, class ValueAt, class Note>
    void read_each(std::int64_t begin, std::uint64_t rows, Place& place, const ValueAt& value_at,
                   const Note& note) const {
        for (; rows != 0; rows &= rows - 1) {
            const int row = std::countr_zero(rows);
            Attribute& attribute = place(static_cast<unsigned>(row));
            attribute.name = name_;
            attribute.value = value_at(begin + row);
            attribute.name_id = name_id_;
            note(attribute.value);
        }
    }
    // Those entries of the dictionary that no row had before.
    template <class EntryAt>
    void look_up(std::int64_t begin, std::uint64_t rows, const EntryAt& entry_at) {
        Sought sought;
        for (; rows != 0; rows &= rows - 1) {
            const std::int64_t at = entry_at(begin + std::countr_zero(rows));
            ValueView& entry = entries_[static_cast<std::size_t>(at)];
            if (entry.coding != ValueView::Coding::unknown) continue;
            entry = ValueView::of(column_->text_of_entry(at));
            entry.coding = ValueView::Coding::none;
            sought.add(entry);
        }
        table_->catalogue().filters().values().find_codes(sought.values());
    }

    const ArrowColumn* column_;
    std::string_view name_;
    std::uint32_t name_id_ = Attribute::unknown;
    Table::View* table_ = nullptr;
    bool resolves_ = false;
    std::vector<ValueView> entries_;
};

class MessageBlock {
  public:
    // Of columns with the same number of rows, for a table if these know one.
    explicit MessageBlock(std::vector<MessageColumn> columns, Table::View* table = nullptr)
        : columns_(std::move(columns)),
          table_(std::ranges::any_of(columns_, &MessageColumn::resolves) ? table : nullptr) {}

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
                visit(std::span<const MessageView>(messages_.data() + first, last - first));
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
    Table::View* table_;                           // if some of them resolve their values
    std::array<std::vector<Found>, ahead> found_;  // of the next so many times 64 rows
    std::array<std::uint32_t, 64> sizes_{};
    std::vector<Attribute> attributes_;
    std::array<MessageView, 64> messages_{};
};

}  // namespace penstock
