// Matching the rows of an Arrow table whose messages lie in one column, as JSON texts.
//
// A text that cannot be read costs its own row only: the others are matched, and the row says what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/arrow_column.hpp"
#include "penstock/arrow_table.hpp"
#include "penstock/matched_rows.hpp"
#include "penstock/row_range.hpp"
#include "penstock/table.hpp"

namespace penstock {

// Why a row was not matched: what a MessageError would say.
struct RowFault {
    std::size_t row;
    std::optional<std::string> attribute;
    std::string message;
};

struct JsonRows {
    MatchedRows matched;
    std::vector<RowFault> faults;  // of the refused rows
};

// The texts of all rows, whatever they hold. Other columns only count, like those of messages.
class TextRows {
  public:
    // Borrows the data. Throws MessageError when there are too many columns, and ArrowError for broken
    // structures and for a column that is not there or holds no texts.
    TextRows(const ArrowTable& data, std::string_view column);
    TextRows(const TextRows&) = delete;
    TextRows& operator=(const TextRows&) = delete;

    std::span<const std::int64_t> lengths() const { return lengths_; }  // of the batches
    const ArrowColumn& column(std::size_t batch) const { return batches_[batch]; }

  private:
    ArrowField field_;
    std::vector<ArrowColumn> batches_;
    std::vector<std::int64_t> lengths_;
};

// Throws CapacityError when there are more results than a list of Arrow can hold.
JsonRows match_json_rows(Table::View& table, const TextRows& texts, const RowRanges& ranges);

// All rows; throws what TextRows does, too.
inline JsonRows match_json_batches(Table::View& table, const ArrowTable& data, std::string_view column) {
    const TextRows texts(data, column);
    return match_json_rows(table, texts, all_rows(texts.lengths()));
}

}  // namespace penstock
