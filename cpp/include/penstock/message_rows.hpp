// The rows of an Arrow table: a column is an attribute, a row a message, a null an absent attribute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/arrow_column.hpp"
#include "penstock/arrow_table.hpp"

namespace penstock {

// Once it is made, all rows are known to be messages. What has to be done once for all of them is done here,
// whoever looks at which of them later, and before any table has to stand still for it.
class MessageRows {
  public:
    // Borrows the data. Throws MessageError for columns and values that messages cannot have, and ArrowError
    // for broken structures.
    explicit MessageRows(const ArrowTable& data);
    MessageRows(const MessageRows&) = delete;
    MessageRows& operator=(const MessageRows&) = delete;

    std::span<const std::int64_t> lengths() const { return lengths_; }  // of the batches
    std::span<const ArrowColumn> columns(std::size_t batch) const { return batches_[batch]; }

  private:
    std::vector<ArrowField> fields_;
    std::vector<std::vector<ArrowColumn>> batches_;
    std::vector<std::int64_t> lengths_;
};

}  // namespace penstock
