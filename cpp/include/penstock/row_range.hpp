// Rows of a table in several batches, and how they are shared out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

// Rows of one batch. They begin at a multiple of 64, as blocks of rows do.
struct RowRange {
    std::size_t batch;
    std::int64_t begin;
    std::int64_t end;

    friend bool operator==(const RowRange&, const RowRange&) = default;
};
using RowRanges = std::vector<RowRange>;

// All rows of batches of these lengths.
RowRanges all_rows(std::span<const std::int64_t> lengths);

// The same in up to `most` parts of about the same size, in order.
std::vector<RowRanges> cut_rows(std::span<const std::int64_t> lengths, std::size_t most);

}  // namespace penstock
